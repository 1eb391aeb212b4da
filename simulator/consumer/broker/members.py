"""Who is a member of a group, as each broker sees it, and whom it tells of a change.

Source: rocketmq 4.2.0-5.3.3, ConsumerManager, ClientHousekeepingService, ClientManageProcessor.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.links.cut_links import time_out
from simulator.consumer.links.hung_connections import (
    BY_PULLS,
    BY_REQUESTS,
    NO_BEAT,
    beat_unheard,
    dead_share,
    go_on_with,
    leave_dead,
)
from simulator.consumer.links.reaching import LINK_OPEN, master_is_gone, member_at, reaches, reaches_slave
from simulator.consumer.links.slave_side import forget_at_slave, note_beat
from simulator.consumer.memory.consumer_settings import BY_NOTICE
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.instance import NOBODY
from simulator.consumer.shared.instance_timers import balance_at


@rule()
def tell_group(world: ConsumerWorld, broker: int, group: int, now_us: Us) -> None:
    """The members of a group have changed: the broker tells those that it lists (NOTIFY_CONSUMER_IDS_CHANGED)."""
    own = world.groups[group]
    for number in range(own.first_instance, own.first_instance + own.instances):
        member = member_at(world, broker, number)
        if member.is_listed == 1 and member.link == LINK_OPEN and world.instances[number].is_up == 1:
            balance_at(world, number, now_us + world.settings.notice_us, BY_NOTICE)


@rule()
def _tell_by_slave(world: ConsumerWorld, broker: int, number: int, now_us: Us) -> None:
    """The slave tells the group of an instance; while the master is there it does so in the same moment."""
    if not master_is_gone(world, broker):
        return
    own = world.groups[world.instances[number].group]
    for other in range(own.first_instance, own.first_instance + own.instances):
        member = member_at(world, broker, other)
        if member.slave_seen_us > 0 and reaches_slave(world, other, broker) and world.instances[other].is_up == 1:
            balance_at(world, other, now_us + world.settings.notice_us, BY_NOTICE)


@rule()
def put_on_list(world: ConsumerWorld, broker: int, number: int, is_listed: int) -> None:
    """List an instance by a living connection, or strike it off."""
    member = member_at(world, broker, number)
    _count_connections(world, broker, number, is_listed - member.is_listed)
    member.is_listed = is_listed


@rule()
def _count_connections(world: ConsumerWorld, broker: int, number: int, more: int) -> None:
    """The broker knows the group of an instance by so many more connections, living and dead ones."""
    world.listed_counts[broker * world.settings.groups + world.instances[number].group] += more


@rule()
def knows_group(world: ConsumerWorld, broker: int, group: int) -> bool:
    """Whether the broker lists anybody of a group; else it refuses the group's pulls (SUBSCRIPTION_NOT_EXIST).

    A dead connection is enough (ConsumerManager.getConsumerGroupInfo).
    """
    return world.listed_counts[broker * world.settings.groups + group] > 0


@rule()
def beat(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """The heartbeat of an instance to all brokers; who did not know it tells its group."""
    for broker in range(world.settings.brokers):
        beat_at(world, number, broker, now_us)


@rule()
def beat_at(world: ConsumerWorld, number: int, broker: int, now_us: Us) -> None:
    """The heartbeat of an instance to one broker."""
    member = member_at(world, broker, number)
    if note_beat(world, number, broker, now_us):
        _tell_by_slave(world, broker, number, now_us)
    if member.link != LINK_OPEN:
        time_out(world, number, broker, now_us)
    elif reaches(world, number, broker):
        member.seen_us = now_us
        member.is_cut = 0
        member.closed_us = 0
        if member.is_listed == 0:
            put_on_list(world, broker, number, 1)
            tell_group(world, broker, world.instances[number].group, now_us)
    elif world.serving[broker].stands_still == 1:
        beat_unheard(member, now_us)


@rule()
def strike_off(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """The instance says goodbye, or its connections close: every broker that can act forgets it and tells its group."""
    for broker in range(world.settings.brokers):
        if forget_at_slave(world, number, broker):
            _tell_by_slave(world, broker, number, now_us)
        if member_at(world, broker, number).is_listed == 1 and reaches(world, number, broker):
            put_on_list(world, broker, number, 0)
            tell_group(world, broker, world.instances[number].group, now_us)


@rule()
def scan_silent(world: ConsumerWorld, broker: int, now_us: Us) -> None:
    """The broker strikes off whom it has not heard of for too long: clients, and connections that are dead."""
    for number in range(world.settings.instances):
        member = member_at(world, broker, number)
        is_silent = member.is_listed == 1 and now_us - member.seen_us > world.settings.expires_us
        is_dead = member.dead > 0 and now_us - member.dead_us > world.settings.expires_us
        if is_silent:
            put_on_list(world, broker, number, 0)
            member.is_cut = 1
        if is_dead:
            _count_connections(world, broker, number, -member.dead)
            member.dead = 0
        if is_silent or is_dead:
            tell_group(world, broker, world.instances[number].group, now_us)


@rule()
def forget_members(world: ConsumerWorld, broker: int) -> None:
    """The broker's process is gone: a new one lists nobody."""
    for number in range(world.settings.instances):
        put_on_list(world, broker, number, 0)
        member = member_at(world, broker, number)
        member.beat_us = 0
        member.asked_us = 0
        member.lost_beats = 0
        _count_connections(world, broker, number, -member.dead)
        member.dead = 0


@rule()
def _connects(world: ConsumerWorld, broker: int, number: int) -> int:
    """Whether new connections of an instance begin with a heartbeat, and whether it has queues of a broker to pull."""
    instance = world.instances[number]
    if world.groups[instance.group].beats_on_connect == 0:
        return NO_BEAT
    at = instance.first_holding
    while at != NOBODY:
        if world.logs[world.holdings[at].log].broker == broker:
            return BY_PULLS
        at = world.holdings[at].next_holding
    return BY_REQUESTS


@rule()
def connect_again(world: ConsumerWorld, number: int, broker: int, now_us: Us) -> None:
    """The client opens the connection again that it has closed; from 5.2.0 on it begins with a heartbeat."""
    member_at(world, broker, number).closed_us = 0
    if world.groups[world.instances[number].group].beats_on_connect == 1:
        beat_at(world, number, broker, now_us)


@rule()
def go_on_with_members(world: ConsumerWorld, broker: int, now_us: Us) -> None:
    """A broker that stood still goes on: it reads what lies in its connections, and tells the groups."""
    share = dead_share(world.settings.seed, broker, now_us)
    for number in range(world.settings.instances):
        member, instance = member_at(world, broker, number), world.instances[number]
        dead, was_listed = member.dead, member.is_listed
        place, connects = broker * world.settings.instances + number, _connects(world, broker, number)
        leave_dead(member, world.settings.seed, place, connects, share, now_us)
        is_listed = go_on_with(member, world.settings.seed, place, instance.is_up, connects, now_us)
        put_on_list(world, broker, number, is_listed)
        _count_connections(world, broker, number, member.dead - dead)
        if is_listed != was_listed or member.dead != dead:
            tell_group(world, broker, instance.group, now_us)
