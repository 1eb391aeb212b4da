"""A synchronous time-out that closes its connection, and with it every other request that is under way there.

A request that is sent later over the connection is cut when it is sent (request.py). One that was sent before and
would end after the time-out is found here: only the sender threads of the same producer can have one.
"""

from __future__ import annotations

from simulator import codes
from simulator.client.sending.closing import NEVER, closes
from simulator.compiled.jit import rule
from simulator.compiled.records import Ms, Us
from simulator.engine.memory.events import IN_ATTEMPT, IN_ONE_ATTEMPT
from simulator.engine.memory.send import SENDING, Attempt
from simulator.engine.memory.sender_thread import WAY_PLAIN, WAY_SYNC
from simulator.engine.memory.world import World
from simulator.engine.network.connection import close
from simulator.engine.shared import heap
from simulator.engine.shared.threads import client_of, kind_of, producer_of


@rule(inlined=True)
def _waits_beyond(send: Attempt, broker: int, at_us: Us) -> bool:
    """Whether a send waits at `at_us` for an answer of the broker, over a connection that stands."""
    return (
        (send.state == IN_ATTEMPT or send.state == IN_ONE_ATTEMPT)
        and send.broker == broker
        and send.ends_us > at_us
        and send.attempt_begin_us + send.connect_us <= at_us
        and send.outcome != codes.CONNECT_REFUSED
        and send.outcome != codes.NO_MASTER
    )


@rule()
def close_after_timeout(world: World, send: Attempt, wait_ms: Ms, at_us: Us) -> None:
    """What follows when the client notices at `at_us` that the request of a send has timed out."""
    closing, way = client_of(world, send.thread).closes_on_timeout, kind_of(world, send.thread).way
    if closing == NEVER or (way != WAY_PLAIN and way != WAY_SYNC):
        return
    if closes(closing, send.connect_us // 1000 + wait_ms, wait_ms) == 0:
        return
    close(world, send, at_us)
    producer = world.producers[producer_of(world, send)]
    for number in range(producer.first_thread, producer.first_thread + producer.thread_count):
        own = world.thread_states[number]
        if own.doing != SENDING or number == send.thread:
            continue
        other = world.attempts[own.send]
        if _waits_beyond(other, send.broker, at_us):
            other.outcome = codes.SEND_FAILURE
            other.code = codes.NO_CODE
            other.ends_us = at_us
            heap.hasten(world, at_us, other.state, number)
