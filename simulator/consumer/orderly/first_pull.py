"""The first pull of a queue that is locked: it begins where the group has committed by then.

Source: rocketmq 4.2.0-5.3.3, DefaultMQPushConsumerImpl.pullMessage (PullRequest.lockedFirst, previouslyLocked).
"""

from __future__ import annotations

from simulator.compiled.jit import entry
from simulator.compiled.records import Us
from simulator.consumer.broker.offset_table import offset_to_begin
from simulator.consumer.links.reaching import reaches
from simulator.consumer.memory.consumer_world import ConsumerWorld


@entry
def begin_locked(world: ConsumerWorld, at: int, now_us: Us) -> int:
    """Ask for the offset again: the owner before may have reported since the queue was taken."""
    holding = world.holdings[at]
    if reaches(world, holding.instance, world.logs[holding.log].broker):
        holding.offset = offset_to_begin(world, holding.instance, holding.subscription, holding.log)
        holding.was_locked = 1
    return 0
