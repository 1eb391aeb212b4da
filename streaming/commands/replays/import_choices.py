"""What the options of `sendlab import` say of how a log is written."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Sequence
from zoneinfo import ZoneInfo, available_timezones

from simulator.scenario.reading.scenario_error import did_you_mean
from streaming.errors import InputError
from streaming.importing.csv_log.column_names import parse_map
from streaming.importing.csv_log.csv_shape import CsvChoices
from streaming.importing.texts.numbers import MARKS
from streaming.importing.texts.times import A_SECOND, TimeRule
from streaming.options.changes import checked_choice
from streaming.texts.command_texts import CommandTexts


def choices_of(
    maps: Sequence[str],
    timezone: str | None,
    time_unit: str | None,
    latency_unit: str | None,
    decimal: str | None,
    encoding: str | None = None,
) -> CsvChoices:
    """The options together. Raises InputError for what they cannot be."""
    _check("--time-unit", time_unit, A_SECOND)
    _check("--latency-unit", latency_unit, A_SECOND)
    _check("--decimal", decimal, MARKS)
    if encoding is not None:
        _check_encoding(encoding)
    if timezone is not None:
        try:
            ZoneInfo(timezone)
        except (OSError, ValueError, KeyError):
            raise _no_zone(timezone) from None
    mark = MARKS[decimal] if decimal else None
    return CsvChoices(parse_map(maps), TimeRule(time_unit, timezone), mark, latency_unit, encoding)


def _check_encoding(name: str) -> None:
    try:
        "".encode(name)  # of an encoding that is not one of texts this raises LookupError, too
        codecs.getincrementaldecoder(name)
    except LookupError:
        raise InputError(CommandTexts.NO_ENCODING().at(f"--encoding {name}")) from None


def _no_zone(name: str) -> InputError:
    near = did_you_mean(name, available_timezones())
    return InputError(CommandTexts.NO_ZONE(near=near).at(f"--timezone {name}"))


def _check(option: str, said: str | None, known: Iterable[str]) -> None:
    if said is not None:
        checked_choice(said, list(known), f"{option} {said}")
