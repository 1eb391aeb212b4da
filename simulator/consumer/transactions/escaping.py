"""Half messages of a master that is away while its slave acts for it, with enableRemoteEscape.

The slave runs rounds of checks, the first of them one interval after it has begun to act. It asks no producer: every
half message that it finds open it puts on another broker, which asks about it from its own next round on. The master
does not hear of that. As it is back it asks again, and what is committed there, too, is delivered twice.

Source: rocketmq 5.0.0-5.5.0, TransactionalMessageServiceImpl.check (enableSlaveActingMaster),
TransactionalMessageBridge.escapeMessage, BrokerController.changeTransactionCheckServiceStatus.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.links.escape_bridge import NO_LOG, other_log
from simulator.consumer.memory.consumer_events import CHECK_NEXT, CHECK_ROUND
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.half_message import NO_LINK
from simulator.consumer.queue_log.consumptions import content_of, put_content
from simulator.consumer.shared import due_heap
from simulator.consumer.transactions.half_queue import link_last, take_half, take_out


@rule()
def await_escapes(world: ConsumerWorld, broker: int, acts_us: Us) -> None:
    """A slave begins to act for its master then; nothing has escaped yet."""
    queue = world.half_queues[broker]
    number = queue.first
    while number != NO_LINK:
        world.halves[number].has_escaped = 0
        number = world.halves[number].behind
    queue.check_us = acts_us + queue.interval_us
    due_heap.push(world, queue.check_us, CHECK_ROUND, broker)


@rule()
def escape_next(world: ConsumerWorld, broker: int, now_us: Us) -> None:
    """One entry of a round of the slave; without another broker it is passed over, too."""
    queue = world.half_queues[broker]
    number = queue.first
    if number == NO_LINK or world.halves[number].has_escaped == 1:
        return
    half = world.halves[number]
    half.has_escaped = 1
    take_out(world, queue, number)
    link_last(world, queue, number)
    log = other_log(world, half.log, half.draw)
    if log != NO_LOG:
        _put(world, number, log, now_us)
    due_heap.push(world, now_us, CHECK_NEXT, broker)


@rule()
def _put(world: ConsumerWorld, number: int, log: int, now_us: Us) -> None:
    """Another broker appends it to its own half topic: a new half message, as old as it was."""
    half, copy = world.halves[number], world.halves[take_half(world)]
    put_content(copy, content_of(half))
    copy.broker = world.logs[log].broker
    copy.log = log
    copy.stored_us = now_us
    copy.again_us = now_us
    copy.born_us = half.born_us
    queue = world.half_queues[copy.broker]
    queue.halves += 1
    queue.open += 1
    link_last(world, queue, copy.number)
