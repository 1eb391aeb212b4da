"""Findings about messages that consumer groups failed to handle: dead letters, retries, when the last is due."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from simulator.scenario.faults.targets import group_of
from streaming.clock import clock
from streaming.outputs.consumer_lags import ConsumerSummary
from streaming.report.collected.data import ReportData
from streaming.report.collected.retry_series import RetrySeries, level_delays_ms
from streaming.report.fault_times import MOST_NAMED, ReportFault, scenario_of
from streaming.report.findings.finding import ReportFinding
from streaming.report.texts.group_finding_texts import GroupFindingTexts

LEAST_PERCENT = 1.0  # of all deliveries: fewer retries without a dead letter are not worth naming


def about_retries(data: ReportData, faults: Sequence[ReportFault]) -> Iterator[ReportFinding]:
    """Of each group at most a finding about what failed, about consumeTimeout, and about deduplicating."""
    delays_ms = level_delays_ms(scenario_of(data.output))
    for place, (group, own) in enumerate(zip(data.summary.consumers, data.retries, strict=True)):
        found = of_group(group, _due_us(own, delays_ms), data.output.end_us, faults)
        if found is not None:
            yield replace(found, place=f"failed-{place}")
        if group.expired:
            yield replace(of_expired(group), place=f"failed-{place}")
        if group.deduplicated or group.handled_again:
            yield replace(of_duplicates(group), place=f"failed-{place}")


def of_group(
    group: ConsumerSummary, due_us: int | None, end_us: int, faults: Sequence[ReportFault]
) -> ReportFinding | None:
    """What is said of a group, None where nothing stands out. due_us: when its last retry was due."""
    failed, dead, from_s, until_s = group.failed, group.dead_letters, group.failed_from_s, group.failed_until_s
    if not failed or not group.consumed or from_s is None or until_s is None:
        return None
    percent = 100 * failed / group.consumed
    if not dead and percent < LEAST_PERCENT:
        return None
    begin_us, last_us = int(from_s * 1e6), int(until_s * 1e6)
    struck = [
        fault
        for fault in faults
        if fault.kind == "fail" and group.consumer_group in map(group_of, fault.place.split(", "))
        and any(at < last_us and begin_us < until for at, until in fault.stretches)
    ]  # fmt: skip
    numbers = f" ({', '.join(fault.number for fault in struck[:MOST_NAMED])})" if struck else ""
    due = ""
    if due_us is not None:
        said = GroupFindingTexts.RETRY_DUE_AFTER_END if due_us > end_us else GroupFindingTexts.RETRY_DUE
        due = said(due=clock(due_us))
    made = GroupFindingTexts.DEAD_LETTERS if dead else GroupFindingTexts.FAILED_DELIVERIES
    text = made(
        group=group.consumer_group, dead=dead, failed=failed, percent=percent, begin=clock(begin_us),
        end=clock(last_us), faults=numbers, due=due,
    )  # fmt: skip
    cause = "; ".join(f"{fault.text} ({fault.number}, {fault.when})" for fault in struck[:MOST_NAMED])
    kind, size = ("dead_letters", dead) if dead else ("failed_deliveries", failed)
    return ReportFinding(kind, text, "backlog", float(size), cause, begin_us, last_us)


def of_expired(group: ConsumerSummary) -> ReportFinding:
    """What is said of a group whose sweeps sent messages back that threads were at."""
    count = group.expired or 0
    text = GroupFindingTexts.EXPIRED(group=group.consumer_group, count=count)
    return ReportFinding("expired", text, "backlog", float(count))


def of_duplicates(group: ConsumerSummary) -> ReportFinding:
    """What is said of a group that deduplicates."""
    skipped, again = group.deduplicated or 0, group.handled_again or 0
    rest = GroupFindingTexts.LET_THROUGH(again=again) if again else GroupFindingTexts.LET_NONE_THROUGH()
    text = GroupFindingTexts.DEDUPLICATED(group=group.consumer_group, skipped=skipped, rest=rest)
    return ReportFinding("deduplicated", text, "backlog", float(again))


def _due_us(own: RetrySeries, delays_ms: Mapping[int, int]) -> int | None:
    """When the last retry was due; None without retries, and where brokers have different delay levels."""
    if not delays_ms or not own.sent_until_us:
        return None
    last = max(delays_ms)
    return max(until_us + 1000 * delays_ms[min(level, last)] for level, until_us in own.sent_until_us.items())
