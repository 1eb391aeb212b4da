"""A pull at an offset that the queue does not have: the broker names one, the client drops the queue and begins there.

Source: rocketmq 4.2.0-5.3.3, DefaultMessageStore.getMessage (OFFSET_TOO_SMALL, OFFSET_OVERFLOW_BADLY),
PullMessageProcessor (PULL_OFFSET_MOVED), DefaultMQPushConsumerImpl.pullMessage (OFFSET_ILLEGAL: until 5.1.4 after 10 s,
and the queue comes back in the next round; from 5.2.0 at once, and a round follows).
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.broker.members import wake
from simulator.consumer.broker.offset_table import report_lost
from simulator.consumer.client.holdings import progress_of, pull_at, pull_is_over
from simulator.consumer.client.instance import ILLEGAL, MOVED
from simulator.consumer.machine.consumer_settings import BY_ILLEGAL
from simulator.consumer.machine.consumer_world import ConsumerWorld
from simulator.consumer.machine.skipping import goes_on_at
from simulator.consumer.orderly.letting_go import let_queue_go
from simulator.consumer.queue_log.queue_log import QueueLog
from simulator.engine.memory.settings import FAR


@rule()
def legal_offset(log: QueueLog, offset: int, to_first: int) -> int:
    """The offset that a broker names for one that is asked for: the same where the queue has it, or is about to.

    Beyond the end it names the end; up to 4.9.3 (to_first) the beginning while that is 0 (OFFSET_OVERFLOW_BADLY).
    """
    if offset > log.max_offset:
        return 0 if to_first == 1 and log.min_offset == 0 else log.max_offset
    return max(offset, log.min_offset)


@rule()
def go_to_named_offset(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """The client has the answer, or has waited: it commits the named offset and lets go of the queue."""
    holding = world.holdings[number]
    instance = holding.instance
    group = world.groups[world.instances[instance].group]
    if holding.state == MOVED and group.illegal_us > 0:
        pull_at(world, number, ILLEGAL, now_us + group.illegal_us)
        return
    since_us = world.instances[instance].started_us
    goes_on_at(world, holding.subscription, holding.log, holding.moved_to, since_us)
    progress_of(world, holding.subscription, holding.log).cut_to = FAR
    holding.memory = holding.moved_to
    report_lost(world, holding)
    let_queue_go(world, number, now_us)
    pull_is_over(world, holding, number)
    if group.illegal_us == 0:
        wake(world, instance, now_us, BY_ILLEGAL)
