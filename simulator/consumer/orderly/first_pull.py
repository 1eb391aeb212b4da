"""The first pull of a queue that is locked: it begins where the group has committed by then.

Source: rocketmq 4.2.0-5.3.3, DefaultMQPushConsumerImpl.pullMessage (PullRequest.lockedFirst, previouslyLocked).
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.consumer.broker.offset_table import can_be_reached, first_offset
from simulator.consumer.machine.consumer_world import ConsumerWorld


@rule()
def begin_locked(world: ConsumerWorld, at: int) -> None:
    """Ask for the offset again: the owner before may have reported since the queue was taken."""
    holding = world.holdings[at]
    if can_be_reached(world, world.logs[holding.log].broker):
        group = world.groups[world.instances[holding.instance].group]
        holding.offset = first_offset(world, holding.subscription, holding.log, group)
        holding.was_locked = 1
