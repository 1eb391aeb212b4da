"""Who is a member of a group, as each broker sees it, and whom it tells of a change.

Source: rocketmq 4.2.0-5.3.3, ConsumerManager, ClientHousekeepingService, ClientManageProcessor.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.broker.consumer_side import Member
from simulator.consumer.broker.offset_table import can_be_reached
from simulator.consumer.client.instance import Instance
from simulator.consumer.machine import due_heap
from simulator.consumer.machine.consumer_settings import BY_NOTICE, REBALANCE
from simulator.consumer.machine.consumer_world import ConsumerWorld


@rule(inlined=True)
def member_at(world: ConsumerWorld, broker: int, instance: int) -> Member:
    """What a broker knows of an instance."""
    return world.members[broker * world.settings.instances + instance]


@rule()
def wake(world: ConsumerWorld, number: int, at_us: Us, reason: int) -> None:
    """Have an instance balance at a moment, unless it does so before; not sooner than its release allows."""
    instance: Instance = world.instances[number]
    at_us = max(at_us, instance.rebalanced_us + world.groups[instance.group].least_rebalance_us)
    if at_us < instance.rebalance_us:
        instance.rebalance_us = at_us
        instance.reason = reason
        due_heap.push(world, at_us, REBALANCE, number)


@rule()
def tell_group(world: ConsumerWorld, broker: int, group: int, now_us: Us) -> None:
    """The members of a group have changed: the broker tells those that it lists (NOTIFY_CONSUMER_IDS_CHANGED)."""
    own = world.groups[group]
    for number in range(own.first_instance, own.first_instance + own.instances):
        if member_at(world, broker, number).is_listed == 1 and world.instances[number].is_up == 1:
            wake(world, number, now_us + world.settings.notice_us, BY_NOTICE)


@rule()
def beat(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """The heartbeat of an instance to all brokers that it reaches; who did not know it tells its group."""
    for broker in range(world.settings.brokers):
        if can_be_reached(world, broker):
            member = member_at(world, broker, number)
            member.seen_us = now_us
            member.is_cut = 0
            if member.is_listed == 0:
                member.is_listed = 1
                tell_group(world, broker, world.instances[number].group, now_us)


@rule()
def strike_off(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """The instance says goodbye, or its connections close: every broker that can act forgets it and tells its group."""
    for broker in range(world.settings.brokers):
        member = member_at(world, broker, number)
        if member.is_listed == 1 and can_be_reached(world, broker):
            member.is_listed = 0
            tell_group(world, broker, world.instances[number].group, now_us)


@rule()
def scan_silent(world: ConsumerWorld, broker: int, now_us: Us) -> None:
    """The broker strikes off whom it has not heard of for too long."""
    for number in range(world.settings.instances):
        member = member_at(world, broker, number)
        if member.is_listed == 1 and now_us - member.seen_us > world.settings.expires_us:
            member.is_listed = 0
            member.is_cut = 1
            tell_group(world, broker, world.instances[number].group, now_us)


@rule()
def forget_members(world: ConsumerWorld, broker: int) -> None:
    """The broker's process is gone: a new one lists nobody."""
    for number in range(world.settings.instances):
        member_at(world, broker, number).is_listed = 0
