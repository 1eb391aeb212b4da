"""Sends of exactly one attempt on the caller's thread: one-way, and synchronous to a queue that a selector chose.

Source: rocketmq 4.2.0-5.3.3, DefaultMQProducerImpl.sendDefaultImpl (ONEWAY), sendSelectImpl. The semaphore of 65,535
one-way requests is given back when a request is written, which takes no time here, so it is never used up.
"""

from __future__ import annotations

from typing import Any

from simulator import codes
from simulator.client.memory import PICK_REASON, QUEUE_BROKER, QUEUE_COUNT, QUEUE_LIST, QUEUE_SIZE, QUEUES
from simulator.client.memory import QUEUE_ID as ID_OF_QUEUE
from simulator.client.message_queue import NO_QUEUE, broker_of, packed, queue_id_of
from simulator.client.selection.selectors import NO_PLACE, decimal_hash
from simulator.client.sending.send_loop import final_code
from simulator.compiled.jit import rule
from simulator.engine import heap
from simulator.engine.broker.flushing import put_when_known
from simulator.engine.layout import (
    ATTEMPT,
    ATTEMPT_BEGIN_US,
    BROKER,
    BROKERS,
    CODE,
    CONNECT_US,
    DETECTOR_ON,
    DRAW,
    ENDS_US,
    FLUSHES_AWAITED,
    IDLE,
    IN_ONE_ATTEMPT,
    KEY,
    LENGTH,
    ORDERS_CHECKED,
    OUTCOME,
    PRODUCER,
    QUEUE_ID,
    REASON,
    SELECT_BY_HASH,
    SELECT_BY_MACHINE_ROOM,
    SELECT_BY_OWN,
    SELECT_BY_STRATEGY,
    SELECTOR,
    SEND_MSG_TIMEOUT_MS,
    SENDING,
    SENDING_SIZE,
    STATE,
    STRATEGY_ON,
    SUCCEEDED,
    THREAD,
    THREAD_SIZE,
    THREADS,
    TOPIC,
    VIEW_ROW,
    WAY,
    WAY_ONEWAY,
    WINDOW_COUNTS,
    WINDOW_PAIRS,
)
from simulator.engine.network.connection import connecting_us
from simulator.engine.network.request import ask_broker
from simulator.engine.rows import count_attempt, put_attempt, put_fault_item, put_removed_items, put_send
from simulator.engine.sending.closed_loop import await_next
from simulator.engine.sending.spare_sends import await_append
from simulator.engine.sending.sync_send import faults_of, queues_known, view_of
from simulator.randomness import SELECTOR_RANDOM, below, hash3


@rule()
def selected(c: Any, m: Any, s: Any, view: Any, selector: Any, rules: Any) -> Any:
    """The packed queue that the caller's selector chooses for the record at `s`, or NO_QUEUE."""
    queues = m[view + QUEUES]
    count = m[queues + QUEUE_COUNT]
    if count == 0 or selector == SELECT_BY_MACHINE_ROOM:
        return NO_QUEUE
    if selector == SELECT_BY_HASH:
        place = rules.hash_place(decimal_hash(m[s + KEY]), count)
    elif selector == SELECT_BY_OWN:
        place = rules.own_place(queues, s)
    else:
        place = below(hash3(m[s + DRAW], SELECTOR_RANDOM, 0), count)
    if place == NO_PLACE:
        return NO_QUEUE
    entry = queues + QUEUE_LIST + place * QUEUE_SIZE
    return packed(m[entry + QUEUE_BROKER], m[entry + ID_OF_QUEUE])


@rule()
def choose_first(
    c: Any, m: Any, o: Any, memory: Any, s: Any, now_us: Any, rules: Any
) -> Any:  # fmt: skip
    """Choose the first queue of a message, by its selector or the client's strategy: 1, or 0 if there is none."""
    thread = m[s + THREAD]
    fixed = c[THREADS] + thread * THREAD_SIZE
    view = view_of(c, m[s + VIEW_ROW], m[s + TOPIC])
    if c[fixed + SELECTOR] == SELECT_BY_STRATEGY:
        picked = rules.select(memory, view, now_us // 1000, -1, 0)
        m[s + REASON] = m[view + PICK_REASON]
        if m[s + REASON] == codes.PICK_FALLBACK and c[STRATEGY_ON] == 1:
            producer = c[fixed + PRODUCER]
            put_removed_items(c, m, o, producer, faults_of(c, producer), now_us)
    else:
        picked = selected(c, m, s, view, c[fixed + SELECTOR], rules)
        m[s + REASON] = codes.PICK_SELECTOR
    if picked == NO_QUEUE:
        return 0
    m[s + ATTEMPT] = 1
    m[s + BROKER] = broker_of(picked)
    m[s + QUEUE_ID] = queue_id_of(picked)
    m[s + ATTEMPT_BEGIN_US] = now_us
    return 1


@rule(inlined=True)
def rest_thread(c: Any, m: Any, thread: Any, now_us: Any) -> None:
    """The thread is free: for the next waiting message, if there is one."""
    s = c[SENDING] + thread * SENDING_SIZE
    m[s + STATE] = IDLE
    if m[s + LENGTH] > 0:
        await_next(c, m, thread, now_us)


@rule()
def begin_one_attempt(
    c: Any, m: Any, o: Any, memory: Any, thread: Any, now_us: Any, rules: Any
) -> None:  # fmt: skip
    """Make the one attempt of the thread's message."""
    s = c[SENDING] + thread * SENDING_SIZE
    queues = queues_known(c, m, thread, m[s + TOPIC], now_us)
    if choose_first(c, m, o, memory, s, now_us, rules) == 0:
        code = codes.NOT_FOUND_TOPIC_EXCEPTION if queues == 0 else codes.NO_CODE
        put_send(m, o, s, now_us, codes.NO_MASTER, code, 0, -1, -1)
        rest_thread(c, m, thread, now_us)
        return
    timeout_ms = rules.attempt_timeout(c[SEND_MSG_TIMEOUT_MS], 0, -1, 1)
    m[s + CONNECT_US] = connecting_us(c, m, s, now_us)
    connect_ms = (now_us + m[s + CONNECT_US]) // 1000 - now_us // 1000
    end_us = ask_broker(c, m, s, now_us, rules.response_wait(timeout_ms, connect_ms))
    if c[ORDERS_CHECKED] == 1:
        await_append(c, m, s)
    if c[c[THREADS] + thread * THREAD_SIZE + WAY] == WAY_ONEWAY:
        outcome = m[s + OUTCOME]
        if outcome not in (codes.CONNECT_REFUSED, codes.NO_MASTER):
            m[s + OUTCOME] = codes.SENT_ONEWAY
            m[s + CODE] = codes.NO_CODE
            end_us = now_us + m[s + CONNECT_US]
    m[s + STATE] = IN_ONE_ATTEMPT
    m[s + ENDS_US] = end_us
    if end_us == now_us:
        end_one_attempt(c, m, o, memory, thread, now_us, rules)
    else:
        heap.push(c, m, end_us, thread)


@rule()
def end_one_attempt(
    c: Any, m: Any, o: Any, memory: Any, thread: Any, now_us: Any, rules: Any
) -> None:  # fmt: skip
    """The one attempt ended, and the send with it. A chosen queue charges nobody."""
    s = c[SENDING] + thread * SENDING_SIZE
    fixed = c[THREADS] + thread * THREAD_SIZE
    outcome, broker = m[s + OUTCOME], m[s + BROKER]
    if c[STRATEGY_ON] == 1 and c[fixed + SELECTOR] == SELECT_BY_STRATEGY:
        producer = c[fixed + PRODUCER]
        faults = faults_of(c, producer)
        latency_ms = now_us // 1000 - m[s + ATTEMPT_BEGIN_US] // 1000
        known = codes.SEND_OK if outcome == codes.SENT_ONEWAY else outcome
        isolated, reachable = rules.is_isolated(known), rules.is_reachable(known, c[DETECTOR_ON])
        if rules.update(memory, faults, now_us // 1000, broker, latency_ms, isolated, reachable) == 1:
            put_fault_item(c, m, o, producer, faults, broker, now_us)
    count_attempt(c, m, s, now_us)
    if outcome == codes.SENT_ONEWAY:
        m[c[WINDOW_PAIRS] + (m[s + TOPIC] * c[BROKERS] + broker) * WINDOW_COUNTS + SUCCEEDED] += 1
    put_attempt(m, o, s, now_us, 0)
    result, code = outcome, m[s + CODE]
    if c[fixed + WAY] == WAY_ONEWAY and outcome != codes.SENT_ONEWAY and c[fixed + SELECTOR] == SELECT_BY_STRATEGY:
        result, code = codes.NO_MASTER, final_code(outcome, code)
    if c[FLUSHES_AWAITED] == 1:
        put_when_known(c, m, o, s, now_us, result, code, 1, broker, m[s + QUEUE_ID])
    else:
        put_send(m, o, s, now_us, result, code, 1, broker, m[s + QUEUE_ID])
    rest_thread(c, m, thread, now_us)
