"""The request of a synchronous attempt that lies in a socket of a broker that stands still.

Sockets only where others send asynchronously: many requests of one of those lie in one connection and are read one
behind the other, so it matters whether a synchronous one is read before or behind them. Where all are synchronous each
thread has one request, and the order is nearly that of sending.
"""

from __future__ import annotations

from simulator import codes
from simulator.client.sending.send_loop import GIVEN_UP
from simulator.compiled.jit import rule
from simulator.compiled.records import Ms, Us
from simulator.engine.broker.orders import await_append
from simulator.engine.memory.events import IN_ATTEMPT
from simulator.engine.memory.send import Attempt
from simulator.engine.memory.world import World
from simulator.engine.network.heartbeats import heartbeat_closes_at
from simulator.engine.network.request import has_master, read_by_broker
from simulator.engine.network.sockets import READ_WITHIN_US, lay_in_socket, read_at, read_next, take_from_socket
from simulator.engine.shared import heap


@rule()
def waits_unread(world: World, send: Attempt, now_us: Us, wait_ms: Ms) -> int:
    """Lay the request of an attempt in its connection if the process stands still and goes on in time: 1, else 0.

    `wait_ms` (of rules.response_wait): what is waited for the answer once connected.
    """
    if wait_ms == GIVEN_UP:
        return 0
    on_us, deadline_us = read_at(world, send, now_us), now_us + send.connect_us + wait_ms * 1000
    if on_us == now_us or on_us + READ_WITHIN_US >= deadline_us or has_master(world, send, now_us) == 0:
        return 0
    if heartbeat_closes_at(world, send, now_us, on_us) != on_us:
        return 0
    send.outcome = codes.RESPONSE_TIMEOUT  # so far
    send.ends_us = deadline_us
    send.stored_us = -1
    lay_in_socket(world, send, on_us)
    return 1


@rule()
def read_sync(world: World, send: Attempt, now_us: Us) -> None:
    """A broker that goes on reads the request of a sender thread; the next one of its connection comes right behind."""
    follower, connect_us = take_from_socket(world, send), send.connect_us
    left_ms = (send.ends_us - now_us) // 1000
    send.connect_us = 0  # that was before
    send.ends_us = read_by_broker(world, send, now_us, left_ms)
    send.connect_us = connect_us
    heap.await_in_thread(world, send, IN_ATTEMPT, send.ends_us)
    if world.settings.orders_checked == 1:
        await_append(world, send)
    read_next(world, follower, now_us)
