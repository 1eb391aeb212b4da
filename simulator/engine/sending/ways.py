"""The ways of sending other than the plain synchronous one: where a message begins."""

from __future__ import annotations

from simulator import codes
from simulator.client.steps.steps import Ending
from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.memory.events import RESUMING
from simulator.engine.memory.send import IDLE, RESTING, Attempt, GivenMessage
from simulator.engine.memory.sender_thread import SELECT_BY_STRATEGY, WAY_ASYNC, WAY_SYNC
from simulator.engine.memory.world import World
from simulator.engine.senders.away_processes import lose_waiting, silent_until
from simulator.engine.senders.closed_loop import await_next, next_of_loop
from simulator.engine.senders.hand_off import next_in_line
from simulator.engine.sending.accumulating import hold_for_ever, may_batch, waits_in_batch
from simulator.engine.sending.async_flow import begin_async
from simulator.engine.sending.ended import end_message
from simulator.engine.sending.message import MESSAGE_ILLEGAL, PASSED, fill_message
from simulator.engine.sending.one_attempt import begin_one_attempt, leave_thread
from simulator.engine.sending.sync_send import begin_loop, begin_otherwise, open_in_thread, open_record
from simulator.engine.shared import heap
from simulator.engine.shared.threads import client_of, kind_of, message_of
from simulator.kernel.pools import give_back, take


@rule()
def _open_alone(world: World, thread: int, now_us: Us, message: GivenMessage) -> Attempt:
    """A record of a new asynchronous message."""
    send = take(world, world.clock.asynchronous, world.attempts)
    open_record(world, send, thread, now_us, message)
    world.async_parts[send.number].beside = 0
    return send


@rule()
def _open(world: World, thread: int, now_us: Us, message: GivenMessage) -> Attempt:
    """A record of a new message of the thread."""
    if kind_of(world, thread).way == WAY_ASYNC:
        return _open_alone(world, thread, now_us, message)
    return open_in_thread(world, thread, now_us, message)


@rule()
def begin_way(world: World, thread: int, now_us: Us, message: GivenMessage) -> None:
    """Begin a message on an idle thread in its group's way."""
    send = _open(world, thread, now_us, message)
    refused = fill_message(world, message_of(world, send))
    if refused != PASSED:
        hold_for_ever(world, send)
        end_message(world, send, now_us, Ending(codes.NO_MASTER, refused, 0, -1, -1))
        if kind_of(world, thread).way == WAY_ASYNC:
            give_back(world.clock.asynchronous, send)
        else:
            give_back(world.clock.blocking, send)
            world.thread_states[thread].doing = IDLE
    elif not may_batch(world, send) or not waits_in_batch(world, send, now_us):
        send_now(world, send, now_us)


@rule()
def send_now(world: World, send: Attempt, now_us: Us) -> None:
    """Begin the attempts of a message, and with it of its batch, if that is not too large."""
    fixed, message = kind_of(world, send.thread), message_of(world, send)
    if message.batch > 0 and message.message_bytes > client_of(world, send.thread).max_message_bytes:
        end_message(world, send, now_us, Ending(codes.NO_MASTER, MESSAGE_ILLEGAL, 0, -1, -1))
        if fixed.way == WAY_ASYNC:
            give_back(world.clock.asynchronous, send)
        else:
            leave_thread(world, send, now_us)
    elif fixed.way == WAY_ASYNC:
        begin_async(world, send, now_us)
    elif fixed.way == WAY_SYNC and fixed.selector == SELECT_BY_STRATEGY:
        begin_loop(world, send, now_us)
    else:
        begin_one_attempt(world, send, now_us)


@rule()
def resume(world: World, thread: int, now_us: Us) -> None:
    """The thread takes its next message: of its closed loop, or the first of its hand-off queue."""
    own = world.thread_states[thread]
    if world.settings.silences > 0:
        until_us = silent_until(world, thread, now_us)
        if until_us > now_us:
            own.doing = RESTING
            heap.push(world, until_us, RESUMING, thread)
            return
        lose_waiting(world, thread, now_us)
    own.doing = IDLE
    in_loop = kind_of(world, thread).loop >= 0
    if not in_loop and own.waiting == 0:  # after a local transaction
        return
    message = next_of_loop(world, thread, now_us) if in_loop else next_in_line(world, thread)
    begin_otherwise(world, thread, now_us, message)
    if own.doing == IDLE:
        await_next(world, thread, now_us, now_us)
