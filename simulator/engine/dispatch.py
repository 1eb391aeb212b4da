"""What happens to whom: every kind of event but the two of the plainest messages, which the loop looks at first."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.broker.orders import append
from simulator.engine.broker.roles import change_role
from simulator.engine.memory import events
from simulator.engine.memory.send import Attempt
from simulator.engine.memory.world import World
from simulator.engine.network.async_transport import read_request
from simulator.engine.network.sync_transport import read_sync
from simulator.engine.network.travelling import move
from simulator.engine.senders.batches import sweep
from simulator.engine.sending.accumulating import follow
from simulator.engine.sending.async_flow import connected, end_permit_wait, retry_async, start
from simulator.engine.sending.hedging import end_attempt_async, end_set_aside, hedge_async, hedge_now
from simulator.engine.sending.one_attempt import end_one_attempt
from simulator.engine.sending.over_proxy import happen_over_proxy
from simulator.engine.sending.sync_send import begin_attempt
from simulator.engine.sending.unflushed import learn_fate
from simulator.engine.sending.ways import resume, send_now
from simulator.engine.shared.unknown import unknown_event
from simulator.engine.timers import fire


@rule(inlined=True)
def sent_by(world: World, thread: int) -> Attempt:
    """The message for which a sender thread waits."""
    return world.attempts[world.thread_states[thread].send]


@rule()
def handle(world: World, kind: int, number: int, now_us: Us) -> None:
    """Let an event happen to what has that number."""
    if kind <= events.POLICY_TICK:
        fire(world, kind, now_us)
    elif kind == events.ROLE:
        change_role(world, number, now_us)
    elif kind < events.IN_ASYNC:
        _handle_in_thread(world, kind, number, now_us)
    elif kind < events.SWEEPING:
        _handle_async(world, kind, world.attempts[number], now_us)
    elif kind == events.SWEEPING:
        sweep(world, number, now_us)
    elif kind == events.SET_ASIDE:
        end_set_aside(world, world.asides[number], now_us)
    elif kind == events.APPENDING:
        append(world, world.appending[number])
    elif kind == events.UNFLUSHED:
        learn_fate(world, world.unflushed[number], now_us)
    elif kind <= events.ANSWERING:
        move(world, kind, world.travelling[number], now_us)
    else:
        unknown_event(world, kind)


@rule()
def _handle_in_thread(world: World, kind: int, thread: int, now_us: Us) -> None:
    send = sent_by(world, thread)
    if kind == events.IN_ONE_ATTEMPT:
        end_one_attempt(world, send, now_us)
    elif kind == events.RESUMING:
        resume(world, thread, now_us)
    elif kind == events.WAITING_RETRY:
        begin_attempt(world, send, now_us)
    elif kind == events.HEDGE_DUE:
        hedge_now(world, send, now_us)
    elif kind == events.UNREAD:
        read_sync(world, send, now_us)
    elif kind == events.LEADING:
        send_now(world, send, now_us)
    elif kind == events.FOLLOWING:
        follow(world, send, now_us)
    else:
        unknown_event(world, kind)


@rule()
def _handle_async(world: World, kind: int, send: Attempt, now_us: Us) -> None:
    if kind >= events.AT_PROXY:
        happen_over_proxy(world, kind, send, now_us)
    elif kind == events.IN_ASYNC:
        end_attempt_async(world, send, now_us)
    elif kind == events.STARTING:
        start(world, send, now_us)
    elif kind == events.WAITING_PERMIT:
        end_permit_wait(world, send, now_us)
    elif kind == events.WAITING_ASYNC_RETRY:
        retry_async(world, send, now_us)
    elif kind == events.STANDING_BY:
        hedge_async(world, send, now_us)
    elif kind == events.IN_SOCKET:
        read_request(world, send, now_us)
    elif kind == events.CONNECTING:
        connected(world, send, now_us)
    elif kind == events.LEADING_ASYNC:
        send_now(world, send, now_us)
    elif kind == events.FOLLOWING_ASYNC:
        follow(world, send, now_us)
    else:
        unknown_event(world, kind)
