"""Changes to a scenario from the command line."""

from __future__ import annotations

from collections.abc import Sequence

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
