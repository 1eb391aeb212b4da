"""What happens to whom: every kind of event but those of plain messages, which the loop handles itself."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.memory import events
from simulator.engine.memory.send import Attempt
from simulator.engine.memory.world import World
from simulator.engine.network.async_transport import read_request
from simulator.engine.network.sync_transport import read_sync
from simulator.engine.senders.batches import sweep
from simulator.engine.sending.accumulating import follow
from simulator.engine.sending.async_flow import connected, end_permit_wait, refuse_unrouted, retry_async, start
from simulator.engine.sending.hedging import end_attempt_async, end_set_aside, hedge_async, hedge_now
from simulator.engine.sending.one_attempt import end_one_attempt, end_unrouted
from simulator.engine.sending.sync_send import begin_attempt
from simulator.engine.sending.ways import resume, send_now
from simulator.engine.shared import heap
from simulator.engine.shared.rows import close_window
from simulator.engine.shared.unknown import unknown_event


@rule(inlined=True)
def sent_by(world: World, thread: int) -> Attempt:
    """The message for which a sender thread waits."""
    return world.attempts[world.thread_states[thread].send]


@rule()
def handle(world: World, kind: int, number: int, now_us: Us) -> None:
    """Let an event happen to what has that number."""
    late = world.late
    if kind == events.WINDOW:
        close_window(world)
        heap.push(world, now_us + world.settings.window_us, kind, 0)
    elif kind <= events.POLICY_TICK:
        heap.push(world, late.fire_timer(world, kind, now_us), kind, 0)
    elif kind == events.ROLE:
        late.happen_at_broker(world, kind, number, now_us)
    elif events.AT_PROXY <= kind <= events.UNHEARD_AT_PROXY:
        late.over_proxy(world, kind, number, now_us, 0, 0, 0)
    elif kind <= events.SET_ASIDE:
        late.in_other_way(world, kind, number, now_us, 0, 0, 0)
    elif kind == events.APPENDING or kind == events.UNFLUSHED:
        late.happen_at_broker(world, kind, number, now_us)
    elif kind <= events.ANSWERING:
        late.move_request(world, kind, number, now_us)
    else:
        unknown_event(world, kind)


@rule()
def handle_in_way(world: World, kind: int, number: int, now_us: Us) -> None:
    """An event of a message that is not plain."""
    if kind < events.IN_ASYNC:
        _handle_in_thread(world, kind, number, now_us)
    elif kind < events.SWEEPING:
        _handle_async(world, kind, world.attempts[number], now_us)
    elif kind == events.SWEEPING:
        sweep(world, number, now_us)
    else:
        end_set_aside(world, world.asides[number], now_us)


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
    elif kind == events.UNROUTED:
        end_unrouted(world, send, now_us)
    else:
        unknown_event(world, kind)


@rule()
def _handle_async(world: World, kind: int, send: Attempt, now_us: Us) -> None:
    if kind == events.IN_ASYNC:
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
    elif kind == events.NO_ROUTE:
        refuse_unrouted(world, send, now_us)
    else:
        unknown_event(world, kind)
