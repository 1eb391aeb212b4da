"""Balancing: an instance shares the queues that it sees among the members that one broker lists, by itself.

Source: rocketmq 4.2.0-5.3.3, RebalanceService, RebalanceImpl.rebalanceByTopic, updateProcessQueueTableInRebalance.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.allocation.sharing import NULL, take_all
from simulator.consumer.broker.members import connect_again
from simulator.consumer.broker.offset_table import offset_to_begin, report_lost
from simulator.consumer.client.letting_go import let_queue_go
from simulator.consumer.links.cut_links import time_out
from simulator.consumer.links.hung_connections import ask_unheard
from simulator.consumer.links.instance_routes import ask_one_of, look_for_master, readable_queues
from simulator.consumer.links.reaching import LINK_OPEN, member_at, reaches
from simulator.consumer.links.slave_side import asks_slave, list_at_slave
from simulator.consumer.memory.consumer_events import REBALANCE
from simulator.consumer.memory.consumer_group import FROM_FIRST
from simulator.consumer.memory.consumer_settings import BY_PERIOD, BY_UNBALANCED
from simulator.consumer.memory.consumer_side import OLD
from simulator.consumer.memory.consumer_world import ConsumerWorld, SubscriptionRules
from simulator.consumer.memory.held_queue import WAITING
from simulator.consumer.memory.instance import NOBODY
from simulator.consumer.queue_log.skipping import begin_reading
from simulator.consumer.shared.consumer_rows import Round, put_rebalance
from simulator.consumer.shared.holdings import consumption_of, pull_at, queue_of, take
from simulator.consumer.shared.instance_timers import set_timer
from simulator.consumer.shared.queue_progress import progress_of

NOT_ASKED = NULL - 1  # who is a member is not known: the instance keeps what it has
LISTED, KEPT = 1, 2  # marks of a queue: it was allocated; and the instance holds it already


@rule()
def balance(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """One round of an instance over all its topics; then the next is due."""
    instance = world.instances[number]
    group = world.groups[instance.group]
    is_balanced = 1
    for subscription in range(instance.first_subscription, instance.first_subscription + instance.subscriptions):
        if group.pop.batch > 0:
            is_shared_out = consumption_of(world, number).share(world, number, subscription, now_us)
            is_balanced = min(is_balanced, is_shared_out)
        else:
            is_balanced = min(is_balanced, _balance_topic(world, number, subscription, now_us))
    begin_reading(world, number)
    instance.rebalanced_us = now_us
    wait_us = group.rebalance_us if is_balanced == 1 else group.unbalanced_us
    if instance.phase_us > 0 and is_balanced == 1:
        wait_us = instance.phase_us
        instance.phase_us = 0
    instance.reason = BY_PERIOD if is_balanced == 1 else BY_UNBALANCED
    set_timer(world, number, REBALANCE, now_us + wait_us)


@rule()
def list_members(world: ConsumerWorld, number: int, broker: int, now_us: Us) -> int:
    """Members of the instance's group in the order of their client ids, as the broker lists them; -1: no answer.

    A dead connection that the broker still knows has its client listed once more.

    A broker that took the client for dead has closed its connection: the first request after that fails.
    """
    if broker < 0 or not reaches(world, number, broker):
        if broker >= 0 and member_at(world, broker, number).link != LINK_OPEN:
            time_out(world, number, broker, now_us)
        elif broker >= 0 and world.serving[broker].is_away == 0:
            ask_unheard(member_at(world, broker, number), now_us)
        return -1
    if member_at(world, broker, number).is_cut == 1:
        member_at(world, broker, number).is_cut = 0
        return -1
    if member_at(world, broker, number).closed_us > 0:
        connect_again(world, number, broker, now_us)
    group = world.groups[world.instances[number].group]
    count = 0
    for other in range(group.instances):
        member = member_at(world, broker, group.first_instance + other)
        for _ in range(member.is_listed + member.dead):
            world.listed_members[count] = world.instances[group.first_instance + other].id_number
            count += 1
    return count


@rule()
def _balance_topic(world: ConsumerWorld, number: int, subscription: int, now_us: Us) -> int:
    """A round for one topic; 0 if the instance could not take all that is allocated to it."""
    topic = world.log_topics[world.subscriptions[subscription].topic]
    queues = readable_queues(world, number, world.subscriptions[subscription].topic)
    broker, members = -1, -1
    taken, lost, missing = 0, 0, 0
    reader = world.readers[subscription]
    if queues > 0:
        if world.groups[world.instances[number].group].is_broadcasting == 1:
            count = take_all(reader.sharing, world.listed_queues, queues)
        else:
            broker = ask_one_of(world, number, world.subscriptions[subscription].topic)
            if broker >= 0 and asks_slave(world, number, world.subscriptions[subscription].topic, broker):
                members = list_at_slave(world, number, broker, now_us)
            else:
                members = list_members(world, number, broker, now_us)
            count = NOT_ASKED if members <= 0 else allocate_to(world, number, reader, queues, members)
        if count >= NULL:
            for place in range(topic.logs):
                world.marks[place] = 0
            for i in range(count):
                world.marks[reader.sharing.result[i]] = LISTED
            lost = _lose_others(world, number, subscription, now_us)
            taken = _take_missing(world, number, subscription, max(count, 0), now_us)
            for place in range(topic.logs):
                missing += world.marks[place] == LISTED
    held = _count_held(world, number, subscription)
    put_rebalance(world, number, subscription, now_us, Round(broker, members, queues, taken, lost, held))
    return 1 if missing == 0 else 0


@rule()
def allocate_to(world: ConsumerWorld, number: int, reader: SubscriptionRules, queues: int, members: int) -> int:
    """How many queues the strategy of the group gives the instance."""
    me = world.instances[number].id_number
    return reader.allocate(reader.sharing, world.listed_queues, queues, world.listed_members, members, me)


@rule()
def _count_held(world: ConsumerWorld, number: int, subscription: int) -> int:
    count = 0
    at = world.instances[number].first_holding
    while at != NOBODY:
        count += world.holdings[at].subscription == subscription
        at = world.holdings[at].next_holding
    return count


@rule()
def _lose_others(world: ConsumerWorld, number: int, subscription: int, now_us: Us) -> int:
    """Let go of every queue that is not marked, and of those that were not pulled for too long; marks those kept."""
    first_log = world.log_topics[world.subscriptions[subscription].topic].first_log
    idle_us = world.groups[world.subscriptions[subscription].group].idle_pull_us
    lost = 0
    at = world.instances[number].first_holding
    while at != NOBODY:
        holding = world.holdings[at]
        behind = holding.next_holding
        if holding.subscription == subscription:
            place = holding.log - first_log
            is_idle = now_us - queue_of(world, at).last_pull_ms * 1000 > idle_us
            if world.marks[place] == LISTED and not is_idle:
                world.marks[place] = KEPT
            else:
                let_go(world, at, now_us)
                lost += 1
        at = behind
    return lost


@rule()
def let_go(world: ConsumerWorld, at: int, now_us: Us) -> None:
    """Report the offset of a queue and hold it no longer (removeUnnecessaryMessageQueue)."""
    report_lost(world, world.holdings[at])
    let_queue_go(world, at, now_us)


@rule()
def _answers(world: ConsumerWorld, number: int, subscription: int, log: int) -> bool:
    """Whether the offset of a queue can be had: from its broker, or its slave, which may give no lock.

    A broadcasting client asks nobody where it has an offset, or begins at 0; else its master (MQAdminImpl.maxOffset).
    """
    group, broker = world.groups[world.instances[number].group], world.logs[log].broker
    if group.is_broadcasting == 1:
        progress = progress_of(world, subscription, log)
        if progress.committed >= 0 or progress.standing == OLD or group.from_where == FROM_FIRST:
            return True
    if group.is_broadcasting == 0 and asks_slave(world, number, world.logs[log].topic, broker):
        return group.pull.needs_lock == 0 or world.store_rules[broker].slave_is_named == 1
    return reaches(world, number, broker)


@rule()
def _finds_broker(world: ConsumerWorld, number: int, log: int, now_us: Us) -> bool:
    """Whether the offset of a queue can be asked for, once the client has looked for the master; a lock comes first."""
    group, own = world.groups[world.instances[number].group], world.logs[log]
    if group.fetches_look == 0 or group.pull.needs_lock == 1:
        return True
    return look_for_master(world, number, own.topic, own.broker, now_us)


@rule()
def _take_missing(world: ConsumerWorld, number: int, subscription: int, count: int, now_us: Us) -> int:
    """Take every allocated queue that is not held, from the offset that its broker names; without one it waits.

    So does one that the group's kind of consumption does not let it take.
    """
    instance = world.instances[number]
    group = world.groups[instance.group]
    first_log = world.log_topics[world.subscriptions[subscription].topic].first_log
    taken, kind = 0, consumption_of(world, number)
    for i in range(count):
        place = world.readers[subscription].sharing.result[i]
        log = first_log + place
        if (
            world.marks[place] != LISTED
            or not _finds_broker(world, number, log, now_us)
            or not _answers(world, number, subscription, log)
        ):
            continue
        if kind.may_take(world, number, subscription, log, now_us) == 0:
            continue
        world.marks[place] = KEPT
        offset = offset_to_begin(world, number, subscription, log)
        holding = take(world, number, subscription, log, offset, now_us)
        kind.taken(world, holding, now_us)
        wait_us = 0 if instance.phase_us > 0 else group.first_pull_us  # who runs from the beginning has long pulled
        pull_at(world, holding, WAITING, now_us + max(wait_us, 1))
        taken += 1
    return taken
