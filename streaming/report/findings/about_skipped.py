"""Findings about messages that consumer groups went past: they are stored, no backlog, and never consumed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from streaming.clock import clock
from streaming.outputs.consumer_lags import ConsumerSummary
from streaming.report.fault_times import ReportFault
from streaming.report.findings.finding import ReportFinding


def about_skipped(groups: Sequence[ConsumerSummary], faults: Sequence[ReportFault]) -> Iterator[ReportFinding]:
    """What each group skipped, when, and how much of it was stored while its instances ran."""
    for group in groups:
        if not group.skipped or group.skipped_from_s is None or group.skipped_until_s is None:
            continue
        times = int(group.skipped_from_s * 1e6), int(group.skipped_until_s * 1e6)
        at = f"at {clock(times[0])}" if times[0] == times[1] else f"from {clock(times[0])} to {clock(times[1])}"
        text = f"{group.consumer_group} skipped {group.skipped:,} messages {at} and never consumes them"
        resets = _resets(group.consumer_group, faults)
        if resets:
            text += f": its offsets were reset ({', '.join(resets)})"
        elif group.skipped_since_start:
            text += f", {group.skipped_since_start:,} of them stored after the start of the instance that skipped them"
        cause = "offsets were reset" if resets else ""
        yield ReportFinding("skipped", f"{text}.", "backlog", float(group.skipped), cause, *times)


def _resets(group: str, faults: Sequence[ReportFault]) -> list[str]:
    """Numbers of the faults that reset offsets of a group."""
    return [
        fault.number
        for fault in faults
        if fault.kind == "reset_offset" and (fault.place == group or fault.place.startswith((f"{group}-", "all")))
    ]
