"""What happens to instances and brokers: the actions of the scenario, in order of time."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.broker.held_pops import fail_held_pops
from simulator.consumer.broker.held_pulls import fail_held
from simulator.consumer.broker.members import forget_members, go_on_with_members
from simulator.consumer.broker.offset_table import flush_offsets, forget_unflushed
from simulator.consumer.client.life import freeze, kill, start, stop
from simulator.consumer.client.offset_reset import reset_offsets
from simulator.consumer.links.cut_links import link_falls, link_rises
from simulator.consumer.links.old_addresses import leave_master
from simulator.consumer.links.slave_side import lose_slave
from simulator.consumer.machine.other_machines import act_for_master, become_master
from simulator.consumer.memory import consumer_settings as kinds
from simulator.consumer.memory.consumer_settings import MachineAction
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.orderly.queue_locks import forget_locks
from simulator.consumer.proxied.proxy_life import act_on_proxy
from simulator.consumer.schedule.delivering import start_delivering, stop_delivering
from simulator.consumer.transactions.checking import start_checking
from simulator.consumer.transactions.online_clients import note_proxy
from simulator.consumer.transactions.producer_life import act_on_producer
from simulator.engine.memory.periods_table import DOWN_GRACEFUL

HOW_BITS = 3  # of an AWAY's value: DOWN_*, the rest is until when
HOW_MASK = (1 << HOW_BITS) - 1


@rule()
def act(world: ConsumerWorld, action: MachineAction, now_us: Us) -> None:
    """Let an action happen."""
    kind, place = action.kind, action.place
    if kind == kinds.START:
        start(world, place, now_us)
    elif kind == kinds.STOP:
        stop(world, place, now_us)
    elif kind == kinds.KILL:
        kill(world, place, now_us)
    elif kind == kinds.FREEZE:
        freeze(world, place, action.value)
    elif kind == kinds.THAW:
        world.instances[place].frozen_until_us = min(world.instances[place].frozen_until_us, now_us)
    elif kind == kinds.SLOW:
        world.instances[place].slowness_ppm = action.value
    elif kind == kinds.STICK:
        world.instances[place].stuck_until_us = action.value
    elif kind == kinds.RESET:
        reset_offsets(world, place, action.value, now_us)
    elif kind == kinds.FAIL:
        world.instances[place].fails_ppm = action.value
    elif kind >= kinds.PROXY_BACK:
        act_on_proxy(world, kind, place, action.value, now_us)
        if world.settings.half_queues > 0:
            note_proxy(world, kind, place, now_us)
    elif kind >= kinds.LINK_RISES:
        _act_on_link(world, kind, place, action.value, now_us)
    elif kind >= kinds.PRODUCER_KILL:
        act_on_producer(world, kind, place, action.value, now_us)
    else:
        _act_on_broker(world, kind, place, action.value, now_us)


@rule()
def _act_on_link(world: ConsumerWorld, kind: int, place: int, value: int, now_us: Us) -> None:
    """`value` of a link that falls: how, and until when."""
    if kind == kinds.LINK_FALLS:
        link_falls(world, place, value, now_us)
    elif kind == kinds.LINK_RISES:
        link_rises(world, place)
    elif kind == kinds.MASTER_LEFT:
        leave_master(world, place, value, now_us)
    elif kind == kinds.EPOCH_BEGINS:
        become_master(world, place, now_us)
    elif kind >= kinds.SLAVE_BACK:
        lose_slave(world, place, max(now_us, 1) if kind == kinds.SLAVE_AWAY else 0)
        if kind == kinds.SLAVE_AWAY and world.settings.pops > 0:
            fail_held_pops(world, place, 1, now_us)
    elif kind >= kinds.MASTER_LINK_RISES:
        world.serving[place].cut_since_us = max(now_us, 1) if kind == kinds.MASTER_LINK_FALLS else 0
    else:
        world.transaction_links[place] = max(now_us, 1) if kind == kinds.PRODUCER_LINK_FALLS else 0


@rule()
def _act_on_broker(world: ConsumerWorld, kind: int, place: int, value: int, now_us: Us) -> None:
    """AWAY: `value` says until when and how; HANG: until when. Either may come again, with a later end."""
    broker = world.serving[place]
    if kind == kinds.AWAY and broker.is_away != 0:
        broker.away_until_us = value >> HOW_BITS
    elif kind == kinds.AWAY:
        how = value & HOW_MASK
        if how == DOWN_GRACEFUL:
            flush_offsets(world, place)
        else:
            forget_unflushed(world, place)
            if world.settings.pops > 0:
                world.late.crash_pops(world, place, now_us)
        broker.is_away = how
        broker.away_since_us = now_us
        broker.away_until_us = value >> HOW_BITS
        forget_members(world, place)
        forget_locks(world, place)
        fail_held(world, place, now_us)
        if world.settings.pops > 0:
            fail_held_pops(world, place, 0, now_us)
        if world.settings.delay_queues > 0:
            stop_delivering(world, place, 1 if how == DOWN_GRACEFUL else 0)
        if world.store_rules[place].escapes == 1:
            act_for_master(world, place, how, now_us)
    elif kind == kinds.BACK:
        broker.is_away = 0
        if world.settings.delay_queues > 0:
            start_delivering(world, place, now_us)
        if world.settings.half_queues > 0:
            start_checking(world, place, now_us)
    elif kind == kinds.HANG:
        broker.stands_still = 1
        broker.back_us = value
    elif kind == kinds.RESUME and broker.stands_still == 1:
        broker.stands_still = 0
        if broker.is_away == 0:
            go_on_with_members(world, place, now_us)
