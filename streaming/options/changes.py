"""Changes to a scenario, and words to choose among, from the command line."""

from __future__ import annotations

from collections.abc import Sequence

from simulator.scenario.reading.scenario_error import nearest
from simulator.scenario.texts.reading_texts import ReadingTexts
from simulator.units import parse_duration_us
from state.texts import at, sentence_of
from streaming.errors import InputError
from streaming.texts.command_texts import CommandTexts


def overrides_of(changes: Sequence[str]) -> dict[str, str]:
    """KEY=VALUE pairs as a mapping. Raises InputError for anything else."""
    overrides = {}
    for change in changes:
        key, equals, value = change.partition("=")
        if not equals or not key.strip():
            raise InputError(CommandTexts.ARM_EXPECTED().at(f"--set {change}"))
        overrides[key.strip()] = value.strip()
    return overrides


def for_length(duration: str | None) -> list[str]:
    """The change that `--for` is, none without it. Raises InputError for what is no duration."""
    if duration is None:
        return []
    try:
        parse_duration_us(duration)
    except ValueError as error:
        raise InputError(at(f"--for {duration}", sentence_of(error))) from None
    return [f"duration={duration}"]


def checked_choice(said: str, known: Sequence[str], place: str) -> str:
    """What was said, if it is one of the known words. Raises InputError with them and the nearest."""
    if said not in known:
        near = nearest(said, known, alike=0.7)
        expected = CommandTexts.CHOICE_EXPECTED(known=f"{', '.join(known[:-1])} or {known[-1]}")
        raise InputError(expected.followed_by(ReadingTexts.DID_YOU_MEAN(near=near) if near else "").at(place))
    return said
