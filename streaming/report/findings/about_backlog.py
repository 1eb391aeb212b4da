"""Findings about consumer groups: failed starts, backlogs, messages consumed twice, queues without an owner, lag."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from state.texts import Text
from streaming.clock import clock
from streaming.outputs.consumer_lags import ConsumerSummary
from streaming.outputs.tables.number_text import percent
from streaming.report.fault_times import ReportFault
from streaming.report.findings.finding import ReportFinding
from streaming.report.texts.consequence_texts import ConsequenceTexts
from streaming.report.texts.group_finding_texts import GroupFindingTexts

BACKLOG_WINDOWS = 5  # times what is consumed in a window: less is not worth naming
UNOWNED_LEAST_S = 5.0  # sum of all queues
# what happened to an instance or a broker as seen by those who consume again after its begin, and after its end
AFTER: dict[str, tuple[Text, Text]] = {
    "hang": (GroupFindingTexts.STOOD_STILL, GroupFindingTexts.RESUMED),
    "pause": (GroupFindingTexts.STOOD_STILL, GroupFindingTexts.RESUMED),
    "kill": (GroupFindingTexts.KILLED, GroupFindingTexts.BACK),
    "stop": (GroupFindingTexts.STOPPED, GroupFindingTexts.BACK),
    "restart": (GroupFindingTexts.STOPPED, GroupFindingTexts.BACK),
    "rolling_restart": (GroupFindingTexts.STOPPED, GroupFindingTexts.BACK),
}


def about_backlog(groups: Sequence[ConsumerSummary], faults: Sequence[ReportFault]) -> Iterator[ReportFinding]:
    """What stands out of each group."""
    for group in groups:
        yield from _failed_starts(group, faults)
        yield from _missed(group)
        yield from _backlog(group, faults)
        yield from _twice(group, faults)
        yield from _owners(group)
        yield from _verdict(group, faults)


def _named(fault: ReportFault) -> str:
    return f"{fault.text} ({fault.number}, {fault.when})"


def _backlog(group: ConsumerSummary, faults: Sequence[ReportFault]) -> Iterator[ReportFinding]:
    most, calm, at_s, began_s = group.lag_max, group.calm_lag, group.lag_max_at_s, group.began_s
    if most is None or calm is None or at_s is None or began_s is None or most <= BACKLOG_WINDOWS * calm:
        return
    began_us, most_us = int(began_s * 1e6), int(at_s * 1e6)
    gone_us = None if group.gone_s is None else int(group.gone_s * 1e6)
    if gone_us is not None:
        left = GroupFindingTexts.BACKLOG_GONE(gone=clock(gone_us))
    elif group.lag_end == most:
        left = GroupFindingTexts.BACKLOG_MOST()
    else:
        left = GroupFindingTexts.BACKLOG_LEFT(count=group.lag_end)
    near = [fault for fault in faults if any(at <= most_us and began_us <= until for at, until in fault.stretches)]
    cause = "; ".join(map(_named, near[:2]))
    text = GroupFindingTexts.BACKLOG(
        group=group.consumer_group, most=most, at=clock(most_us), left=left, cause=f": {cause}" if cause else ""
    )
    yield ReportFinding("backlog", text, "backlog", float(most), cause, began_us, gone_us)


def _failed_starts(group: ConsumerSummary, faults: Sequence[ReportFault]) -> Iterator[ReportFinding]:
    """Instances that did not start: only faults of name servers make that so."""
    if not group.failed_starts or group.failed_starts_from_s is None or group.failed_starts_until_s is None:
        return
    times = int(group.failed_starts_from_s * 1e6), int(group.failed_starts_until_s * 1e6)
    of_servers = [fault for fault in faults if fault.kind.startswith("name_server")]
    struck = [one for one in of_servers if any(at < times[1] and until > times[0] for at, until in one.stretches)]
    cause = "; ".join(map(_named, struck[:2]))
    text = GroupFindingTexts.FAILED_STARTS(
        group=group.consumer_group, count=group.failed_starts, when=when(*times), cause=f": {cause}" if cause else ""
    )
    yield ReportFinding("failed_starts", text, "backlog", float(group.failed_starts), cause, *times)


def _missed(group: ConsumerSummary) -> Iterator[ReportFinding]:
    if not group.missed:
        return
    times = moments(group.missed_from_s, group.missed_until_s)
    text = GroupFindingTexts.MISSED(group=group.consumer_group, count=group.missed, when=when_known(*times))
    cause = GroupFindingTexts.FILES_DELETED()
    yield ReportFinding("missed", text, "backlog", float(group.missed), cause, *times)


def moments(from_s: float | None, until_s: float | None) -> tuple[int | None, int | None]:
    """The same in microseconds."""
    return None if from_s is None else int(from_s * 1e6), None if until_s is None else int(until_s * 1e6)


def when_known(from_us: int | None, until_us: int | None) -> str:
    """The words after a space; "" where the tables do not show when."""
    return "" if from_us is None or until_us is None else f" {when(from_us, until_us)}"


def when(from_us: int, until_us: int) -> str:
    """At a moment, or from one to another."""
    begin = clock(from_us)
    if from_us == until_us:
        return ConsequenceTexts.AT(begin=begin)
    return GroupFindingTexts.FROM_TO(begin=begin, end=clock(until_us))


def _twice(group: ConsumerSummary, faults: Sequence[ReportFault]) -> Iterator[ReportFinding]:
    """By cause: the last thing that a fault did before the consumptions began."""
    again, consumed = group.consumed_again, group.consumed
    if not again or not consumed:
        return
    causes: Counter[str] = Counter()
    for from_s, _, count in group.twice:
        causes[_cause(from_s, faults)] += count
    parts = [f"{count:,} {cause}" if len(causes) > 1 else cause for cause, count in causes.most_common(3)]
    text = GroupFindingTexts.TWICE(
        group=group.consumer_group, count=again, percent=percent(100 * again / consumed),
        why=f": {'; '.join(parts)}" if causes else "",
    )  # fmt: skip
    ends = [int(1e6 * second) for stretch in group.twice for second in stretch[:2]]
    times = (ends[0], ends[-1]) if ends else (None, None)
    yield ReportFinding("consumed_twice", text, "backlog", float(again), "; ".join(causes), *times)


def _cause(from_s: float, faults: Sequence[ReportFault]) -> str:
    """What happened last before then: a window is a second wide, so what happens in it counts."""
    edges = [
        (edge / 1e6, place, fault)
        for fault in faults
        for stretch in fault.stretches
        for place, edge in enumerate(stretch)
        if fault.kind in AFTER and edge / 1e6 <= from_s + 1
    ]
    if not edges:
        return GroupFindingTexts.WHY_NOT_SHOWN()
    _, place, fault = max(edges, key=lambda edge: edge[:2])
    return AFTER[fault.kind][place](place=fault.place, number=fault.number)


def _owners(group: ConsumerSummary) -> Iterator[ReportFinding]:
    for kind, seconds, text in (
        ("unowned", group.unowned_s, GroupFindingTexts.UNOWNED),
        ("double_owned", group.double_owned_s, GroupFindingTexts.DOUBLE_OWNED),
    ):
        if seconds is not None and seconds >= UNOWNED_LEAST_S:
            yield ReportFinding(kind, text(group=group.consumer_group, seconds=seconds), "backlog", seconds)


def _verdict(group: ConsumerSummary, faults: Sequence[ReportFault]) -> Iterator[ReportFinding]:
    """When the lag's verdict leaves OK for the first time, and how long after the fault."""
    if not group.verdicts:
        return
    first, from_s, _ = group.verdicts[0]
    until_s = group.verdicts[-1][2]
    begun = [
        (at / 1e6, fault) for fault in faults for at, _ in fault.stretches if at / 1e6 <= from_s and fault.kind in AFTER
    ]
    cause = after = then = ""
    if begun:
        at_s, fault = max(begun, key=lambda one: one[0])
        cause = _named(fault)
        after = GroupFindingTexts.LAG_AFTER(seconds=from_s - at_s, fault=fault.text, number=fault.number)
    later = list(dict.fromkeys(verdict for verdict, _, _ in group.verdicts if verdict != first))
    if later:
        then = GroupFindingTexts.LAG_LATER(later=" and ".join(later))
    ended = GroupFindingTexts.LAG_ENDS_SO()
    if until_s < group.seen_s:
        ended = GroupFindingTexts.LAG_OK(ok=clock(int(until_s * 1e6)))
    text = GroupFindingTexts.LAG_VERDICT(
        verdict=first, group=group.consumer_group, at=clock(int(from_s * 1e6)), after=after, then=then, ended=ended
    )
    size = sum(until - begin for _, begin, until in group.verdicts)
    yield ReportFinding("lag_verdict", text, "backlog", size, cause, int(from_s * 1e6), int(until_s * 1e6))
