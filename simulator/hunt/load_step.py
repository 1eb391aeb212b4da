"""A step of the load: a group of producers sends a factor as much for a while. No fault, and of hunts alone."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from simulator.scenario.faults.targets import ALL
from simulator.scenario.rate_changes import rate_changes_text, read_rate_changes
from simulator.scenario.reading.fields import rate_value

LOAD, PRODUCERS = "load", "producers"
KEYS = ("factor",)


class LoadStep(NamedTuple):
    """Who sends `factor` times as much from `at_us` until `until_us`; place: name of a group, or ALL."""

    place: Any
    at_us: int
    until_us: int
    factor: Fraction


def put_steps(groups: Sequence[dict[str, Any]], steps: Sequence[LoadStep]) -> None:
    """Put steps into groups of producers as a scenario's plain values have them; together they multiply."""
    for group in groups:
        own = [one for one in steps if one.place in (ALL, group.get("group", PRODUCERS))]
        if not own or "rate" not in group:  # a closed loop sends as fast as it is answered
            continue
        rates = [(0, rate_value(group["rate"], least=0)), *read_rate_changes(group.get("rate_changes", {}))]
        edges = {at_us for at_us, _ in rates} | {edge for one in own for edge in (one.at_us, one.until_us)}
        changes = []
        for at_us in sorted(edges - {0}):
            rate = [rate for begin_us, rate in rates if begin_us <= at_us][-1]
            for one in own:
                if one.at_us <= at_us < one.until_us:
                    rate *= one.factor
            changes.append((at_us, rate))
        group["rate_changes"] = rate_changes_text(tuple(changes))
