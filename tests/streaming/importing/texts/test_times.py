"""Times of logs: which unit, which zone, and what stays unclear."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from streaming.importing.texts.bad_value import BadValue
from streaming.importing.texts.times import TimeRule, time_us, times_us
from streaming.texts.import_texts import ImportTexts

US = 1_795_241_400_123_456
SHANGHAI = TimeRule(zone="Asia/Shanghai")
BERLIN = TimeRule(zone="Europe/Berlin")


@pytest.mark.parametrize(
    ("text", "us", "form"),
    [
        ("1795241400", US - 123_456, "epoch seconds"),
        ("1795241400.123456", US, "epoch seconds"),
        ("1795241400,123456", US, "epoch seconds"),
        ("1795241400123", US - 456, "epoch milliseconds"),
        ("1795241400123.456", US, "epoch milliseconds"),
        ("1795241400123456", US, "epoch microseconds"),
        ("1795241400123456789", US, "epoch nanoseconds"),
    ],
)
def test_a_number_is_in_the_unit_that_makes_it_a_time_of_this_century(text, us, form):
    assert time_us(text) == (us, form)


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-21T06:10:00.123456Z", "2026-11-21 06:10:00.123456Z", "2026-11-21 06:10:00,123456 UTC",
        "2026-11-21T14:10:00.123456+08:00", "2026-11-21T14:10:00.123456+0800", "2026-11-21 14:10:00.123456 +08",
        "2026-11-21T14:10:00.123456789+08:00[Asia/Shanghai]", "2026/11/21 14:10:00.123456 +0800",
        "20261121T061000.123456Z",
    ],
)  # fmt: skip
def test_iso_8601_is_read_in_its_variants(text):
    assert time_us(text) == (US, "ISO 8601 with a zone")


@pytest.mark.parametrize("text", ["2026-11-21 14:10:00,123", "2026-11-21T14:10:00.123", "2026/11/21 14:10:00.123"])
def test_a_time_without_a_zone_is_of_the_zone_that_is_given(text):
    assert time_us(text, SHANGHAI) == (US - 456, "local times of Asia/Shanghai")
    with pytest.raises(BadValue, match=ImportTexts.NO_ZONE()):
        time_us(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("46347.59001157407", "outside the years 2000 to 2100 in every unit"),
        ("200.5", "outside the years 2000 to 2100 in every unit"),
        ("20261121141000", "outside the years 2000 to 2100 in every unit"),
        ("1.79524E+12", "rounded by a spreadsheet"),
        ("21/11/2026 14:10:00", ImportTexts.DAY_OR_MONTH()),
        ("11/21/26 2:10 PM", ImportTexts.DAY_OR_MONTH()),
        ("2026-02-30 14:10:00Z", "does not exist"),
        ("2026-11-21", ImportTexts.NO_KNOWN_TIME(known="")),
    ],
)
def test_what_can_be_read_in_two_ways_is_not_read(text, reason):
    with pytest.raises(BadValue, match=reason):
        time_us(text, SHANGHAI)


@pytest.mark.parametrize(
    ("text", "how"), [("2026-10-25 02:30:00", "ambiguous in"), ("2026-03-29 02:30:00", "skipped in")]
)
def test_an_hour_that_is_twice_or_not_there_is_not_read(text, how):
    with pytest.raises(BadValue, match=ImportTexts.DAYLIGHT_SAVING(how=how, zone="Europe/Berlin").partition(";")[0]):
        time_us(text, BERLIN)
    assert time_us(text + "+02:00", BERLIN)[1] == "ISO 8601 with a zone"


def test_a_unit_that_is_given_holds_for_times_since_a_start():
    assert time_us("200.5", TimeRule(unit="s")) == (200_500_000, ImportTexts.TIME_UNIT_GIVEN(unit="s"))
    assert time_us("1795241400", TimeRule(unit="us"))[0] == 1_795_241_400


@given(st.lists(st.integers(946_684_800_000_000, 4_102_444_799_999_999), min_size=1, max_size=20))
def test_many_times_at_once_are_those_of_one_by_one(moments_us):
    texts = [str(us) for us in moments_us] + [str(us * 1000) for us in moments_us] + ["noon"]
    found, forms = times_us(pa.array(texts), TimeRule())
    assert found.to_pylist() == [*(time_us(text)[0] for text in texts[:-1]), None]
    assert sum(forms["epoch nanoseconds"].fill_null(False).to_pylist()) == len(moments_us)
