"""What will happen to brokers, instances and producers, as the machine reads it: rows in order of time."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from simulator.compiled.records import Array, Region, size_of
from simulator.consumer.broker.consumer_side import ServingBroker
from simulator.consumer.machine import consumer_settings as kinds
from simulator.consumer.machine.actions import HOW_BITS
from simulator.consumer.machine.consumer_settings import MachineAction
from simulator.engine.memory.periods_table import DOWN, SPEED

ActionRow = tuple[int, int, int, int]


def action_rows(observations: Array, actions: Array, serving: Region[ServingBroker], now_us: int) -> Array:
    """Rows of MachineAction from `now_us` on: of observation rows (timetable.COLUMNS), of the plan, of what holds."""
    rows: list[ActionRow] = []
    for at_us, until_us, broker, table, value in observations.tolist():
        if table == DOWN:
            rows += [(at_us, kinds.AWAY, broker, until_us << HOW_BITS | value), (until_us, kinds.BACK, broker, 0)]
        elif table == SPEED and value == 0:
            rows += [(at_us, kinds.HANG, broker, until_us), (until_us, kinds.RESUME, broker, 0)]
    rows += [(at, kind, place, value) for at, kind, place, value in actions.tolist()]
    rows += _ends(serving)
    found = sorted({row for row in rows if row[0] >= now_us})
    return np.array(found, np.int64).reshape(-1, size_of(MachineAction))


def _ends(serving: Region[ServingBroker]) -> Iterator[ActionRow]:
    """When what holds of brokers is over: an observation is forgotten at that very moment."""
    for number in range(len(serving)):
        broker = serving[number]
        if broker.stands_still == 1:
            yield int(broker.back_us), kinds.RESUME, number, 0
        if broker.is_away != 0:
            yield int(broker.away_until_us), kinds.BACK, number, 0
