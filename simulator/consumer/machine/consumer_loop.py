"""The machine's loop: events in the order (time, kind, number), after what brokers did before."""

from __future__ import annotations

from simulator.compiled.jit import entry, rule
from simulator.compiled.records import Us
from simulator.consumer.machine.append_rows import take_append, take_loss
from simulator.consumer.machine.consumer_dispatch import handle
from simulator.consumer.machine.near_memory import look_ahead
from simulator.consumer.machine.windows import close_window
from simulator.consumer.memory.consumer_events import APPEND, kind_of, number_of
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.instance import NOBODY
from simulator.consumer.shared.consumer_rows import put_assignment
from simulator.engine.memory.settings import FAR
from simulator.kernel.event_heap import pop


@rule(inlined=True)
def _has_room(world: ConsumerWorld) -> bool:
    """Whether one event finds the records that it may take; run/consumers/consumer_machine.py grows what is short."""
    clock = world.clock
    return clock.short == 0 and clock.heap_size <= clock.heap_most and world.output.full == 0


@rule()
def _end(world: ConsumerWorld, now_us: Us) -> None:
    """The scenario is over: the window that is open and what is held are put out."""
    if world.clock.window * world.settings.window_us < now_us:
        close_window(world, now_us)
    for number in range(world.settings.instances):
        at = world.instances[number].first_holding
        while at != NOBODY:
            put_assignment(world, world.holdings[at], now_us, 1)
            at = world.holdings[at].next_holding
    world.clock.ended = 1


@entry
def consume_until(world: ConsumerWorld, until_us: Us) -> int:
    """Handle every event before `until_us`, or before the scenario's end if that is sooner: 1 once that is done.

    The rows of brokers before that must be there: appends, losses, answers, handled in this order at one moment.
    Stops early for want of room, and then gives 0.
    """
    clock, actions = world.clock, world.actions
    appends, losses, answers = world.appends, world.losses, world.answers
    end_us = min(until_us, world.settings.duration_us)
    while True:
        append_us = appends.rows[appends.next].at_us if appends.next < appends.count else FAR
        loss_us = losses.rows[losses.next].at_us if losses.next < losses.count else FAR
        answer_us = answers.rows[answers.next].at_us if answers.next < answers.count else FAR
        row_us = min(append_us, min(loss_us, answer_us))
        action_us = actions.rows[actions.next].at_us if actions.next < actions.count else FAR
        due_us = world.heap[0].at_us
        now_us = min(due_us, min(row_us, action_us))
        if now_us >= end_us:
            break
        if not _has_room(world):
            return 0
        clock.now_us = now_us
        if action_us == now_us:
            actions.next += 1
            world.late.act_now(world, actions.next - 1, now_us)
        elif row_us == now_us and (due_us > now_us or kind_of(world.heap[0].what) > APPEND):
            if append_us == now_us:
                take_append(world, now_us)
            elif loss_us == now_us:
                take_loss(world)
            else:
                answers.next += 1
                world.late.answer_half(world, answers.next - 1, now_us)
        else:
            what = pop(world)
            look_ahead(world)
            handle(world, kind_of(what), number_of(what), now_us)
    if until_us >= world.settings.duration_us and clock.ended == 0:
        if not _has_room(world):
            return 0
        _end(world, world.settings.duration_us)
    clock.now_us = end_us
    return 1
