"""Who still has the address of a machine that was the master of a replica set, and what it meets there.

A client learns of another master by its own poll of the route. Source: rocketmq 4.2.0-5.5.0,
MQClientInstance.updateTopicRouteInfoFromNameServer (every 30 s).
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.memory.periods_table import (
    IS_FROZEN,
    IS_GONE,
    IS_MUTE,
    MACHINE,
    MACHINE_BITS,
    MACHINE_MASK,
    NO_PERIOD,
    STATE_BITS,
    STATE_MASK,
)
from simulator.engine.memory.world import World
from simulator.engine.shared.periods import period_at, periods_of

# what a request meets; DEPOSED: a machine that is there and a slave, which refuses every put
PRESENT, REFUSES, MUTE, FROZEN, DEPOSED = range(5)


@rule()
def state_of_old_master(world: World, producer: int, broker: int, now_us: Us) -> int:
    """What a producer meets at the address that it has of a broker: PRESENT if that is the master now."""
    place = period_at(world, periods_of(world, broker, MACHINE), now_us)
    if place == NO_PERIOD:
        return PRESENT
    value, known = world.timetable[place].value, world.addresses[producer * world.settings.brokers + broker] - 1
    if known < 0 or known == value & MACHINE_MASK:
        return PRESENT
    state = value >> (MACHINE_BITS + STATE_BITS * known) & STATE_MASK
    if state == IS_GONE:
        return REFUSES
    if state == IS_MUTE:
        return MUTE
    return FROZEN if state == IS_FROZEN else DEPOSED
