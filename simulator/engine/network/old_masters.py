"""Who still has the address of a machine that was the master of a replica set, and what it meets there.

A client learns of another master by its own poll of the route. Source: rocketmq 4.2.0-5.5.0,
MQClientInstance.updateTopicRouteInfoFromNameServer (every 30 s).
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.engine.memory.replica import IS_FROZEN, IS_GONE, IS_MUTE, NOBODY, STATE_BITS, STATE_MASK
from simulator.engine.memory.world import World

# what a request meets; DEPOSED: a machine that is there and a slave, which refuses every put
PRESENT, REFUSES, MUTE, FROZEN, DEPOSED = range(5)


@rule()
def state_of_old_master(world: World, producer: int, broker: int) -> int:
    """What a producer meets now at the address that it has of a broker: PRESENT if that is the master."""
    replica, known = world.replicas[broker], world.addresses[producer * world.settings.brokers + broker]
    if replica.machine == NOBODY or known == 0 or known == replica.machine:
        return PRESENT
    state = replica.others >> STATE_BITS * (known - 1) & STATE_MASK
    if state == IS_GONE:
        return REFUSES
    if state == IS_MUTE:
        return MUTE
    return FROZEN if state == IS_FROZEN else DEPOSED
