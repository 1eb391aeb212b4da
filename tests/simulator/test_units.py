from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator import units
from tests.says import Says, raises

DURATION = {"noun": "duration", "example": "3s"}
RATE = {"noun": "rate", "example": "100/s"}


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
    ("parse", "value", "says"),
    [
        (units.parse_duration_us, 3, Says("unit.unit-missing", got=3, units="us, ms, s, m, h, d", **DURATION)),
        (units.parse_duration_us, "3 sec", Says("unit.unknown-unit", got='"3 sec"', unit="sec", **DURATION)),
        (units.parse_duration_us, "1,5ms", Says("unit.decimal-comma", got='"1,5ms"', **DURATION)),
        (units.parse_duration_us, "1:05", Says("unit.clock", got='"1:05"', **DURATION)),
        (units.parse_duration_us, "", Says("unit.expected", got='""', **DURATION)),
        (units.parse_duration_us, "soon", Says("unit.expected", got='"soon"', **DURATION)),
        (units.parse_duration_us, True, Says("unit.expected", got="true", **DURATION)),
        (units.parse_duration_us, None, Says("unit.expected", got="nothing", **DURATION)),
        (units.parse_duration_us, "0.5us", Says("unit.whole", noun="duration", unit="microseconds", got='"0.5us"')),
        (units.parse_duration_ms, "500us", Says("unit.whole", noun="duration", unit="milliseconds", got='"500us"')),
        (units.parse_size_bytes, "0.3B", Says("unit.whole", noun="size", unit="bytes", got='"0.3B"')),
        (units.parse_rate_per_s, "100", Says("unit.expected", got='"100"', **RATE)),
        (units.parse_rate_per_s, "100/", Says("unit.expected", got='"100/"', **RATE)),
        (units.parse_rate_per_s, "1/week", Says("unit.unknown-unit", unit="week", units="s, min, h, d", **RATE)),
        (units.parse_rate_per_s, ["1/s"], Says("unit.expected", got="a list", **RATE)),
    ],
)
def test_what_has_no_unit_is_refused(parse, value, says):
    with raises(ValueError, says):
        parse(value)


def test_an_endless_number_is_cut_in_the_sentence():
    with raises(ValueError, Says("unit.expected", got=f'"{"9" * 57}..."')):
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
    with raises(ValueError, Says("unit.endless-rate", rate="1/7")):
        units.format_rate(Fraction(1, 7))
