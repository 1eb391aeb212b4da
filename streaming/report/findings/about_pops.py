"""Findings about POP groups: messages that were not acknowledged in time, and pops that brokers refused."""

from __future__ import annotations

from collections.abc import Iterator

from simulator.causes.consequence import Consequence
from streaming.outputs.tables.pop_summary import PopSummary
from streaming.report.collected.data import ReportData
from streaming.report.collected.pop_series import REASONS
from streaming.report.findings.finding import ReportFinding
from streaming.report.texts.group_finding_texts import GroupFindingTexts


def about_pops(groups: tuple[PopSummary, ...]) -> Iterator[ReportFinding]:
    """Of each group what came again without a failure, and what was refused."""
    for group in groups:
        late = group.revived - group.revived_failed
        slow, unheard = group.revived_slow, group.revived_unheard
        if late:
            why = in_parts((late - slow - unheard, slow, unheard))
            text = GroupFindingTexts.REVIVED(count=late, group=group.consumer_group, why=why)
            yield ReportFinding("revived", text, "backlog", float(late))
        if group.lost:
            text = GroupFindingTexts.LOST_POPS(count=group.lost, group=group.consumer_group)
            yield ReportFinding("lost_pops", text, "backlog", float(group.lost))
        if group.refused:
            text = GroupFindingTexts.REFUSED_POPS(count=group.refused, group=group.consumer_group)
            yield ReportFinding("refused_pops", text, "backlog", float(group.refused))


def why_revived(data: ReportData, one: Consequence) -> str:
    """Why the messages of a consequence were not acknowledged; "" where the picture does not show it."""
    own = next((each for each in data.pops if each.group == one.place), None)
    if own is None:
        return ""
    bins = {
        number
        for begin, until in one.spans or ((one.from_us, one.until_us),)
        for number in range(begin // data.bin_us, -(-until // data.bin_us))
        if number < own.again.shape[1]
    }
    return in_parts(tuple(int(count) for count in own.again[:3, sorted(bins)].sum(axis=1)))


def in_parts(counts: tuple[int, ...]) -> str:
    """Messages by the reason for which nobody acknowledged them, in the order of REASONS."""
    named = [(reason, count) for reason, count in zip(REASONS, counts, strict=False) if count > 0]
    if len(named) == 1:
        return named[0][0]
    return ", ".join(f"{count:,}: {reason}" for reason, count in named)
