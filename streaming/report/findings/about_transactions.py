"""Findings about transactions: given up, readable late, twice or although rolled back, a storm of check-backs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from simulator.causes.transactions.late_halves import LATE_US, LateHalves
from simulator.causes.transactions.readable_again import ReadableAgain
from simulator.releases.broker_release import BROKERS
from state.texts import Sentence
from streaming.clock import clock, length
from streaming.outputs.tables.transaction_summary import TransactionSummary
from streaming.report.collected.data import ReportData
from streaming.report.fault_times import ReportFault, scenario_of
from streaming.report.findings.about_backlog import when
from streaming.report.findings.finding import ReportFinding
from streaming.report.texts.group_finding_texts import GroupFindingTexts

AWAY = ("hang", "kill", "restart", "rolling_restart", "power_loss", "disk_loss", "silent_death")  # faults of brokers
STORM_LEAST = 20  # check-backs in a window
STORM_TIMES = 3  # more than in the median window with any


def about_transactions(data: ReportData, faults: Sequence[ReportFault]) -> Iterator[ReportFinding]:
    """What stands out of each group, and the largest round of check-backs."""
    for group in data.summary.transactions:
        yield from _of_group(group)
        yield from _again_of_group(data, group.producer_group, faults)
        yield from _late_of_group(data, group.producer_group, faults)
    yield from _storm(data, faults)


def _of_group(group: TransactionSummary) -> Iterator[ReportFinding]:
    name = group.producer_group
    if group.readable_rolled_back:
        text = GroupFindingTexts.READABLE_ROLLED_BACK(group=name, count=group.readable_rolled_back)
        yield ReportFinding("readable_rolled_back", text, "transactions", float(group.readable_rolled_back))
    if group.given_up:
        text = GroupFindingTexts.HALVES_GIVEN_UP(group=name, count=group.given_up)
        yield ReportFinding("given_up", text, "transactions", float(group.given_up))


def _again_of_group(data: ReportData, group: str, faults: Sequence[ReportFault]) -> Iterator[ReportFinding]:
    """Messages that became readable again: a broker was away, or stood still."""
    again = _again(data, group, [(0, int(data.output.end_us) + 1)])
    if not len(again):
        return
    from_us, until_us = int(again.at_us.min()), int(again.at_us.max())
    before = [fault for fault in faults if fault.kind in AWAY and fault.stretches[0][0] <= until_us]
    cause = " and ".join(f"{fault.text} ({fault.number}, {fault.when})" for fault in before[:2])
    text = again_in_words(data, group, [(from_us, until_us + 1)], when(from_us, until_us))
    because = f": {cause}" if cause else ""
    size = float(again.times.sum())
    yield ReportFinding(
        "readable_twice", text.followed_by(f"{because}."), "transactions", size, cause, from_us, until_us
    )


def again_in_words(data: ReportData, group: str, spans: Iterable[tuple[int, int]], times: str) -> Sentence:
    """How many messages of a group became readable again in some stretches. A sentence without its end."""
    again = _again(data, group, spans)
    count, those = (len(np.unique(numbers)) for numbers in (again.message, again.message[again.is_elsewhere]))
    elsewhere = GroupFindingTexts.READABLE_ELSEWHERE(those=those) if those else ""
    return GroupFindingTexts.READABLE_TWICE(group=group, count=count, when=times, elsewhere=elsewhere)


def _late_of_group(data: ReportData, group: str, faults: Sequence[ReportFault]) -> Iterator[ReportFinding]:
    late = _late_ones(data, group, [(0, int(data.output.end_us) + 1)])
    if not len(late):
        return
    from_us, until_us = int(late.since_us.min()), int(late.since_us.max())
    struck = [
        fault for fault in faults
        if any(begin <= until_us and until >= from_us for begin, until in fault.stretches)
    ]  # fmt: skip
    cause = " and ".join(f"{fault.text} ({fault.number}, {fault.when})" for fault in struck[:2])
    text = late_in_words(data, group, [(from_us, until_us + 1)], f"{clock(from_us)} to {clock(until_us)}")
    because = f": {cause}" if cause else ""
    yield ReportFinding(
        "late_transactions", text.followed_by(f"{because}."), "transactions", float(len(late)), cause, from_us, until_us
    )


def late_in_words(data: ReportData, group: str, spans: Iterable[tuple[int, int]], when: str) -> Sentence:
    """How many messages of a group were readable late whose local transactions ended in some stretches, and how late.

    A sentence without its end.
    """
    late = _late_ones(data, group, spans)
    ended, still = late.of(~late.is_open), late.of(late.is_open)
    if not len(ended):
        most = _seconds(still.late_us.max(initial=0))
        return GroupFindingTexts.LATE_ALL_OPEN(
            count=len(still), group=group, beyond=_beyond(still), most=most, when=when
        )
    by_check = int(ended.by_check.sum())
    return GroupFindingTexts.LATE_TRANSACTIONS(
        count=len(ended), group=group, least=_seconds(LATE_US), when=when, median=_seconds(np.median(ended.late_us)),
        most=_seconds(ended.late_us.max()),
        checks=GroupFindingTexts.LATE_CHECKS(checked=by_check, every=_check_intervals(data)) if by_check else "",
        still=GroupFindingTexts.LATE_OPEN(
            left=len(still), beyond=_beyond(still), waited=_seconds(still.late_us.max())
        ) if len(still) else "",
    )  # fmt: skip


def _beyond(still: LateHalves) -> str:
    """That those which are open for a shorter time are not counted; of one its own time says it."""
    return GroupFindingTexts.LATE_BEYOND(least=_seconds(LATE_US)) if len(still) > 1 else ""


def _late_ones(data: ReportData, group: str, spans: Iterable[tuple[int, int]]) -> LateHalves:
    own, late = data.transactions, data.transactions.late
    return late.of(_of(data, group, own.late_group) & _inside(late.since_us, spans))


def _again(data: ReportData, group: str, spans: Iterable[tuple[int, int]]) -> ReadableAgain:
    own, again = data.transactions, data.transactions.again
    return again.of(_of(data, group, own.again_group) & _inside(again.at_us, spans))


def _of(data: ReportData, group: str, numbers: np.ndarray) -> np.ndarray:
    return numbers == [own["group"] for own in data.output.about["producer_groups"]].index(group)


def _inside(at_us: np.ndarray, spans: Iterable[tuple[int, int]]) -> np.ndarray:
    inside = np.zeros(len(at_us), np.bool_)
    for begin, until in spans:
        inside |= (at_us >= begin) & (at_us < until)
    return inside


def _seconds(us: float) -> str:
    return length(100_000 * round(float(us) / 100_000))


def _check_intervals(data: ReportData) -> str:
    """How often the brokers check half messages, as text."""
    scenario = scenario_of(data.output)
    releases = {own.release for own in scenario.brokers.values()} if scenario is not None else set()
    every = sorted({BROKERS[name].transaction_check_interval or 0 for name in releases} - {0})
    return " or ".join(length(1000 * ms) for ms in every)


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
