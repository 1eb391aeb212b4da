"""Offsets that groups commit: in the tables of brokers, or in the files of broadcasting clients; what survives.

Source: rocketmq 4.2.0-5.3.3, ConsumerOffsetManager, RemoteBrokerOffsetStore, LocalFileOffsetStore,
RebalancePushImpl.computePullFromWhere.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.consumer.broker.lag_verdict import note_report
from simulator.consumer.broker.serving_pulls import begins_in_memory
from simulator.consumer.links.instance_routes import look_for_master
from simulator.consumer.links.reaching import reaches
from simulator.consumer.links.slave_side import asks_slave
from simulator.consumer.memory.consumer_group import FROM_FIRST, FROM_TIMESTAMP, ReadingGroup
from simulator.consumer.memory.consumer_side import NOT_BEGUN, OLD
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.held_queue import Holding
from simulator.consumer.memory.instance import NOBODY
from simulator.consumer.queue_log.log_pages import offset_at
from simulator.consumer.queue_log.skipping import goes_on_at
from simulator.consumer.shared.pop_places import note_given_twice
from simulator.consumer.shared.queue_progress import progress_of


@rule()
def commit(world: ConsumerWorld, subscription: int, log: int, offset: int) -> None:
    """Write an offset into the table of the log's broker; a smaller one overwrites, too (ConsumerOffsetManager)."""
    progress_of(world, subscription, log).committed = offset
    note_report(world, subscription, log, offset, world.clock.now_us)


@rule()
def report(world: ConsumerWorld, holding: Holding) -> None:
    """Write down how far an instance has consumed a queue: at the queue's broker, or in a file beside the process."""
    if holding.memory < 0:
        return
    if world.groups[world.subscriptions[holding.subscription].group].is_broadcasting == 1:
        progress = progress_of(world, holding.subscription, holding.log)
        progress.committed = holding.memory
        progress.flushed = holding.memory
    elif asks_slave(world, holding.instance, world.logs[holding.log].topic, world.logs[holding.log].broker):
        progress_of(world, holding.subscription, holding.log).slave_committed = holding.memory
    elif reaches(world, holding.instance, world.logs[holding.log].broker):
        commit(world, holding.subscription, holding.log, holding.memory)


@rule()
def report_lost(world: ConsumerWorld, holding: Holding) -> None:
    """Write down how far a queue was consumed that an instance loses; one that forgets only writes files of all."""
    if world.groups[world.subscriptions[holding.subscription].group].forgets_offsets == 0:
        report(world, holding)


@rule()
def persist(world: ConsumerWorld, number: int) -> None:
    """An instance reports every offset that it knows; one that forgets has a file of only those, if any."""
    instance = world.instances[number]
    if world.groups[instance.group].forgets_offsets == 1 and instance.first_holding != NOBODY:
        _forget_not_held(world, number)
    looks_for_master = world.groups[instance.group].looks_for_master == 1
    at = instance.first_holding
    while at != NOBODY:
        holding = world.holdings[at]
        if not looks_for_master or _finds_broker(world, holding):
            report(world, holding)
        at = holding.next_holding


@rule()
def _finds_broker(world: ConsumerWorld, holding: Holding) -> bool:
    """Whether an offset can be committed, once its client has looked for the master; without an offset it does not."""
    log = world.logs[holding.log]
    return holding.memory < 0 or look_for_master(world, holding.instance, log.topic, log.broker, world.clock.now_us)


@rule()
def _forget_not_held(world: ConsumerWorld, number: int) -> None:
    """The file that an instance writes has no offsets of the queues that it does not hold."""
    instance = world.instances[number]
    for subscription in range(instance.first_subscription, instance.first_subscription + instance.subscriptions):
        topic = world.log_topics[world.subscriptions[subscription].topic]
        for log in range(topic.first_log, topic.first_log + topic.logs):
            progress = progress_of(world, subscription, log)
            if progress.owners == 0:
                progress.committed = -1
                progress.flushed = -1
                progress.standing = NOT_BEGUN


@rule()
def flush_offsets(world: ConsumerWorld, broker: int) -> None:
    """The broker writes its offset table."""
    for subscription in range(world.settings.subscriptions):
        _keep(world, subscription, broker, 1)


@rule()
def forget_unflushed(world: ConsumerWorld, broker: int) -> None:
    """The broker's process was killed: its offsets are those of its last flush."""
    for subscription in range(world.settings.subscriptions):
        _keep(world, subscription, broker, 0)


@rule()
def _keep(world: ConsumerWorld, subscription: int, broker: int, is_flush: int) -> None:
    own = world.subscriptions[subscription]
    if world.groups[own.group].is_broadcasting == 1:
        return
    topic = world.log_topics[own.topic]
    for log in range(topic.first_log, topic.first_log + topic.logs):
        if world.logs[log].broker == broker:
            progress = progress_of(world, subscription, log)
            if is_flush == 1:
                progress.flushed = progress.committed
            else:
                note_given_twice(world, subscription, progress, progress.committed)
                progress.committed = progress.flushed


@rule()
def first_offset(world: ConsumerWorld, instance: int, subscription: int, log_number: int, group: ReadingGroup) -> int:
    """Where a new owner begins (computePullFromWhere, query_offset).

    Without an offset in the table the broker answers 0 while the queue begins at 0 and its first message is in memory,
    whatever consumeFromWhere says; a client that is broadcasting does not ask it. CONSUME_FROM_FIRST_OFFSET asks for 0,
    which the broker may correct.
    """
    progress, log = progress_of(world, subscription, log_number), world.logs[log_number]
    committed = progress.committed
    if group.is_broadcasting == 0 and asks_slave(world, instance, log.topic, log.broker):
        committed = progress.slave_committed
    if committed >= 0 or progress.standing == OLD:
        return max(committed, 0)
    answers_first = group.is_broadcasting == 0 and log.min_offset == 0 and begins_in_memory(world, log)
    is_retry = world.subscriptions[subscription].is_retry == 1
    if answers_first or group.from_where == FROM_FIRST or is_retry:
        return 0
    if group.from_where == FROM_TIMESTAMP:
        return offset_at(world, log, group.consume_timestamp_us)
    return log.max_offset


@rule()
def offset_to_begin(world: ConsumerWorld, instance: int, subscription: int, number: int) -> int:
    """Where an instance begins that takes a queue, with what it skips counted."""
    own, progress = world.instances[instance], progress_of(world, subscription, number)
    offset = first_offset(world, instance, subscription, number, world.groups[own.group])
    if progress.committed < 0 or offset < progress.skipped_until:
        goes_on_at(world, subscription, number, offset, own.started_us)
    return offset
