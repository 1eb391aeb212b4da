"""Permits of asynchronous back-pressure: fair semaphores of messages and bytes, for each producer.

Source: rocketmq 5.0.0-5.3.3, DefaultMQProducerImpl (semaphoreAsyncSendNum, semaphoreAsyncSendSize) and its
BackpressureSendCallBack, each call of which gives the permits of its message back.
"""

from __future__ import annotations

from typing import Any

from simulator.client.sending.async_admission import permits_of
from simulator.compiled.jit import rule
from simulator.engine import heap
from simulator.engine.layout import (
    BODY,
    BYTES_HEAD,
    BYTES_LEFT,
    GRANTED,
    NUMBER_HEAD,
    NUMBER_LEFT,
    PERMITTED,
    PRODUCER_ROWS,
    PRODUCER_SIZE,
    PRODUCER_STATE_SIZE,
    PRODUCER_STATES,
    REFUSALS,
    REFUSALS_REPORTED,
    STATE,
)
from simulator.engine.sending.spare_sends import at, take_first
from simulator.engine.sending.threads import producer_of_record


@rule(inlined=True)
def producer_state(c: Any, m: Any, s: Any) -> Any:
    """Offset of the state of the record's producer in m."""
    return c[PRODUCER_STATES] + producer_of_record(c, m, s) * PRODUCER_STATE_SIZE


@rule()
def return_permits(c: Any, m: Any, s: Any, now_us: Any) -> None:
    """Give the record's permits back, once for each call of its callback, and them to those who wait longest."""
    p, producer = producer_state(c, m, s), producer_of_record(c, m, s)
    reported = c[c[PRODUCER_ROWS] + producer * PRODUCER_SIZE + REFUSALS_REPORTED]
    calls = 1 + m[s + REFUSALS] * (reported - 1)
    if m[s + PERMITTED] >= 1:
        m[p + NUMBER_LEFT] += calls
    if m[s + PERMITTED] == 2:
        m[p + BYTES_LEFT] += calls * permits_of(m[s + BODY])
    m[s + PERMITTED] = 0
    while m[p + NUMBER_HEAD] >= 0 and m[p + NUMBER_LEFT] > 0:
        record = take_first(c, m, p + NUMBER_HEAD)
        m[p + NUMBER_LEFT] -= 1
        _grant(c, m, record, 1, now_us)
    while m[p + BYTES_HEAD] >= 0 and m[p + BYTES_LEFT] >= permits_of(m[at(c, m[p + BYTES_HEAD]) + BODY]):
        record = take_first(c, m, p + BYTES_HEAD)
        m[p + BYTES_LEFT] -= permits_of(m[at(c, record) + BODY])
        _grant(c, m, record, 2, now_us)


@rule()
def _grant(c: Any, m: Any, record: Any, permits: Any, now_us: Any) -> None:
    s = at(c, record)
    m[s + PERMITTED] = permits
    m[s + STATE] = GRANTED
    heap.hasten(c, m, now_us, record)
