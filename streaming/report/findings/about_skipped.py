"""Findings about messages that consumer groups went past: they are stored, no backlog, and never consumed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow.dataset as ds

from streaming.outputs.consumer_lags import ConsumerSummary
from streaming.outputs.dataset import RunOutput, numbers
from streaming.report.fault_times import ReportFault
from streaming.report.findings.about_backlog import moments, when_known
from streaming.report.findings.finding import ReportFinding
from streaming.report.texts.group_finding_texts import GroupFindingTexts


def about_skipped(groups: Sequence[ConsumerSummary], faults: Sequence[ReportFault]) -> Iterator[ReportFinding]:
    """What each group skipped, when, and how much of it was stored while its instances ran."""
    for group in groups:
        if not group.skipped:
            continue
        times = moments(group.skipped_from_s, group.skipped_until_s)
        resets, why, cause = _resets(group.consumer_group, faults), "", ""
        if resets:
            why, cause = GroupFindingTexts.RESETS(faults=", ".join(resets)), GroupFindingTexts.OFFSETS_RESET()
        elif group.skipped_since_start:
            why = GroupFindingTexts.SKIPPED_SINCE_START(since=group.skipped_since_start)
        text = GroupFindingTexts.SKIPPED(
            group=group.consumer_group, count=group.skipped, when=when_known(*times), why=why
        )
        yield ReportFinding("skipped", text, "backlog", float(group.skipped), cause, *times)


def _resets(group: str, faults: Sequence[ReportFault]) -> list[str]:
    """Numbers of the faults that reset offsets of a group."""
    return [
        fault.number
        for fault in faults
        if fault.kind == "reset_offset" and (fault.place == group or fault.place.startswith((f"{group}-", "all")))
    ]


def skipped_since_start(output: RunOutput, group: str, spans: Sequence[tuple[int, int]]) -> int:
    """What a group skipped in some stretches of time that was stored since the start of the instance that did.

    0 where the window before one was removed.
    """
    window_us, removed_us = int(output.about["window_us"]), output.removed_before_us
    if removed_us and any((begin // window_us - 1) * window_us < removed_us for begin, _ in spans):
        return 0
    so_far = np.full(-(-output.end_us // window_us) + 1, -1)  # at the end of each window, behind a 0; -1: not known
    so_far[0] = 0
    own = ds.field("consumer_group") == group
    for batch in output.batches("consumer_windows", ["window_start_us", "skipped_since_start"], own):
        at, counts = numbers(batch.column("window_start_us")) // window_us + 1, batch.column("skipped_since_start")
        inside = at < len(so_far)
        so_far[at[inside]] = numbers(counts)[inside]
    known = np.maximum.accumulate(np.where(so_far >= 0, np.arange(len(so_far)), 0))
    # What is consumed after all is taken off again: it was skipped at no time.
    so_far, last = np.minimum.accumulate(so_far[known][::-1])[::-1], len(so_far) - 1
    return sum(
        int(so_far[min(-(-until // window_us), last)] - so_far[min(begin // window_us, last)]) for begin, until in spans
    )
