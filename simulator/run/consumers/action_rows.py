"""What will happen to brokers, instances and producers, as the machine reads it: rows in order of time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from simulator.compiled.records import Array, Region, size_of
from simulator.consumer.machine.actions import HOW_BITS
from simulator.consumer.memory import consumer_settings as kinds
from simulator.consumer.memory.consumer_settings import MachineAction
from simulator.consumer.memory.consumer_side import ServingBroker
from simulator.engine.memory.periods_table import DOWN, DOWN_MUTE, SPEED
from simulator.plan.faults.process_life import BEFORE_US, ActionRow
from simulator.plan.spans import active_at, stretches

# what begins and ends as a broker's process is away, or stands still
EDGES = {DOWN: (kinds.AWAY, kinds.BACK), SPEED: (kinds.HANG, kinds.RESUME)}


class _Span(NamedTuple):
    """A broker's process is away, or stands still; `value`: of the timetable."""

    at_us: int
    until_us: int
    value: int


def action_rows(observations: Array, actions: Array, serving: Region[ServingBroker], now_us: int) -> Array:
    """Rows of MachineAction from `now_us` on: of observation rows (timetable.COLUMNS), of the plan, of what holds.

    Observations that touch are one: nobody is back in between, and how a process is away is as it went.
    """
    spans: dict[tuple[int, int], list[_Span]] = {}
    for at_us, until_us, number, table, value in observations.tolist():
        if (table == DOWN and value < DOWN_MUTE) or (table == SPEED and value == 0):
            spans.setdefault((table, number), []).append(_Span(at_us, until_us, value))
    for place, span in _active_spans(serving):
        own = spans.setdefault(place, [])
        if not active_at(own, now_us):
            own.append(span)
    rows = [row for (table, number), own in spans.items() for row in _edges(table, number, own)]
    rows += [(at, kind, place, value) for at, kind, place, value in actions.tolist()]
    found = sorted(row for row in rows if row[0] >= now_us)
    return np.array(found, np.int64).reshape(-1, size_of(MachineAction))


def _active_spans(serving: Region[ServingBroker]) -> Iterator[tuple[tuple[int, int], _Span]]:
    """What holds of brokers: an observation is forgotten at the very moment at which it is over."""
    for number in range(len(serving)):
        broker = serving[number]
        if broker.stands_still == 1:
            yield (SPEED, number), _Span(BEFORE_US, int(broker.back_us), 0)
        if broker.is_away != 0:
            yield (DOWN, number), _Span(BEFORE_US, int(broker.away_until_us), int(broker.is_away))


def _edges(table: int, number: int, spans: Iterable[_Span]) -> Iterator[ActionRow]:
    begins, ends = EDGES[table]
    for at_us, until_us, together in stretches(spans):
        value = until_us << HOW_BITS | together[0].value if table == DOWN else until_us
        # Who knew of the first only hears of the next as it would be over.
        for known_us in sorted({at_us, *(one.until_us for one in together)} - {until_us}):
            yield known_us, begins, number, value
        yield until_us, ends, number, 0
