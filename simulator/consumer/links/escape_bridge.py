"""Where a slave that acts for its master puts messages, with enableRemoteEscape: on any broker that has the topic.

Source: rocketmq 5.0.0-5.5.0, EscapeBridge.putMessageToRemoteBroker, TopicPublishInfo.selectOneMessageQueue.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.consumer.links.reaching import can_be_reached
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.kernel.randomness import ESCAPED_TO, below, hash4

NO_LOG = -1


@rule()
def other_log(world: ConsumerWorld, log: int, number: int) -> int:
    """A queue of the same topic on a broker that is there, NO_LOG without one; `number`: of what goes there."""
    topic, chosen, count = world.log_topics[world.logs[log].topic], NO_LOG, 0
    for other in range(topic.first_log, topic.first_log + topic.logs):
        if can_be_reached(world, world.logs[other].broker):
            count += 1
            if below(hash4(world.settings.seed, ESCAPED_TO, (log << 40) | number, count), count) == 0:
                chosen = other
    return chosen
