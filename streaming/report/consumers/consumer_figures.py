"""The pictures of consumer groups."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import numpy as np

from simulator.consumer.rules.delay_levels import RETRY_TOPIC_PREFIX
from state.group_table import LAG_VERDICTS
from streaming.page_frame.colours import COLOURS
from streaming.page_frame.figure import Figure
from streaming.report.bar_rows import ROW_PX, bar_rows, stretch_bars
from streaming.report.collected.consumer_series import ConsumerSeries, HeldStretch, Queue
from streaming.report.collected.data import ReportData
from streaming.report.fault_times import scenario_of
from streaming.report.traces import GROUP_COLOURS, line_trace, percentiles, ranges, timed

MOST_ROWS = 64  # queues with a row of their own
VERDICTS_PX, VERDICT_PX = 200, 48  # as high as the picture beside; of the bars of all groups together
VERDICT_COLOURS = dict(zip(LAG_VERDICTS, ("#009e73", "#e69f00", "#d0342c", "#8e44ad", "#1f83c6"), strict=True))
NOBODY, SEVERAL = "#8a8a8a", "#d0342c"
ALL_QUEUES = -1  # of a broker, in the place of a queue's number

Row = tuple[str, str, int | str]  # topic, broker, queue id; of those who pop no topic and the instance


def consumer_figures(data: ReportData) -> dict[str, Figure | None]:
    """The pictures of consumers by name; None where there is nothing to show."""
    return {
        "backlog": backlog(data, data.consumers),
        "end_to_end": end_to_end(data, data.consumers),
        "verdicts": verdicts(data),
        "busy": busy(data, data.consumers),
        "instances": instances(data, data.consumers),
        **{f"owners-{place}": owners(data, group) for place, group in enumerate(data.consumers.groups)},
    }


def _lines(data: ReportData, rows: Iterable[np.ndarray], unit: str, which: str | None = None) -> list[Figure]:
    """A line of each group."""
    groups = zip(data.consumers.groups, rows, strict=True)
    return [
        line_trace(data, name, row, GROUP_COLOURS[place % len(GROUP_COLOURS)], unit, line=None, which=which)
        for place, (name, row) in enumerate(groups)
    ]


def backlog(data: ReportData, seen: ConsumerSeries) -> Figure | None:
    """Messages that a group has not consumed yet: a line a group."""
    if not seen or not np.isfinite(seen.lag).any():
        return None
    axis = ranges(all=max(float(np.nanmax(seen.lag)), 1.0))
    return timed(data, _lines(data, seen.lag, "messages"), 260, "all", axis)


def busy(data: ReportData, seen: ConsumerSeries) -> Figure | None:
    """Consume threads at work, per cent of those that run: a line a group."""
    if not seen or not np.isfinite(seen.busy).any():
        return None
    parts = 100 * seen.busy / np.where(seen.threads > 0, seen.threads, np.nan)
    return timed(data, _lines(data, parts, "%"), 200, "all", {"all": {"range": [0.0, 105.0]}})


def instances(data: ReportData, seen: ConsumerSeries) -> Figure | None:
    """Instances that run: a line a group; None where their number never changes."""
    known = seen.instances if seen else np.full((0, 0), np.nan)
    if not any(len(np.unique(row[np.isfinite(row)])) > 1 for row in known):
        return None
    axis = ranges(all=float(np.nanmax(known)))
    return timed(data, _lines(data, known, "instances"), 200, "all", axis)


def verdicts(data: ReportData) -> Figure | None:
    """The lag's verdict on each group over time: a row a group; None where all are OK."""
    groups = [group for group in data.summary.consumers if group.seen_s]
    if not any(group.verdicts for group in groups):
        return None
    rows = {("", "", place): len(groups) - 1 - place for place in range(len(groups))}
    bar_px = max(12, VERDICT_PX // len(groups))
    spans = [(("", "", place), 0, int(group.seen_s * 1e6)) for place, group in enumerate(groups)]
    bars = [stretch_bars("OK", spans, rows, VERDICT_COLOURS["OK"], bar_px)]
    for verdict, shade in VERDICT_COLOURS.items():
        own = [
            (("", "", place), int(from_s * 1e6), int(until_s * 1e6))
            for place, group in enumerate(groups)
            for name, from_s, until_s in group.verdicts
            if name == verdict
        ]
        if own:
            bars.append(stretch_bars(verdict, own, rows, shade, bar_px))
    names = [group.consumer_group for group in groups]
    return bar_rows(data, bars, max(VERDICTS_PX, 60 + 4 * ROW_PX * len(groups)), list(rows.values()), names)


def end_to_end(data: ReportData, seen: ConsumerSeries) -> Figure | None:
    """From the intended send time until consumed, percentiles of the windows: ms on a log axis."""
    groups = data.consumers.groups
    return percentiles(data, seen.latency, groups, GROUP_COLOURS * len(groups))


def owners(data: ReportData, group: str) -> Figure | None:
    """Who held which queue when: a row a queue, a colour an instance; red = several, a thin grey line = nobody.

    Where nobody owns queues, as brokers are popped: a row for each instance and broker.
    """
    stretches, pops = data.consumers.stretches[group], does_pop(data, group)
    known = rows_of(stretches, pops)[:MOST_ROWS]
    if not known:
        return None
    rows = {row: len(known) - 1 - place for place, row in enumerate(known)}
    bars = [stretch_bars("nobody", [(row, 0, data.output.end_us) for row in known], rows, NOBODY, 1)]
    for place, instance in enumerate(sorted({stretch.instance for stretch in stretches})):
        held = {(row_of(each, pops), each.from_us, each.until_us) for each in stretches if each.instance == instance}
        own = sorted(held, key=lambda each: (rows.get(each[0], -1), each[1:]))
        bars.append(stretch_bars(instance, own, rows, COLOURS[place % len(COLOURS)], 8))
    bars += [] if pops else [stretch_bars("several owners", list(_several(stretches)), rows, SEVERAL, 8)]
    names = [_name_of(row) for row in known]
    return bar_rows(data, bars, 60 + ROW_PX * max(len(known), 4), list(rows.values()), names)


def does_pop(data: ReportData, group: str) -> bool:
    """Whether instances of a group pop brokers, all of their queues or some, and own none."""
    scenario = scenario_of(data.output)
    own = None if scenario is None else scenario.consumers.get(group)
    popped = any(stretch.queue[2] == ALL_QUEUES for stretch in data.consumers.stretches[group])
    return popped if own is None else own.is_pop


def rows_of(stretches: Iterable[HeldStretch], pops: bool) -> list[Row]:
    """The rows of a group's picture from above."""
    return sorted(
        {row_of(stretch, pops) for stretch in stretches},
        key=lambda row: (row[:2], (0, row[2]) if isinstance(row[2], int) else (1, row[2])),
    )


def row_of(stretch: HeldStretch, pops: bool) -> Row:
    """That of an instance which holds a queue, or which pops a broker."""
    topic, broker, number = stretch.queue
    return ("", broker, stretch.instance) if pops else (topic, broker, number)


def _name_of(row: Row) -> str:
    topic, broker, number = row
    return f"{broker}:{'retry' if topic.startswith(RETRY_TOPIC_PREFIX) else number}"


def _several(stretches: list[HeldStretch]) -> list[tuple[Queue, int, int]]:
    """When a queue had several owners."""
    found = []
    for queue in {stretch.queue for stretch in stretches}:
        edges = sorted(
            edge for each in stretches if each.queue == queue for edge in ((each.from_us, 1), (each.until_us, -1))
        )
        count = 0
        for (at_us, change), (next_us, _) in pairwise(edges):
            count += change
            if count > 1 and next_us > at_us:
                found.append((queue, at_us, next_us))
    return sorted(found)
