"""What the options of `sendlab import` say of how a log is written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from zoneinfo import ZoneInfo, available_timezones

from simulator.scenario.reading.scenario_error import did_you_mean
from streaming.errors import InputError
from streaming.importing.csv_log.column_names import parse_map
from streaming.importing.csv_log.csv_shape import CsvChoices
from streaming.importing.texts.numbers import MARKS
from streaming.importing.texts.times import A_SECOND, TimeRule


def choices_of(
    maps: Sequence[str], timezone: str | None, time_unit: str | None, latency_unit: str | None, decimal: str | None
) -> CsvChoices:
    """The options together. Raises InputError for what they cannot be."""
    _check("--time-unit", time_unit, A_SECOND)
    _check("--latency-unit", latency_unit, A_SECOND)
    _check("--decimal", decimal, MARKS)
    if timezone is not None:
        try:
            ZoneInfo(timezone)
        except (OSError, ValueError, KeyError):
            raise _no_zone(timezone) from None
    return CsvChoices(parse_map(maps), TimeRule(time_unit, timezone), MARKS[decimal] if decimal else None, latency_unit)


def _no_zone(name: str) -> InputError:
    near = did_you_mean(name, available_timezones())
    return InputError(f"--timezone {name}: no such zone{near}; expected a name such as Asia/Shanghai or UTC")


def _check(option: str, said: str | None, known: Iterable[str]) -> None:
    if said is not None and said not in known:
        raise InputError(f"{option} {said}: expected {', '.join(known)}{did_you_mean(said, list(known))}")
