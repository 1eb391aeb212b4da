"""A load that changes: rates of a producer group from moments of the run on."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from simulator.scenario.reading.fields import DURATION_MAX_US, Reads, rate_value
from simulator.scenario.reading.scenario_error import Problem, ProblemsError
from simulator.scenario.texts.field_texts import FieldTexts
from simulator.scenario.texts.producer_texts import ProducerTexts
from simulator.units import format_duration, format_rate, parse_duration_us, shown
from state.texts import sentence_of

RateChanges = tuple[tuple[int, Fraction], ...]  # (from when in microseconds, messages a second), rising

EXPECTED = "a mapping of moments to rates such as {30s: 80/s, 2m: 40/s}"


def read_rate_changes(value: Any) -> RateChanges:
    """The changes in order of time. Raises ValueError and ProblemsError."""
    if isinstance(value, tuple):
        return value
    if not isinstance(value, dict):
        raise ValueError(FieldTexts.EXPECTED(expected=EXPECTED, got=shown(value)))
    found: dict[int, Fraction] = {}
    for moment, rate in value.items():
        try:
            at_us = parse_duration_us(moment)
            if not 0 < at_us <= DURATION_MAX_US:
                raise ValueError(ProducerTexts.MOMENT_EXPECTED(got=shown(moment)))
            if at_us in found:
                raise ValueError(ProducerTexts.TWO_RATES(at=format_duration(at_us)))
            found[at_us] = rate_value(rate, least=0)
        except ValueError as error:
            raise ProblemsError([Problem((moment,), sentence_of(error))]) from None
    return tuple(sorted(found.items()))


def rate_changes_text(changes: RateChanges) -> dict[str, str]:
    """The mapping that `read_rate_changes` reads back."""
    return {format_duration(at_us): format_rate(rate) for at_us, rate in changes}


RATE_CHANGES = Reads(read_rate_changes, expects=EXPECTED, schema={"type": "object"})
