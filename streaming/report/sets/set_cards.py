"""The pictures of replica sets and their cards."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from simulator.plan.failover.role_stretches import ROLES, RoleStretch
from streaming.clock import clock
from streaming.outputs.tables.election_summary import ElectionSummary
from streaming.page_frame.figure import Figure
from streaming.report.bar_rows import ROW_PX, bar_rows, row_marks, stretch_bars
from streaming.report.collected.data import ReportData
from streaming.report.collected.set_roles import MOST_SETS, SetRoles, lag_s, only_on_master
from streaming.report.picture_card import PictureCard
from streaming.report.texts.card_texts import CardTexts
from streaming.report.texts.master_texts import MasterTexts
from streaming.report.traces import GROUP_COLOURS, colours, line_of, line_trace, ranges, timed

ROLE_COLOURS = dict(zip(ROLES, ("#1f83c6", "#44aa99", "#e69f00", "#8a8a8a", "#94602f", "#8470c9"), strict=True))
NOBODY, UNNAMED, SOMEBODY, ELECTED = "#d0342c", "#f08f84", "#8a8a8a", "#b0436e"
LEAST_LAG_S = 1.0  # of a machine that has a line
WHOLE = 0  # the row of a set, above those of its machines


def set_figures(data: ReportData) -> dict[str, Figure | None]:
    """The pictures of replica sets; None where no set has a fault."""
    return {"roles": _roles(data), "replica-lag": _replica_lag(data), "uncopied": _uncopied(data)}


def _roles(data: ReportData) -> Figure | None:
    """A row a set: no master, or none in the routes; below it a row a machine: what it is."""
    if not data.sets:
        return None
    keys = [(own.broker, machine) for own in data.sets for machine in range(own.machines + 1)]
    rows = {key: len(keys) - 1 - place for place, key in enumerate(keys)}
    end_us = data.output.end_us
    bars = [stretch_bars("there is a master", [((s.broker, WHOLE), 0, end_us) for s in data.sets], rows, SOMEBODY, 1)]
    for name, shade, spans in (
        ("no master in the routes", UNNAMED, [((s.broker, WHOLE), *own) for s in data.sets for own in s.unnamed]),
        ("no master", NOBODY, [((s.broker, WHOLE), *own) for s in data.sets for own in s.without]),
    ):
        bars.append(stretch_bars(name, spans, rows, shade, 8))
    for role, shade in _shown_roles(data):
        spans = [((s.broker, one.machine), one.from_us, one.until_us) for s in data.sets for one in _of(s, role)]
        bars.append(stretch_bars(role, spans, rows, shade, 8))
    marks = [(int(1e6 * one.at_s), rows[one.broker, one.machine or WHOLE], _text(one)) for one in _elections(data)]
    if marks:
        bars.append(row_marks("election", marks, ELECTED))
    names = [f"machine {machine}" if machine else broker for broker, machine in keys]
    return bar_rows(data, bars, 60 + ROW_PX * max(len(keys), 4), list(rows.values()), names)


def _of(own: SetRoles, role: str) -> Iterator[RoleStretch]:
    return (one for one in own.roles if one.role == role)


def _shown_roles(data: ReportData) -> list[tuple[str, str]]:
    there = {one.role for own in data.sets for one in own.roles}
    return [(role, shade) for role, shade in ROLE_COLOURS.items() if role in there]


def _elections(data: ReportData) -> list[ElectionSummary]:
    shown = {own.broker for own in data.sets}
    return [one for one in data.summary.elections if one.broker in shown]


def _text(one: ElectionSummary) -> str:
    elected = CardTexts.MASTER_MACHINE(machine=one.machine, epoch=one.epoch) if one.machine else None
    who = elected or CardTexts.MASTER_NOBODY()
    return CardTexts.MASTER_ELECTED(when=one.when, who=who, without_s=one.without_s, reason=one.reason)


def _exposed(data: ReportData) -> Iterator[tuple[SetRoles, int, np.ndarray]]:
    """Each set with its line and the messages that only its master has, if it has one of its own."""
    stored, lines = data.series.attempts - data.series.failures, line_of(data)
    places = {name: place for place, name in enumerate(data.output.brokers)}
    for own in data.sets:
        line = lines[places[own.broker]]
        if data.series.names[line] == own.broker:
            yield own, line, only_on_master(stored[line], data.bin_us, own.uncopied)


def _uncopied(data: ReportData) -> Figure | None:
    """Messages that no other machine has, a line a set."""
    found = [(line, counts) for _, line, counts in _exposed(data) if counts.any()]
    if not found:
        return None
    names, shades = data.series.names, colours(data)
    shown = [line_trace(data, names[line], counts, shades[line], "messages", line, None) for line, counts in found]
    return timed(data, shown, 200, "all", ranges(all=max(float(counts.max()) for _, counts in found)))


def _lags(data: ReportData) -> list[tuple[str, str, np.ndarray]]:
    """Each machine that lags, with its colour and its lag in seconds."""
    found, bins = list[tuple[str, str, np.ndarray]](), data.series.attempts.shape[1]
    for own in data.sets:
        for machine in range(1, own.machines + 1):
            lag = lag_s(own.lacks, machine, data.bin_us, bins)
            if lag.max(initial=0.0) >= LEAST_LAG_S:
                found.append((f"{own.broker}, machine {machine}", GROUP_COLOURS[len(found) % len(GROUP_COLOURS)], lag))
    return found


def _replica_lag(data: ReportData) -> Figure | None:
    """How far each machine is behind, a line a machine."""
    shown = [line_trace(data, name, lag, shade, "s", None, None) for name, shade, lag in _lags(data)]
    if not shown:
        return None
    return timed(data, shown, 200, "all", ranges(all=max(float(trace["y"].max()) for trace in shown)))


def set_cards(data: ReportData) -> list[PictureCard]:
    """The cards of those pictures, none without a set that a fault strikes."""
    if not data.sets:
        return []
    keys = [*_shown_roles(data), ("no master", NOBODY), ("no master in the routes", UNNAMED), ("election", ELECTED)]
    more = CardTexts.FIRST_SETS(most=MOST_SETS) if len(data.sets) == MOST_SETS else ""
    return [
        PictureCard("roles", CardTexts.MASTERS(), _longest(data, more), keys={"": keys}),
        PictureCard(
            "replica-lag", MasterTexts.LAG(), MasterTexts.LAG_NOTE(),
            keys={"": [(name, shade) for name, shade, _ in _lags(data)]},
        ),
        PictureCard("uncopied", CardTexts.MASTER_ONLY(), CardTexts.MASTER_ONLY_NOTE()),
    ]  # fmt: skip


def _longest(data: ReportData, more: str) -> str:
    gaps = [(until_us - from_us, from_us, own.broker) for own in data.sets for from_us, until_us in own.without]
    if not gaps:
        return CardTexts.MASTER_ALL_THE_TIME(more=more)
    took_us, from_us, broker = max(gaps, key=lambda gap: (gap[0], -gap[1]))
    return CardTexts.MASTER_MISSING(broker=broker, seconds=took_us / 1e6, begin=clock(from_us), more=more)
