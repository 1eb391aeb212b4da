"""The ways of sending other than the plain synchronous one: where a message begins, and what its events are."""

from __future__ import annotations

from simulator import codes
from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.broker.flushing import look_again
from simulator.engine.network.async_transport import read_request
from simulator.engine.network.sync_transport import read_sync
from simulator.engine.rows import put_send
from simulator.engine.senders.batches import put_ended, sweep
from simulator.engine.senders.closed_loop import await_next, next_of_loop
from simulator.engine.senders.hand_off import next_in_line
from simulator.engine.senders.sender_thread import SELECT_BY_STRATEGY, WAY_ASYNC, WAY_SYNC
from simulator.engine.senders.threads import kind_of
from simulator.engine.sending import send as states
from simulator.engine.sending.accumulating import follow, hold_for_ever, may_batch, waits_in_batch
from simulator.engine.sending.async_flow import ask_permits, begin_async, end_async, permit_denied, retry_async, start
from simulator.engine.sending.ending import Ending, Message
from simulator.engine.sending.hedging import end_beside, end_set_aside, hedge_async, hedge_now
from simulator.engine.sending.message import MESSAGE_ILLEGAL, PASSED, fill_message
from simulator.engine.sending.one_attempt import begin_one_attempt, end_one_attempt, rest_thread
from simulator.engine.sending.send import Send
from simulator.engine.sending.spare_sends import append, give_back, take
from simulator.engine.sending.sync_send import begin_attempt, begin_loop, open_record
from simulator.engine.unknown import unknown_state
from simulator.engine.world import World


@rule()
def begin_way(world: World, thread: int, now_us: Us, message: Message) -> None:
    """Begin a message on an idle thread in its group's way."""
    fixed = kind_of(world, thread)
    way = fixed.way
    send = take(world) if way == WAY_ASYNC else world.sends[thread]
    open_record(world, send, thread, now_us, message)
    refused = fill_message(world, send)
    if refused != PASSED:
        hold_for_ever(world, send)
        put_send(world, send, now_us, Ending(codes.NO_MASTER, refused, 0, -1, -1))
        if way == WAY_ASYNC:
            give_back(world, send)
    elif not may_batch(world, send) or not waits_in_batch(world, send, now_us):
        _send_now(world, send, now_us)


@rule()
def _send_now(world: World, send: Send, now_us: Us) -> None:
    """Begin the attempts of a message, and with it of its batch, if that is not too large."""
    fixed = kind_of(world, send.thread)
    if send.batch > 0 and send.message_bytes > world.settings.max_message_bytes:
        put_ended(world, send, now_us, Ending(codes.NO_MASTER, MESSAGE_ILLEGAL, 0, -1, -1))
        if fixed.way == WAY_ASYNC:
            give_back(world, send)
        else:
            rest_thread(world, send.thread, now_us)
    elif fixed.way == WAY_ASYNC:
        begin_async(world, send, now_us)
    elif fixed.way == WAY_SYNC and fixed.selector == SELECT_BY_STRATEGY:
        begin_loop(world, send, now_us)
    else:
        begin_one_attempt(world, send, now_us)


@rule()
def resume(world: World, thread: int, now_us: Us) -> None:
    """The thread takes its next message: of its closed loop, or the first of its hand-off queue."""
    own = world.sends[thread]
    own.state = states.IDLE
    in_loop = kind_of(world, thread).loop >= 0
    message = next_of_loop(world, thread, now_us) if in_loop else next_in_line(world, thread)
    begin_way(world, thread, now_us, message)
    if own.state == states.IDLE and own.length > 0:
        await_next(world, thread, now_us)


@rule()
def handle(world: World, send: Send, now_us: Us) -> None:
    """The event of a record that is neither the end of a plain attempt nor a giving up."""
    state = send.state
    if state == states.IN_ASYNC and send.under_way == 0:
        end_async(world, send, now_us)
    elif state == states.IN_SOCKET:
        read_request(world, send, now_us)
    elif state == states.UNREAD:
        read_sync(world, send, now_us)
    elif state == states.APPENDING:
        append(world, send)
    elif state == states.UNFLUSHED:
        look_again(world, send, now_us)
    elif state == states.IN_ONE_ATTEMPT:
        end_one_attempt(world, send, now_us)
    elif state == states.RESUMING:
        resume(world, send.number, now_us)
    elif state == states.GRANTED:
        ask_permits(world, send, now_us)
    elif state == states.WAITING_RETRY and kind_of(world, send.thread).way == WAY_ASYNC:
        retry_async(world, send, now_us)
    elif state == states.WAITING_RETRY:
        begin_attempt(world, send, now_us)
    elif state == states.IN_ASYNC:
        end_beside(world, send, now_us)
    elif state == states.HEDGE_DUE and kind_of(world, send.thread).way == WAY_ASYNC:
        hedge_async(world, send, now_us)
    elif state == states.HEDGE_DUE:
        hedge_now(world, send, now_us)
    elif state == states.SET_ASIDE:
        end_set_aside(world, send, now_us)
    elif state == states.STARTING:
        start(world, send, now_us)
    elif state == states.FOLLOWING:
        follow(world, send, now_us)
    elif state == states.LEADING:
        _send_now(world, send, now_us)
    elif state == states.SWEEPING:
        sweep(world, send, now_us)
    elif state in states.WAITING_PERMIT:
        permit_denied(world, send, now_us)
    else:
        unknown_state(world, state)
