"""What a broker's process that stands still finds when it goes on: its connections, each with requests in order.

They lie in the kernel's buffers, one for each connection (a producer has one to a broker). The process empties one
after the other, so the requests of a producer come to the send threads one right behind the other, not mixed with
those of others as they were sent. In what order it comes to the connections is up to the operating system: it is
drawn. For asynchronous sends, and beside those for synchronous ones (sync_transport.py).
Source: rocketmq 4.2.0-5.3.3, NettyRemotingServer (epoll or NIO event loops, which read a ready channel until it is
empty); seen in recordings of stopped brokers.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.memory.events import IN_SOCKET, UNREAD
from simulator.engine.memory.periods_table import ANSWER, ANSWER_REFUSE, ANSWER_VALUE, SPEED
from simulator.engine.memory.send import QUEUED, Attempt, Queue
from simulator.engine.memory.sender_thread import WAY_ASYNC
from simulator.engine.memory.world import World
from simulator.engine.network.connection import goes_down_at, is_away
from simulator.engine.shared import heap
from simulator.engine.shared.periods import has_period, periods_of, start_after_standstill, value_at
from simulator.engine.shared.send_queues import put_last, take_first
from simulator.engine.shared.threads import kind_of, producer_of
from simulator.kernel.randomness import ATTEMPT_READ, attempt_word, below

READ_WITHIN_US = 1000  # of going on, all connections


@rule()
def read_at(world: World, send: Attempt, now_us: Us) -> int:
    """When the broker's process goes on, if it stands still and the send's request waits for it, else `now_us`."""
    broker = send.broker
    if not has_period(world, periods_of(world, broker, SPEED), now_us):
        return now_us
    if world.settings.networks_on == 1:
        return now_us  # what is under way is read when it is there (travelling.py)
    on_us = start_after_standstill(world, broker, now_us)
    if on_us == now_us:
        return now_us
    if value_at(world, periods_of(world, broker, ANSWER), now_us, 0) & ~ANSWER_VALUE == ANSWER_REFUSE:
        return now_us
    if world.settings.connections_on == 1 and (
        is_away(world, send, now_us) != 0 or goes_down_at(world, broker, now_us) <= on_us + READ_WITHIN_US
    ):
        return now_us
    return on_us


@rule(inlined=True)
def socket_of(world: World, send: Attempt) -> Queue:
    """The requests that lie in the connection over which a record sends."""
    return world.sockets[producer_of(world, send) * world.settings.brokers + send.broker]


@rule()
def lay_in_socket(world: World, send: Attempt, on_us: Us) -> None:
    """The send's request waits until the process, which goes on then, reads its connection."""
    socket = socket_of(world, send)
    is_first = socket.head < 0
    put_last(world, socket, send)
    send.state = QUEUED
    if is_first:
        word = attempt_word(send.draw, ATTEMPT_READ, send.attempt)
        _await_reading(world, send, on_us + below(word, READ_WITHIN_US))


@rule()
def _await_reading(world: World, send: Attempt, at_us: Us) -> None:
    """The send's request, which is the first of its connection, is read then."""
    if kind_of(world, send.thread).way == WAY_ASYNC:
        heap.await_alone(world, send, IN_SOCKET, at_us)
    else:
        heap.await_in_thread(world, send, UNREAD, at_us)


@rule()
def take_from_socket(world: World, send: Attempt) -> int:
    """Take the first request, which is that of the send, out of its connection; gives the next one's number or -1."""
    socket = socket_of(world, send)
    take_first(world, socket)
    return socket.head


@rule()
def read_next(world: World, number: int, now_us: Us) -> None:
    """The request of that number comes right behind, if there is one."""
    if number >= 0:
        _await_reading(world, world.attempts[number], now_us)
