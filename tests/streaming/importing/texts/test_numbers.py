"""Numbers of logs: decimal points and commas, thousands apart, units."""

from __future__ import annotations

import pytest

from streaming.importing.texts.bad_value import BadValue
from streaming.importing.texts.numbers import decimal_mark, milliseconds_of, number_of


@pytest.mark.parametrize(
    ("text", "mark", "number"),
    [
        ("1.5", ".", 1.5), ("1,5", ",", 1.5), ("3,000.5", ".", 3000.5), ("3.000,5", ",", 3000.5), ("3.000", ",", 3000),
        ("3 000,5", ",", 3000.5), ("1,234", ",", 1.234), ("1,234", ".", 1234), ("0,234", None, 0.234),
        ("12,5", None, 12.5), ("1,234.5", None, 1234.5), ("1.5e3", ".", 1500),
    ],
)  # fmt: skip
def test_a_number_is_read_with_its_mark(text, mark, number):
    assert number_of(text, mark) == number


@pytest.mark.parametrize(
    ("text", "mark", "reason"),
    [("1,234", None, "give --decimal"), ("1.5", ",", "decimal point where"), ("fast", ".", "not a number"),
     ("1,2,3", ".", "not a number"), ("inf", ".", "not a number")],
)  # fmt: skip
def test_a_number_that_can_be_two_is_none(text, mark, reason):
    with pytest.raises(BadValue, match=reason):
        number_of(text, mark)


@pytest.mark.parametrize(
    ("texts", "mark"),
    [
        (["1", "2.5"], "."), (["1", "2,5"], ","), (["1.234,5", "3"], ","), (["1,234.5", "3"], "."), (["1", "2"], "."),
        (["2.5", "2,5"], None), (["1,234", "3"], None), (["1,234", "12,345"] * 10, ","), (["1,234", "12"] * 20, None),
    ],
)  # fmt: skip
def test_the_mark_of_a_column_is_reported_by_its_sure_values(texts, mark):
    assert decimal_mark(texts) == mark


@pytest.mark.parametrize(
    ("text", "unit", "ms"),
    [("12ms", "ms", 12), ("1.5 s", "ms", 1500), ("250us", "ms", 0.25), ("250 µs", "ms", 0.25), ("3", "s", 3000)],
)
def test_a_unit_behind_a_number_counts(text, unit, ms):
    assert milliseconds_of(text, ".", unit) == ms
