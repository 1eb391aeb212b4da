"""The event loop: events in the order (time, class, record or thread), class = timer, event of a record, arrival."""

from __future__ import annotations

from simulator.compiled.jit import entry, rule
from simulator.compiled.records import Us
from simulator.engine import heap
from simulator.engine.ahead import look_ahead
from simulator.engine.network.detecting import detect
from simulator.engine.network.route_polls import poll
from simulator.engine.rows import close_window, put_refused
from simulator.engine.sending.ending import Message
from simulator.engine.sending.hand_off import wait_in_line
from simulator.engine.sending.send import GIVING_UP, HAND_OFF_QUEUE_FULL, IDLE, IN_ATTEMPT
from simulator.engine.sending.sender_thread import WAY_PLAIN
from simulator.engine.sending.spare_sends import NEEDED
from simulator.engine.sending.sync_send import begin_send, end_attempt, give_up
from simulator.engine.sending.ways import begin_way, handle
from simulator.engine.settings import FAR
from simulator.engine.world import World


@rule(inlined=True)
def _has_room(world: World) -> bool:
    """Whether one event finds a place to wait in, and every table room for what it can put out."""
    clock, output = world.clock, world.output
    return (
        clock.free_place >= 0
        and clock.free_records >= NEEDED
        and output.attempts.rows <= output.attempts.limit
        and output.sends.rows <= output.sends.limit
        and output.fault_items.rows <= output.fault_items.limit
        and output.windows.rows <= output.windows.limit
    )


@rule(inlined=True)
def _arrive(world: World, thread: int, now_us: Us, message: Message) -> None:
    fixed, send = world.threads[thread], world.sends[thread]
    if send.state == IDLE:
        if fixed.way == WAY_PLAIN:
            begin_send(world, send, now_us, message)
        else:
            begin_way(world, thread, now_us, message)
    elif fixed.skips == 1:
        world.clock.skipped += 1
    elif send.length < fixed.hand_off_limit:
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
    clock, settings, arrivals = world.clock, world.settings, world.arrivals
    while True:
        row = arrivals.next
        end_us = world.heap[0].at_us if clock.heap_size > 0 else FAR
        arrival_us = arrivals.at_us[row] if row < arrivals.count else FAR
        event_us = min(end_us, arrival_us)
        if until_us == FAR and event_us == FAR:
            break
        window_us = (clock.next_window + 1) * settings.window_us
        timer_us = min(window_us, clock.next_detect_us, clock.next_poll_us)
        now_us = min(timer_us, event_us)
        if now_us >= until_us:
            break
        if not _has_room(world):
            return 0
        clock.now_us = now_us
        if timer_us == now_us:
            if window_us == now_us:
                close_window(world)
            elif clock.next_poll_us == now_us:
                poll(world, now_us)
            else:
                detect(world, now_us)
                clock.next_detect_us += settings.detect_period_us
        elif end_us == now_us:
            send = world.sends[heap.pop(world)]
            if send.state == IN_ATTEMPT:
                end_attempt(world, send, now_us)
            elif send.state == GIVING_UP:
                give_up(world, send, now_us)
            else:
                handle(world, send, now_us)
        else:
            look_ahead(world, row)
            arrivals.next = row + 1
            _arrive(world, arrivals.thread[row], now_us, Message(now_us, arrivals.topic[row], arrivals.draw[row]))
    if until_us == FAR:
        if not _has_room(world):
            return 0
        close_window(world)
    else:
        clock.now_us = until_us
    return 1
