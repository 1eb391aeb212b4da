"""The other end of what a recording leaves open: troubles that went on for as long as nobody tried their broker."""

from __future__ import annotations

from dataclasses import replace

from simulator.calibrate.found_fault import SLOW, FoundFault
from simulator.counterfactual.night import Night

UNTRIED_LEAST_US = 1_000_000


def going_on(night: Night) -> list[FoundFault]:
    """The findings of a night, each until somebody tried its broker again, or until the recording ends."""
    attempts, found = night.fit.attempts, []
    for one in night.fit.findings:
        begin = attempts.begin_us[attempts.of_broker(attempts.brokers.index(one.broker))]
        after = begin[begin >= one.until_us]
        tried = int(after.min()) if len(after) else attempts.duration_us
        latest = one.until_range_us[1] if one.is_bounded else max(tried, one.until_range_us[1])
        is_open = one.kind != SLOW and latest - one.until_us >= UNTRIED_LEAST_US
        found.append(replace(one, until_us=latest, until_range_us=(latest, latest)) if is_open else one)
    return found


def night_going_on(night: Night) -> Night | None:
    """The same night with these findings; None if the recording leaves nothing open, or somebody knew better."""
    if night.has_own_faults:
        return None
    findings = tuple(going_on(night))
    return None if findings == night.fit.findings else night.with_findings(findings)
