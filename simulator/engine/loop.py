"""The event loop: events in the order (time, class, number, kind), then what arrives at the same moment."""

from __future__ import annotations

from simulator.codes import HAND_OFF_QUEUE_FULL
from simulator.compiled.jit import entry, rule
from simulator.compiled.records import Us
from simulator.engine.ahead import look_ahead
from simulator.engine.dispatch import handle, sent_by
from simulator.engine.memory.events import GIVING_UP, IN_ATTEMPT, kind_of_event, number_of_event
from simulator.engine.memory.send import IDLE, GivenMessage
from simulator.engine.memory.sender_thread import WAY_PLAIN
from simulator.engine.memory.settings import FAR
from simulator.engine.memory.tally import end_tally
from simulator.engine.memory.world import World
from simulator.engine.senders.hand_off import wait_in_line
from simulator.engine.sending.sync_send import begin_otherwise, begin_send, end_attempt, give_up
from simulator.engine.shared.rows import close_window, put_refused
from simulator.engine.shared.threads import kind_of
from simulator.kernel.event_heap import pop


@rule(inlined=True)
def _has_room(world: World) -> bool:
    """Whether one event finds a place to wait in, and every table room for what it can put out."""
    clock, output = world.clock, world.output
    return clock.free_place >= 0 and clock.short == 0 and output.full == 0


@rule(inlined=True)
def _arrive(world: World, thread: int, now_us: Us, message: GivenMessage) -> None:
    fixed, own = kind_of(world, thread), world.thread_states[thread]
    if own.doing == IDLE:
        if fixed.way == WAY_PLAIN:
            begin_send(world, thread, now_us, message)
        else:
            begin_otherwise(world, thread, now_us, message)
    elif fixed.skips == 1:
        world.clock.skipped += 1
    elif own.waiting < fixed.hand_off_limit:
        wait_in_line(world, thread, message)
    else:
        number = thread * world.settings.topics + message.topic
        put_refused(world, thread, message, world.send_seqs[number], HAND_OFF_QUEUE_FULL)
        world.send_seqs[number] += 1


@entry
def run_until(world: World, until_us: Us) -> int:
    """Handle every event before `until_us`, arrivals from row `world.arrivals.next` on: 1 once that is done.

    With `until_us` = FAR it goes on until nothing is in flight, and closes the open window. Stops early for want of
    room, in a table or the hand-off queues, and then gives 0.
    """
    clock, arrivals = world.clock, world.arrivals
    while True:
        row = arrivals.next
        arrival_us = arrivals.at_us[row] if row < arrivals.count else FAR
        if until_us == FAR and arrival_us == FAR and clock.heap_size == clock.timers_set:
            break
        event_us = world.heap[0].at_us  # that of the window's timer, if of no other
        now_us = min(event_us, arrival_us)
        if now_us >= until_us:
            break
        if not _has_room(world):
            return 0
        clock.now_us = now_us
        if event_us == now_us:
            what = pop(world)
            kind, number = kind_of_event(what), number_of_event(what)
            if kind == IN_ATTEMPT:
                end_attempt(world, sent_by(world, number), now_us)
            elif kind == GIVING_UP:
                give_up(world, sent_by(world, number), now_us)
            else:
                handle(world, kind, number, now_us)
        else:
            look_ahead(world, row)
            arrivals.next = row + 1
            _arrive(world, arrivals.thread[row], now_us, GivenMessage(now_us, arrivals.topic[row], arrivals.draw[row]))
    if until_us == FAR:
        if not _has_room(world):
            return 0
        close_window(world)
        if world.output.tally.wanted == 1:
            end_tally(world.output.tally)
    else:
        clock.now_us = until_us
    return 1
