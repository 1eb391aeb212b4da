"""The other end of what a recording leaves open: troubles that went on for as long as nobody tried their broker."""

from __future__ import annotations

from dataclasses import replace

from simulator.calibrate.found_fault import SLOW, FoundFault
from simulator.counterfactual.calibrated_trace import CalibratedTrace

UNTRIED_LEAST_US = 1_000_000


def going_on(calibrated: CalibratedTrace) -> list[FoundFault]:
    """The findings of a trace, each until somebody tried its broker again, or until the recording ends."""
    attempts, found = calibrated.fit.attempts, []
    for one in calibrated.fit.findings:
        begin = attempts.begin_us[attempts.of_broker(attempts.brokers.index(one.broker))]
        after = begin[begin >= one.until_us]
        tried = int(after.min()) if len(after) else attempts.duration_us
        latest = one.until_range_us[1] if one.is_bounded else max(tried, one.until_range_us[1])
        is_open = one.kind != SLOW and latest - one.until_us >= UNTRIED_LEAST_US
        found.append(replace(one, until_us=latest, until_range_us=(latest, latest)) if is_open else one)
    return found


def until_tried_again(calibrated: CalibratedTrace) -> CalibratedTrace | None:
    """The same trace with these findings; None if the recording leaves nothing open, or somebody knew better."""
    if calibrated.has_own_faults:
        return None
    findings = tuple(going_on(calibrated))
    return None if findings == calibrated.fit.findings else calibrated.with_findings(findings)
