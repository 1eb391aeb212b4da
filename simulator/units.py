"""Durations, sizes and rates with units, as exact numbers: text in, text out.

Every parser raises `ValueError` with the rest of a sentence: what was expected, what was got and why.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from simulator.unit_texts import UnitTexts

US_PER_MS = 1_000
US_PER_S = 1_000_000

DURATION_UNITS_US = {
    "us": 1,
    "ms": US_PER_MS,
    "s": US_PER_S,
    "m": 60 * US_PER_S,
    "h": 3_600 * US_PER_S,
    "d": 86_400 * US_PER_S,
}
SIZE_UNITS_BYTES = {
    "B": 1,
    "KiB": 2**10,
    "MiB": 2**20,
    "GiB": 2**30,
    "kB": 10**3,
    "MB": 10**6,
    "GB": 10**9,
}
RATE_UNITS_S = {"s": 1, "min": 60, "h": 3_600, "d": 86_400}

# Other spellings that can mean only one thing.
DURATION_SPELLINGS = {"µs": "us", "μs": "us", "min": "m"}
SIZE_SPELLINGS = {"KB": "kB", "b": "B"}
RATE_SPELLINGS = {"m": "min"}

TEXT_MAX = 60
PART = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([A-Za-zµμ]*)")
DECIMAL_COMMA = re.compile(r",\d+\s*[A-Za-zµμ]")
CLOCK = re.compile(r"\d+(?::\d\d){1,2}")
RATE = re.compile(r"\s*([+-]?\d+(?:\.\d+)?)\s*(?:/\s*([A-Za-z]*))?\s*")


def parse_duration_us(value: object) -> int:
    """Whole microseconds of a duration such as `3s`, `1.5ms`, `1m30s` or a bare 0; it may be negative.

    Units: us, ms, s, m (or min), h, d. Raises ValueError on anything else.
    """
    number = _with_unit(value, "duration", "3s", DURATION_UNITS_US, DURATION_SPELLINGS)
    return _whole(number, value, "duration", "microseconds")


def parse_duration_ms(value: object) -> int:
    """Whole milliseconds of a duration: the client's own arithmetic knows nothing finer.

    Raises ValueError as `parse_duration_us` does, and on a part of a millisecond.
    """
    duration_us = parse_duration_us(value)
    if duration_us % US_PER_MS:
        raise ValueError(UnitTexts.WHOLE(noun="duration", unit="milliseconds", got=shown(value)))
    return duration_us // US_PER_MS


def parse_size_bytes(value: object) -> int:
    """Whole bytes of a size such as `1KiB` or `1.5MB`; it may be negative.

    Units: B, KiB, MiB, GiB (powers of 1024), kB, MB, GB (powers of 1000). Raises ValueError on anything else.
    """
    number = _with_unit(value, "size", "1KiB", SIZE_UNITS_BYTES, SIZE_SPELLINGS)
    return _whole(number, value, "size", "bytes")


def parse_rate_per_s(value: object) -> Fraction:
    """Exact events per second of a rate such as `100/s`, `6000/min`, `2/h` or `1/d`; it may be negative.

    Raises ValueError on anything else.
    """
    text = _text(value)
    match = RATE.fullmatch(text) if text is not None else None
    if match is None or not match[2]:
        raise ValueError(UnitTexts.EXPECTED(noun="rate", example="100/s", got=shown(value)))
    number, unit = match.groups()
    seconds = RATE_UNITS_S.get(RATE_SPELLINGS.get(unit, unit))
    if seconds is None:
        expected = UnitTexts.EXPECTED(noun="rate", example="100/s", got=shown(value))
        raise ValueError(UnitTexts.UNKNOWN_UNIT(expected=expected, unit=unit, units=", ".join(RATE_UNITS_S)))
    return Fraction(number) / seconds


def format_duration(duration_us: int) -> str:
    """The shortest text with one unit and a whole number that `parse_duration_us` reads back."""
    return _format(duration_us, DURATION_UNITS_US, "us")


def format_duration_ms(duration_ms: int) -> str:
    """`format_duration` of milliseconds."""
    return format_duration(duration_ms * US_PER_MS)


def format_size(size_bytes: int) -> str:
    """The text in powers of 1024 with a whole number that `parse_size_bytes` reads back."""
    return _format(size_bytes, {unit: SIZE_UNITS_BYTES[unit] for unit in ("B", "KiB", "MiB", "GiB")}, "B")


def format_rate(rate_per_s: Fraction) -> str:
    """The text that `parse_rate_per_s` reads back, in the shortest period that needs no endless decimals.

    Raises ValueError where no period does (such a rate has no text, so it was never parsed).
    """
    for unit, seconds in RATE_UNITS_S.items():
        number = _decimal(rate_per_s * seconds)
        if number is not None:
            return f"{number}/{unit}"
    raise ValueError(UnitTexts.ENDLESS_RATE(rate=str(rate_per_s)))


def shown(value: object) -> str:
    """A value as a sentence shows it: strings quoted and cut, containers by their kind."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{_cut(value)}"'
    if isinstance(value, Mapping):
        return "a mapping"
    if isinstance(value, list | tuple):
        return "a list"
    return _cut(str(value))


def _cut(text: str) -> str:
    flat = " ".join(text.split()) if "\n" in text else text
    return flat if len(flat) <= TEXT_MAX else flat[: TEXT_MAX - 3] + "..."


def _text(value: object) -> str | None:
    """The text to parse, or None for what cannot be a number with a unit."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    text = str(value)
    return text if len(text) <= TEXT_MAX else None


def _with_unit(
    value: object, noun: str, example: str, units: Mapping[str, int], spellings: Mapping[str, str]
) -> Fraction:
    text = _text(value)

    def expected() -> str:
        return UnitTexts.EXPECTED(noun=noun, example=example, got=shown(value))

    if text is None:
        raise ValueError(expected())
    body = text.strip()
    sign = -1 if body.startswith("-") else 1
    body = body[1:] if body[:1] in ("-", "+") else body
    if body == "0":
        return Fraction(0)
    total, position = Fraction(0), 0
    while position < len(body):
        part = PART.match(body, position)
        if part is None:
            raise ValueError(expected())
        number, unit = part.groups()
        if not unit and DECIMAL_COMMA.match(body, part.end()):
            raise ValueError(UnitTexts.DECIMAL_COMMA(expected=expected()))
        if not unit and noun == "duration" and CLOCK.fullmatch(body):
            raise ValueError(UnitTexts.CLOCK(expected=expected()))
        if not unit:
            raise ValueError(UnitTexts.UNIT_MISSING(expected=expected(), units=", ".join(units)))
        factor = units.get(spellings.get(unit, unit))
        if factor is None:
            raise ValueError(UnitTexts.UNKNOWN_UNIT(expected=expected(), unit=unit, units=", ".join(units)))
        total += Fraction(number) * factor
        position = part.end()
    if position == 0:
        raise ValueError(expected())
    return sign * total


def _whole(number: Fraction, value: object, noun: str, unit: str) -> int:
    if number.denominator != 1:
        raise ValueError(UnitTexts.WHOLE(noun=noun, unit=unit, got=shown(value)))
    return int(number)


def _format(number: int, units: Mapping[str, int], smallest: str) -> str:
    unit = smallest
    for name, factor in units.items():
        if number and number % factor == 0 and factor >= units[unit]:
            unit = name
    return f"{number // units[unit]}{unit}"


def _decimal(number: Fraction) -> str | None:
    """Finite decimal text of a fraction, or None where it has none."""
    digits, rest = 0, number.denominator
    for prime in (2, 5):
        power = 0
        while rest % prime == 0:
            rest //= prime
            power += 1
        digits = max(digits, power)
    if rest != 1:
        return None
    if digits == 0:
        return str(number.numerator)
    scaled = abs(number.numerator) * 10**digits // number.denominator
    text = str(scaled).rjust(digits + 1, "0")
    return f"{'-' if number < 0 else ''}{text[:-digits]}.{text[-digits:]}"


def some(count: int, noun: str) -> str:
    """A count and its noun: `1 run`, `20 runs`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
