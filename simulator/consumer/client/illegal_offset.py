"""The broker has named another offset than the one that was pulled: the client drops the queue and begins there.

Source: rocketmq 4.2.0-5.3.3, PullMessageProcessor (PULL_OFFSET_MOVED), DefaultMQPushConsumerImpl.pullMessage
(OFFSET_ILLEGAL: until 5.1.4 after 10 s, and the queue comes back in the next round; from 5.2.0 at once, and a round
follows).
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.broker.offset_table import report_lost
from simulator.consumer.client.letting_go import let_queue_go
from simulator.consumer.memory.consumer_settings import BY_ILLEGAL
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.held_queue import ILLEGAL, MOVED
from simulator.consumer.queue_log.skipping import goes_on_at
from simulator.consumer.shared.holdings import pull_at, pull_is_over
from simulator.consumer.shared.instance_timers import balance_at
from simulator.consumer.shared.queue_progress import progress_of
from simulator.engine.memory.settings import FAR


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
        balance_at(world, instance, now_us, BY_ILLEGAL)
