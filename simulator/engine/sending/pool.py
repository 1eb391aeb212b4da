"""The client's own threads: which of a producer's pool takes a message, and which runs a callback.

Each has a sendWhichQueue of its own on every topic, so what it chooses follows from what it chose before. A Java pool
starts a thread for each of its first tasks, then wakes the one that has waited longest (recorded: strictly in turn).
Source: rocketmq, DefaultMQProducerImpl (AsyncSenderExecutor_, 4.4.0+) and NettyRemotingClient
(NettyClientPublicExecutor_: retries of what timed out or could not be sent; all of the send path in 4.3.x).
"""

from __future__ import annotations

from typing import Any

from simulator.compiled.jit import rule
from simulator.engine.layout import (
    ASYNC_SENDERS,
    CALLBACK_VIEWS,
    CALLBACKS,
    POOL_THREADS,
    PRODUCER_ROWS,
    PRODUCER_SIZE,
    PRODUCER_STATE_SIZE,
    PRODUCER_STATES,
    PRODUCERS,
    SENDER_IDLE,
    SENDER_VIEWS,
    SENDERS_BUSY,
    VIEW_ROW,
)
from simulator.engine.sending.threads import producer_of_record


@rule()
def _ring(c: Any, producer: Any) -> Any:
    """Offset of the producer's sending threads that are idle, the longest first from SENDER_IDLE on."""
    return c[PRODUCER_STATES] + c[PRODUCERS] * PRODUCER_STATE_SIZE + producer * c[ASYNC_SENDERS]


@rule()
def take_sender(c: Any, m: Any, s: Any) -> None:
    """The sending thread that has been idle longest takes the record; there is one."""
    producer = producer_of_record(c, m, s)
    p = c[PRODUCER_STATES] + producer * PRODUCER_STATE_SIZE
    own = m[_ring(c, producer) + m[p + SENDER_IDLE]]
    m[p + SENDER_IDLE] = (m[p + SENDER_IDLE] + 1) % c[ASYNC_SENDERS]
    m[p + SENDERS_BUSY] += 1
    m[s + VIEW_ROW] = c[c[PRODUCER_ROWS] + producer * PRODUCER_SIZE + SENDER_VIEWS] + own


@rule()
def release_sender(c: Any, m: Any, s: Any) -> None:
    """The sending thread of the record is idle."""
    producer = producer_of_record(c, m, s)
    p = c[PRODUCER_STATES] + producer * PRODUCER_STATE_SIZE
    idle = c[ASYNC_SENDERS] - m[p + SENDERS_BUSY]
    place = (m[p + SENDER_IDLE] + idle) % c[ASYNC_SENDERS]
    m[_ring(c, producer) + place] = m[s + VIEW_ROW] - c[c[PRODUCER_ROWS] + producer * PRODUCER_SIZE + SENDER_VIEWS]
    m[p + SENDERS_BUSY] -= 1


@rule()
def call_back(c: Any, m: Any, s: Any) -> None:
    """The next thread of those that run callbacks has the record."""
    producer = producer_of_record(c, m, s)
    p = c[PRODUCER_STATES] + producer * PRODUCER_STATE_SIZE
    row = c[PRODUCER_ROWS] + producer * PRODUCER_SIZE
    m[s + VIEW_ROW] = c[row + CALLBACK_VIEWS] + m[p + CALLBACKS] % c[row + POOL_THREADS]
    m[p + CALLBACKS] += 1
