"""Findings about consumer groups: a backlog and when it was gone, messages consumed twice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from streaming.report.clock import clock
from streaming.report.fault_times import ReportFault
from streaming.report.findings.finding import ReportFinding
from streaming.results.consumer_lags import ConsumerSummary

BACKLOG_WINDOWS = 5  # times what is consumed in a window: less is not worth naming


def about_backlog(groups: Sequence[ConsumerSummary], faults: Sequence[ReportFault]) -> Iterator[ReportFinding]:
    """What stands out of each group: a backlog, and messages that it consumed again."""
    for group in groups:
        yield from _backlog(group, faults)
        again, consumed = group.consumed_again, group.consumed
        if again and consumed:
            text = f"{group.consumer_group} consumed messages again {again:,} times ({100 * again / consumed:.2f} %)"
            yield ReportFinding("consumed_twice", text, "backlog", float(again))


def _backlog(group: ConsumerSummary, faults: Sequence[ReportFault]) -> Iterator[ReportFinding]:
    most, calm, at_s, began_s = group.lag_max, group.calm_lag, group.lag_max_at_s, group.began_s
    if most is None or calm is None or at_s is None or began_s is None or most <= BACKLOG_WINDOWS * calm:
        return
    began_us, most_us = int(began_s * 1e6), int(at_s * 1e6)
    gone_us = None if group.gone_s is None else int(group.gone_s * 1e6)
    text = f"backlog of {group.consumer_group}: {most:,} messages at {clock(most_us)}, "
    if gone_us is not None:
        text += f"gone at {clock(gone_us)}"
    else:
        text += "the most at the end" if group.lag_end == most else f"{group.lag_end:,} left at the end"
    near = [fault for fault in faults if any(at <= most_us and began_us <= until for at, until in fault.stretches)]
    cause = "; ".join(f"{fault.text} ({fault.number}, {fault.when})" for fault in near[:2])
    during = f", during {cause}" if cause else ""
    yield ReportFinding("backlog", text + during, "backlog", float(most), cause, began_us, gone_us)
