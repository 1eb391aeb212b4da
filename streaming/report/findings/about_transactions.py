"""Findings about transactions: given up, readable twice or although rolled back, a storm of check-backs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from streaming.clock import clock
from streaming.outputs.tables.transaction_summary import TransactionSummary
from streaming.report.collected.data import ReportData
from streaming.report.fault_times import ReportFault
from streaming.report.findings.finding import ReportFinding

STORM_LEAST = 20  # check-backs in a window
STORM_TIMES = 3  # more than in the median window with any


def about_transactions(data: ReportData, faults: Sequence[ReportFault]) -> Iterator[ReportFinding]:
    """What stands out of each group, and the largest round of check-backs."""
    for group in data.summary.transactions:
        yield from _of_group(group, faults)
    yield from _storm(data, faults)


def _of_group(group: TransactionSummary, faults: Sequence[ReportFault]) -> Iterator[ReportFinding]:
    name = group.producer_group
    if group.readable_rolled_back:
        text = f"{name}: {group.readable_rolled_back:,} half messages became readable although they were rolled back."
        yield ReportFinding("readable_rolled_back", text, "transactions", float(group.readable_rolled_back))
    if group.given_up:
        text = f"{name}: {group.given_up:,} half messages were given up after all their checks, and are never readable."
        yield ReportFinding("given_up", text, "transactions", float(group.given_up))
    if group.twice:
        hung = [f"{fault.text} ({fault.number})" for fault in faults if fault.kind == "hang"]
        cause = " and ".join(hung[:2])
        text = f"{name}: {group.twice:,} half messages became readable more than once"
        yield ReportFinding("readable_twice", f"{text}: {cause}." if cause else f"{text}.", "transactions",
                            float(group.twice), cause)  # fmt: skip


def _storm(data: ReportData, faults: Sequence[ReportFault]) -> Iterator[ReportFinding]:
    checks, window_us = data.transactions.checks_of_window, int(data.output.about["window_us"])
    some = checks[checks > 0]
    if not len(some):
        return
    most, at = int(checks.max()), int(checks.argmax())
    if most < STORM_LEAST or most < STORM_TIMES * float(np.median(some)):
        return
    at_us = at * window_us
    before = [(stretch[0], fault) for fault in faults for stretch in fault.stretches if stretch[0] <= at_us + window_us]
    cause = ""
    if before:
        _, fault = max(before, key=lambda one: one[0])
        cause = f"{fault.text} ({fault.number}, {fault.when})"
    share = 100 * most / int(checks.sum())
    text = f"{most:,} check-backs in one window at {clock(at_us)}, {share:.0f} % of all"
    text += f", after {cause}." if cause else "."
    yield ReportFinding("check_backs", text, "check_backs", float(most), cause, at_us, at_us + window_us)
