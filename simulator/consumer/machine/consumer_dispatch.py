"""What happens to whom: every kind of event of the consumer machine."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.broker.held_pulls import look_at_held
from simulator.consumer.broker.members import beat, scan_silent
from simulator.consumer.broker.offset_table import flush_offsets, persist
from simulator.consumer.client.pulling import go_on
from simulator.consumer.client.rebalance import balance
from simulator.consumer.links.instance_routes import poll_routes
from simulator.consumer.links.reaching import can_be_reached
from simulator.consumer.machine.windows import close_window
from simulator.consumer.memory import consumer_events as events
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.held_queue import ASKED, POP_ASKED, POP_READS
from simulator.consumer.memory.instance import NOBODY
from simulator.consumer.shared import due_heap
from simulator.consumer.shared.broker_timers import set_broker_timer_again
from simulator.consumer.shared.holdings import consumption_of, is_proxied
from simulator.consumer.shared.instance_timers import set_again, set_timer, timer_due_us


@rule()
def handle(world: ConsumerWorld, kind: int, number: int, now_us: Us) -> None:
    """Let an event happen to the actor of that number."""
    actor = events.actor_of(kind)
    if actor == events.WORKER or actor == events.HELD_QUEUE or actor == events.INSTANCE:
        _handle_in_process(world, kind, number, now_us)
    elif actor == events.DELIVERER:
        world.late.deliver_delayed(world, number, now_us)
    elif actor == events.BROKER:
        _handle_at_broker(world, kind, number, now_us)
    elif actor == events.HALF_REQUEST or kind == events.CHECK_ROUND or kind == events.CHECK_NEXT:
        world.late.follow_transaction(world, kind, number, now_us)
    elif actor == events.REVIVER:
        world.late.revive(world, number, now_us)
    elif actor == events.GROUP:
        world.late.scale_group(world, number, now_us)
        due_heap.push(world, now_us + world.groups[number].scale_poll_us, kind, number)
    else:
        close_window(world, now_us)
        due_heap.push(world, now_us + world.settings.window_us, kind, number)


@rule()
def _handle_at_broker(world: ConsumerWorld, kind: int, number: int, now_us: Us) -> None:
    """A timer of a broker; one that stands still or is away skips its turn."""
    set_broker_timer_again(world, number, kind, now_us)
    if not can_be_reached(world, number):
        return
    if kind == events.HELD_TICK:
        look_at_held(world, number, now_us)
    elif kind == events.SILENCE_SCAN:
        scan_silent(world, number, now_us)
    elif kind == events.OFFSET_FLUSH:
        flush_offsets(world, number)
        if world.settings.pops > 0:
            world.late.note_flush(world, number, now_us)
    else:
        world.late.keep_store(world, kind, number, now_us)


@rule()
def _handle_in_process(world: ConsumerWorld, kind: int, number: int, now_us: Us) -> None:
    """An event of a client, unless it is out of date; a process that stands still has it as it goes on."""
    if _due_us(world, kind, number) != now_us:
        return
    instance = _process_of(world, kind, number)
    if instance != NOBODY and world.instances[instance].frozen_until_us > now_us:
        _put_off(world, kind, number, world.instances[instance].frozen_until_us)
    elif kind == events.WORKED:
        _end_work(world, number, now_us)
    elif kind == events.PULL:
        go_on(world, number, now_us)
    elif events.actor_of(kind) == events.HELD_QUEUE:
        consumption_of(world, world.holdings[number].instance).own_event(world, kind, number, now_us)
    else:
        _handle_of_instance(world, kind, number, now_us)


@rule(inlined=True)
def _due_us(world: ConsumerWorld, kind: int, number: int) -> int:
    """When a worker, a held queue or a timer of an instance is due."""
    if kind == events.WORKED:
        return world.workers[number].ends_us
    if kind == events.PULL or kind == events.POP:
        return world.holdings[number].due_us
    if kind == events.QUEUE_TURN:
        return world.holdings[number].turn_us
    if kind == events.UNLOCK:
        return world.holdings[number].unlock_us
    return timer_due_us(world, number, kind)


@rule(inlined=True)
def _process_of(world: ConsumerWorld, kind: int, number: int) -> int:
    """The instance whose event it is, NOBODY: a broker acts."""
    if kind == events.WORKED:
        return world.workers[number].instance
    if events.actor_of(kind) == events.HELD_QUEUE:
        holding = world.holdings[number]
        if kind == events.POP:
            return NOBODY if POP_ASKED <= holding.state <= POP_READS else holding.instance
        return NOBODY if kind == events.PULL and holding.state == ASKED else holding.instance
    return number


@rule()
def _put_off(world: ConsumerWorld, kind: int, number: int, until_us: Us) -> None:
    """The event happens then."""
    if events.actor_of(kind) == events.INSTANCE:
        set_timer(world, number, kind, until_us)
        return
    if kind == events.WORKED:
        world.workers[number].ends_us = until_us
    elif kind == events.PULL or kind == events.POP:
        world.holdings[number].due_us = until_us
    elif kind == events.QUEUE_TURN:
        world.holdings[number].turn_us = until_us
    else:
        world.holdings[number].unlock_us = until_us
    due_heap.push(world, until_us, kind, number)


@rule()
def _end_work(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """A consume thread has handled its batch."""
    worker = world.workers[number]
    group = world.instances[worker.instance].group
    world.tallies[group].busy_us += now_us - worker.counted_us
    world.consumption[group].ended(world, number, now_us)


@rule()
def _handle_of_instance(world: ConsumerWorld, kind: int, number: int, now_us: Us) -> None:
    """A timer of an instance."""
    set_again(world, number, kind, now_us)
    if is_proxied(world, number) and kind != events.REBALANCE:
        consumption_of(world, number).own_event(world, kind, number, now_us)
    elif kind == events.PERSIST:
        persist(world, number)
    elif kind == events.HEARTBEAT:
        beat(world, number, now_us)
    elif kind == events.ROUTE_POLL:
        poll_routes(world, number, now_us)
    elif kind == events.REBALANCE:
        balance(world, number, now_us)
    else:
        consumption_of(world, number).own_event(world, kind, number, now_us)
