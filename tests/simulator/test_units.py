import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator import units


@pytest.mark.parametrize(
    ("text", "microseconds"),
    [
        ("250us", 250),
        ("250µs", 250),
        ("0.5ms", 500),
        ("1.5 s", 1_500_000),
        ("2m", 120_000_000),
        ("2min", 120_000_000),
        ("1h30m", 5_400_000_000),
        ("1d", 86_400_000_000),
        ("-3s", -3_000_000),
        (0, 0),
    ],
)
def test_a_duration_is_whole_microseconds(text, microseconds):
    assert units.parse_duration_us(text) == microseconds


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("1B", 1),
        ("1KiB", 1024),
        ("1.5KiB", 1536),
        ("4MiB", 4 * 2**20),
        ("1kB", 1000),
        ("1KB", 1000),
        ("2 GB", 2 * 10**9),
    ],
)
def test_a_size_is_whole_bytes(text, size):
    assert units.parse_size_bytes(text) == size


@pytest.mark.parametrize(
    ("text", "per_s"),
    [
        ("100/s", Fraction(100)),
        ("6000/min", Fraction(100)),
        ("6000/m", Fraction(100)),
        ("2/h", Fraction(2, 3600)),
        ("0.5 / d", Fraction(1, 172_800)),
    ],
)
def test_a_rate_is_exact(text, per_s):
    assert units.parse_rate_per_s(text) == per_s


@pytest.mark.parametrize(
    ("parse", "value", "sentence"),
    [
        (
            units.parse_duration_us,
            3,
            "expected a duration such as 3s, got 3: the unit is missing (us, ms, s, m, h, d)",
        ),
        (
            units.parse_duration_us,
            "3 sec",
            'expected a duration such as 3s, got "3 sec": unknown unit sec; known: us, ms, s, m, h, d',
        ),
        (units.parse_duration_us, "", 'expected a duration such as 3s, got ""'),
        (units.parse_duration_us, "soon", 'expected a duration such as 3s, got "soon"'),
        (units.parse_duration_us, True, "expected a duration such as 3s, got true"),
        (units.parse_duration_us, None, "expected a duration such as 3s, got nothing"),
        (units.parse_duration_us, "0.5us", 'expected a duration of whole microseconds, got "0.5us"'),
        (units.parse_duration_ms, "500us", 'expected a duration of whole milliseconds, got "500us"'),
        (units.parse_size_bytes, "0.3B", 'expected a size of whole bytes, got "0.3B"'),
        (units.parse_rate_per_s, "100", 'expected a rate such as 100/s, got "100"'),
        (units.parse_rate_per_s, "100/", 'expected a rate such as 100/s, got "100/"'),
        (
            units.parse_rate_per_s,
            "1/week",
            'expected a rate such as 100/s, got "1/week": unknown unit week; known: s, min, h, d',
        ),
        (units.parse_rate_per_s, ["1/s"], "expected a rate such as 100/s, got a list"),
    ],
)
def test_what_has_no_unit_is_refused_in_a_sentence(parse, value, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence) + "$"):
        parse(value)


def test_an_endless_number_is_cut_in_the_sentence():
    with pytest.raises(ValueError, match=r'got "9{57}\.\.\."$'):
        units.parse_duration_us("9" * 10_000 + "s")


@given(st.integers(0, 10**18))
def test_every_duration_reads_back(number):
    assert units.parse_duration_us(units.format_duration(number)) == number


@given(st.integers(0, 10**12))
def test_every_duration_of_milliseconds_reads_back(number):
    assert units.parse_duration_ms(units.format_duration_ms(number)) == number


@given(st.integers(0, 10**18))
def test_every_size_reads_back(number):
    assert units.parse_size_bytes(units.format_size(number)) == number


@given(st.decimals(0, 10**9, places=6), st.sampled_from(list(units.RATE_UNITS_S)))
def test_every_rate_reads_back(number, unit):
    rate = units.parse_rate_per_s(f"{number:f}/{unit}")
    assert units.parse_rate_per_s(units.format_rate(rate)) == rate


def test_a_rate_without_finite_decimals_has_no_text():
    with pytest.raises(ValueError, match="no finite decimal"):
        units.format_rate(Fraction(1, 7))
