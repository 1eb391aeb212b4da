"""consumeTimeout of the groups of a scenario: who sweeps at all, and when first."""

from __future__ import annotations

from simulator.plan.consumers.consumption_plan import kind_of
from simulator.plan.spans import pieces, stretches
from simulator.plan.timetable import speed_of
from simulator.releases.consumer_release import CONSUMERS
from simulator.scenario import FaultPeriod, Scenario
from simulator.scenario.reading.fields import MILLION

MINUTE_US = 60_000_000
STANDING = ("stuck", "hang", "pause")  # kinds that keep a thread at a message


def timeout_us(scenario: Scenario, name: str) -> int:
    """consumeTimeout of a group; 0 where it is not given and nothing takes so long, or a sweep never comes."""
    own = scenario.consumers[name]
    if not kind_of(own).has_sweep:
        return 0
    release = own.release or scenario.client.release
    limit_us = own.consume_timeout_us or CONSUMERS[release].consume_timeout * MINUTE_US
    longest_us = own.longest_work_us if own.consume_timeout_us is None else limit_us
    struck: dict[str, list[FaultPeriod]] = {}
    for period in scenario.fault_periods():
        instance = period.details.get("consumer", "")
        if instance.rpartition("-")[0] == name:
            struck.setdefault(instance, []).append(period)
    for found in struck.values():
        stand = [until_us - at_us for at_us, until_us, _ in stretches(p for p in found if p.kind in STANDING)]
        slow = [
            speed_of(period.value for period in held) for _, _, held in pieces(p for p in found if p.kind == "slow")
        ]
        worked_us = own.longest_work_us * max(slow, default=MILLION) // MILLION
        longest_us = max(longest_us, worked_us if slow else 0, *stand, worked_us + max(stand) if stand and slow else 0)
    return limit_us if limit_us <= min(longest_us, scenario.duration_us) else 0
