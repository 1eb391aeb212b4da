"""Another machine becomes the master of a replica set: who has only the old one's address, and what the new one knows.

An instance goes to the new master from its next poll of the routes on. A slave copies the offsets of its master from
time to time, and lists the clients itself, as they send it heartbeats, too.

Source: rocketmq 5.0.0-5.5.0, ReplicasManager.handleSlaveSynchronize (every 12 s: ticks of 3 s, more than 10 s apart),
BrokerController.changeToMaster; MQClientInstance.updateTopicRouteInfoFromNameServer.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.links.cut_links import LINK_BITS, link_falls
from simulator.consumer.links.reaching import LINK_OPEN, member_at
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.shared.pop_places import note_given_twice
from simulator.consumer.shared.queue_progress import progress_of
from simulator.engine.memory.settings import FAR

FOREVER_US = FAR >> LINK_BITS + 1  # until the next poll of the routes


@rule()
def address_of(world: ConsumerWorld, number: int, broker: int) -> int:
    """1 + machine of the master that the routes of an instance name; else -(1 + that of their first slave), or 0."""
    instance, address = world.instances[number], 0
    for subscription in range(instance.first_subscription, instance.first_subscription + instance.subscriptions):
        version = world.known_versions[number * world.settings.topics + world.subscriptions[subscription].topic]
        if version >= 0:
            named = world.route_masters[version * world.settings.brokers + broker]
            address = max(address, named) if max(address, named) > 0 else min(address, named)
    return address


@rule()
def leave_master(world: ConsumerWorld, broker: int, value: int, now_us: Us) -> None:
    """The master of a set is gone: who has its address reaches nobody. `value`: the next machine, and how: LINK_*."""
    machine, how = value >> LINK_BITS, value & ((1 << LINK_BITS) - 1)
    world.serving[broker].machine = machine
    world.serving[broker].is_unled = 1
    for number in range(world.settings.instances):
        if member_at(world, broker, number).link == LINK_OPEN and address_of(world, number, broker) != 1 + machine:
            link_falls(world, broker * world.settings.instances + number, FOREVER_US << LINK_BITS | how, now_us)
            member_at(world, broker, number).has_old_address = 1


@rule()
def go_to_new_masters(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """An instance has polled its routes: it connects to the masters that these name."""
    for broker in range(world.settings.brokers):
        member = member_at(world, broker, number)
        if member.has_old_address == 1 and address_of(world, number, broker) == 1 + world.serving[broker].machine:
            member.has_old_address = 0
            member.link = LINK_OPEN
            member.closed_us = now_us
        if member.has_old_address == 1:
            _meet_as_master(world, number, broker)


@rule()
def _meet_as_master(world: ConsumerWorld, number: int, broker: int) -> None:
    """An instance whose routes name slaves asks the first; where that is the master by now it is answered as by one.

    It has a connection to it, as it sends heartbeats to slaves, too.
    Source: rocketmq 4.2.0-5.3.3, MQClientInstance.findBrokerAddressInSubscribe, whose map has the smallest id first.
    """
    member, serving = member_at(world, broker, number), world.serving[broker]
    is_master = serving.is_unled == 0 and address_of(world, number, broker) == -1 - serving.machine
    if member.has_old_address == 1 and is_master:
        member.has_old_address = 0
        member.link = LINK_OPEN
        member.closed_us = 0


@rule()
def begin_epoch(world: ConsumerWorld, broker: int) -> None:
    """A slave becomes the master: it has the offsets that it copied last, and lists who sent it heartbeats."""
    world.serving[broker].is_unled = 0
    for subscription in range(world.settings.subscriptions):
        own = world.subscriptions[subscription]
        if world.groups[own.group].is_broadcasting == 1:
            continue
        topic = world.log_topics[own.topic]
        for log in range(topic.first_log, topic.first_log + topic.logs):
            if world.logs[log].broker == broker:
                progress = progress_of(world, subscription, log)
                note_given_twice(world, subscription, progress, progress.committed)
                progress.committed = progress.slave_committed
                progress.flushed = progress.slave_committed
    for number in range(world.settings.instances):
        member = member_at(world, broker, number)
        listed = 1 if member.slave_seen_us > 0 else 0
        group = world.instances[number].group
        world.listed_counts[broker * world.settings.groups + group] += listed - member.is_listed
        member.is_listed = listed
        member.seen_us = max(member.seen_us, member.slave_seen_us)
        _meet_as_master(world, number, broker)
