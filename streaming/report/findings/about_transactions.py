"""Findings about transactions: given up, readable twice or although rolled back, a storm of check-backs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from streaming.clock import clock
from streaming.outputs.tables.transaction_summary import TransactionSummary
from streaming.report.collected.data import ReportData
from streaming.report.fault_times import ReportFault
from streaming.report.findings.finding import ReportFinding
from streaming.report.texts.group_finding_texts import GroupFindingTexts

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
        text = GroupFindingTexts.READABLE_ROLLED_BACK(group=name, count=group.readable_rolled_back)
        yield ReportFinding("readable_rolled_back", text, "transactions", float(group.readable_rolled_back))
    if group.given_up:
        text = GroupFindingTexts.HALVES_GIVEN_UP(group=name, count=group.given_up)
        yield ReportFinding("given_up", text, "transactions", float(group.given_up))
    if group.twice:
        hung = [f"{fault.text} ({fault.number})" for fault in faults if fault.kind == "hang"]
        cause = " and ".join(hung[:2])
        text = GroupFindingTexts.READABLE_TWICE(group=name, count=group.twice, cause=f": {cause}" if cause else "")
        yield ReportFinding("readable_twice", text, "transactions", float(group.twice), cause)


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
    after = f", after {cause}" if cause else ""
    text = GroupFindingTexts.CHECK_BACKS(most=most, at=clock(at_us), percent=share, cause=after)
    yield ReportFinding("check_backs", text, "check_backs", float(most), cause, at_us, at_us + window_us)
