"""Asynchronous sends: a record each, so that a thread has as many messages under way as it likes.

begin_async -> (permits) -> (queue of the sending threads) -> start -> transport -> (time passes) -> end_async ->
transport ... -> callback. The release's rules are in simulator.client.sending; what they call "the scan"
is each client's own, from the moment it started.
"""

from __future__ import annotations

from typing import Any

from simulator import codes
from simulator.client.memory import PICK_REASON
from simulator.client.message_queue import NO_QUEUE, broker_of
from simulator.client.sending.async_admission import NOTHING_LEFT, permits_of
from simulator.client.sending.async_send import CHARGED_BEFORE, CHARGED_NOBODY
from simulator.compiled.jit import rule
from simulator.engine import heap
from simulator.engine.broker.flushing import put_when_known
from simulator.engine.layout import (
    ASYNC_ATTEMPTS_TOTAL,
    ASYNC_SENDERS,
    ATTEMPT,
    ATTEMPT_BEGIN_US,
    BACK_PRESSURE,
    BEGIN_US,
    BLOCKED,
    BODY,
    BROKER,
    BROKER_BEFORE,
    BUDGET_MS,
    BYTES_HEAD,
    BYTES_LEFT,
    CODE,
    CONNECT_BLOCKS,
    CONNECT_US,
    FIRST_BROKER,
    FLUSHES_AWAITED,
    HELD_COUNT,
    HOLDS,
    HOLDS_CALLBACK,
    HOLDS_CALLER,
    HOLDS_NOTHING,
    HOLDS_SENDER,
    MAX_TIMEOUT_PER_REQUEST_MS,
    NUMBER_HEAD,
    NUMBER_LEFT,
    ON_SENDER,
    OUTCOME,
    PERMITTED,
    QUEUE_ID,
    REASON,
    REFUSALS,
    SELECT_BY_STRATEGY,
    SELECTED_US,
    SELECTOR,
    SEND_MSG_TIMEOUT_MS,
    SENDER_HEAD,
    SENDER_LENGTH,
    SENDER_QUEUE,
    SENDERS_BUSY,
    STARTING,
    STATE,
    STRATEGY_ON,
    THREAD,
    THREAD_SIZE,
    THREADS,
    TIMEOUT_MS,
    TOPIC,
    VIEW_ROW,
    WAITING_BYTES,
    WAITING_NUMBER,
    WAITING_SENDER,
)
from simulator.engine.network.async_transport import request
from simulator.engine.network.connection import connecting_us
from simulator.engine.rows import count_attempt, put_attempt, put_fault_item, put_removed_items, put_send
from simulator.engine.sending.callbacks import free_thread, hold_thread, waits_for_thread
from simulator.engine.sending.holding import note_generation, view_in_use
from simulator.engine.sending.one_attempt import choose_first, rest_thread
from simulator.engine.sending.permits import producer_state, return_permits
from simulator.engine.sending.pool import call_back, release_sender, take_sender
from simulator.engine.sending.spare_sends import at, give_back, put_last, take_first, take_out
from simulator.engine.sending.sync_send import faults_of, queues_known, view_of
from simulator.engine.sending.threads import producer_of_record

US_PER_MS = 1000


@rule(inlined=True)
def _by_strategy(c: Any, m: Any, s: Any) -> Any:
    return c[c[THREADS] + m[s + THREAD] * THREAD_SIZE + SELECTOR] == SELECT_BY_STRATEGY


@rule()
def begin_async(
    c: Any, m: Any, o: Any, memory: Any, record: Any, now_us: Any, rules: Any, later: Any
) -> None:  # fmt: skip
    """send(msg, callback) of a message that passed the checks: permits first, where there is back-pressure."""
    s = at(c, record)
    m[s + PERMITTED] = 0
    m[s + REFUSALS] = 0
    m[s + HOLDS] = HOLDS_NOTHING
    m[s + FIRST_BROKER] = -1
    if c[BACK_PRESSURE] == 1:
        ask_permits(c, m, o, memory, record, now_us, rules, later)
    else:
        _admit(c, m, o, memory, record, now_us, rules, later)


@rule()
def ask_permits(
    c: Any, m: Any, o: Any, memory: Any, record: Any, now_us: Any, rules: Any, later: Any
) -> None:  # fmt: skip
    """Take the permits that the record still needs, or let its caller wait for them."""
    s = at(c, record)
    p = producer_state(c, m, s)
    if m[s + PERMITTED] == 0:
        if m[p + NUMBER_HEAD] >= 0 or m[p + NUMBER_LEFT] == 0:
            _wait_for_permit(c, m, o, record, WAITING_NUMBER, p + NUMBER_HEAD, now_us, later)
            return
        m[p + NUMBER_LEFT] -= 1
        m[s + PERMITTED] = 1
    if m[s + PERMITTED] == 1:
        if m[p + BYTES_HEAD] >= 0 or m[p + BYTES_LEFT] < permits_of(m[s + BODY]):
            _wait_for_permit(c, m, o, record, WAITING_BYTES, p + BYTES_HEAD, now_us, later)
            return
        m[p + BYTES_LEFT] -= permits_of(m[s + BODY])
        m[s + PERMITTED] = 2
    _admit(c, m, o, memory, record, now_us, rules, later)


@rule()
def _wait_for_permit(
    c: Any, m: Any, o: Any, record: Any, state: Any, head: Any, now_us: Any, later: Any
) -> None:  # fmt: skip
    """The caller's thread waits for what is left of the time-out."""
    s = at(c, record)
    waited_ms = now_us // US_PER_MS - m[s + BEGIN_US] // US_PER_MS
    left_ms = later.async_left(c[SEND_MSG_TIMEOUT_MS], waited_ms)
    if left_ms == NOTHING_LEFT:
        _free_caller(c, m, m[s + THREAD], now_us)
        refuse(c, m, o, record, now_us, codes.TOO_MUCH_REQUEST, codes.NO_CODE)
        return
    m[s + STATE] = state
    put_last(c, m, head, record)
    m[at(c, m[s + THREAD]) + STATE] = BLOCKED
    heap.push(c, m, now_us + left_ms * US_PER_MS, record)


@rule()
def permit_denied(c: Any, m: Any, o: Any, record: Any, now_us: Any) -> None:
    """The time-out is over and the permit was not there."""
    s = at(c, record)
    p = producer_state(c, m, s)
    take_out(c, m, p + NUMBER_HEAD if m[s + STATE] == WAITING_NUMBER else p + BYTES_HEAD, record)
    _free_caller(c, m, m[s + THREAD], now_us)
    refuse(c, m, o, record, now_us, codes.TOO_MUCH_REQUEST, codes.NO_CODE)


@rule()
def refuse(c: Any, m: Any, o: Any, record: Any, now_us: Any, result: Any, code: Any) -> None:
    """End a message that made no attempt."""
    s = at(c, record)
    put_send(m, o, s, now_us, result, code, 0, -1, -1)
    _close(c, m, record, now_us)


@rule()
def _close(c: Any, m: Any, record: Any, now_us: Any) -> None:
    """The callback has run: what the record held is free, and so is the record."""
    s = at(c, record)
    if c[BACK_PRESSURE] == 1:
        return_permits(c, m, s, now_us)
    _let_go(c, m, s, now_us)
    give_back(c, m, record)


@rule()
def _free_caller(c: Any, m: Any, thread: Any, now_us: Any) -> None:
    """The caller's thread returns from send(), if it was held there."""
    if m[at(c, thread) + STATE] == BLOCKED:
        rest_thread(c, m, thread, now_us)


@rule()
def _let_go(c: Any, m: Any, s: Any, now_us: Any) -> None:
    """Free the sending thread that the record held; it takes the next message that waits for one."""
    if m[s + HOLDS] == HOLDS_SENDER:
        p = producer_state(c, m, s)
        if m[p + SENDER_HEAD] < 0:
            release_sender(c, m, s)
        else:
            record = take_first(c, m, p + SENDER_HEAD)
            m[p + SENDER_LENGTH] -= 1
            m[at(c, record) + VIEW_ROW] = m[s + VIEW_ROW]
            m[at(c, record) + STATE] = STARTING
            m[at(c, record) + HOLDS] = HOLDS_SENDER
            heap.push(c, m, now_us, record)
    elif m[s + HOLDS] == HOLDS_CALLER:
        _free_caller(c, m, m[s + THREAD], now_us)
    elif m[s + HOLDS] == HOLDS_CALLBACK:
        free_thread(c, m, s, now_us)
    m[s + HOLDS] = HOLDS_NOTHING


@rule()
def _admit(
    c: Any, m: Any, o: Any, memory: Any, record: Any, now_us: Any, rules: Any, later: Any
) -> None:  # fmt: skip
    """Hand the message to a sending thread, or run its send path on the caller's."""
    s = at(c, record)
    thread = m[s + THREAD]
    p = producer_state(c, m, s)
    if c[ASYNC_SENDERS] > 0 and m[p + SENDERS_BUSY] < c[ASYNC_SENDERS]:
        take_sender(c, m, s)
        m[s + HOLDS] = HOLDS_SENDER
    elif c[ASYNC_SENDERS] > 0 and m[p + SENDER_LENGTH] < c[SENDER_QUEUE]:
        m[p + SENDER_LENGTH] += 1
        m[s + STATE] = WAITING_SENDER
        put_last(c, m, p + SENDER_HEAD, record)
        _free_caller(c, m, thread, now_us)
        return
    elif c[ASYNC_SENDERS] > 0 and c[BACK_PRESSURE] == 0:
        refuse(c, m, o, record, now_us, codes.NO_MASTER, codes.NO_CODE)
        return
    else:
        m[s + HOLDS] = HOLDS_CALLER
        m[s + VIEW_ROW] = thread
        m[at(c, thread) + STATE] = BLOCKED
    if m[s + HOLDS] == HOLDS_SENDER:
        _free_caller(c, m, thread, now_us)
    start(c, m, o, memory, record, now_us, rules, later)


@rule()
def start(
    c: Any, m: Any, o: Any, memory: Any, record: Any, now_us: Any, rules: Any, later: Any
) -> None:  # fmt: skip
    """A sending thread has the message: its budget begins, and its first attempt."""
    s = at(c, record)
    waited_ms = now_us // US_PER_MS - m[s + BEGIN_US] // US_PER_MS
    budget_ms = later.async_left(c[SEND_MSG_TIMEOUT_MS], waited_ms)
    if budget_ms == NOTHING_LEFT:
        refuse(c, m, o, record, now_us, codes.TOO_MUCH_REQUEST, codes.NO_CODE)
        return
    if queues_known(c, m, m[s + THREAD], m[s + TOPIC], now_us) == 0:
        refuse(c, m, o, record, now_us, codes.NO_MASTER, codes.NOT_FOUND_TOPIC_EXCEPTION)
        return
    if c[HELD_COUNT] > 0:
        note_generation(c, m, s)
    if choose_first(c, m, o, memory, s, now_us, rules) == 0:
        refuse(c, m, o, record, now_us, codes.NO_MASTER, codes.NO_CODE)
        return
    m[s + BUDGET_MS] = budget_ms
    m[s + ON_SENDER] = 1
    m[s + FIRST_BROKER] = -1
    m[s + SELECTED_US] = now_us
    m[s + BROKER_BEFORE] = -1
    timeout_ms = rules.attempt_timeout(budget_ms, 0, c[MAX_TIMEOUT_PER_REQUEST_MS], 1)
    _transport(c, m, o, memory, record, now_us, timeout_ms, rules, later)


@rule()
def _transport(
    c: Any, m: Any, o: Any, memory: Any, record: Any, now_us: Any, timeout_ms: Any, rules: Any, later: Any
) -> None:  # fmt: skip
    """Call the transport with the record's broker; its outcome comes when the response, the scan or a failure does."""
    s = at(c, record)
    m[s + TIMEOUT_MS] = timeout_ms
    m[s + ATTEMPT_BEGIN_US] = now_us
    m[s + CONNECT_US] = connecting_us(c, m, s, now_us)
    sent_us = now_us + m[s + CONNECT_US]
    wait_ms = later.async_wait(timeout_ms, sent_us // US_PER_MS - now_us // US_PER_MS)
    request(c, m, record, now_us, wait_ms)
    thrown = later.is_thrown(m[s + OUTCOME])
    if m[s + ATTEMPT] == 1 and _by_strategy(c, m, s) and later.hands_over(m[s + OUTCOME], thrown) == 1:
        m[s + FIRST_BROKER] = m[s + BROKER]
    if m[s + ON_SENDER] == 1 and (thrown == 0 or c[CONNECT_BLOCKS] == 0):
        _call_returned(c, m, o, memory, s, now_us, rules)


@rule()
def _call_returned(
    c: Any, m: Any, o: Any, memory: Any, s: Any, now_us: Any, rules: Any
) -> None:  # fmt: skip
    """The first transport call has returned: the first broker is charged with next to nothing, the thread is free."""
    m[s + ON_SENDER] = 0
    if m[s + FIRST_BROKER] >= 0 and c[STRATEGY_ON] == 1:
        latency_ms = now_us // US_PER_MS - m[s + SELECTED_US] // US_PER_MS
        _charge(c, m, o, memory, s, now_us, m[s + FIRST_BROKER], latency_ms, 0, 1, rules)
    _let_go(c, m, s, now_us)


@rule()
def _charge(
    c: Any, m: Any, o: Any, memory: Any, s: Any, now_us: Any, broker: Any, latency_ms: Any, isolated: Any,
    reachable: Any, rules: Any
) -> None:  # fmt: skip
    producer = producer_of_record(c, m, s)
    faults = faults_of(c, producer)
    if rules.update(memory, faults, now_us // US_PER_MS, broker, latency_ms, isolated, reachable) == 1:
        put_fault_item(c, m, o, producer, faults, broker, now_us)


@rule()
def _choose_again(
    c: Any, m: Any, o: Any, memory: Any, s: Any, now_us: Any, rules: Any
) -> Any:  # fmt: skip
    """Another broker for a retry, the queue id stays: 1, or 0 if there is none. A chosen queue keeps its broker."""
    m[s + BROKER_BEFORE] = m[s + BROKER]
    if not _by_strategy(c, m, s):
        return 1
    view = view_of(c, m[s + VIEW_ROW], m[s + TOPIC])
    if c[HELD_COUNT] > 0:
        view = view_in_use(c, m, s, m[s + VIEW_ROW], view)
    picked = rules.select(memory, view, now_us // US_PER_MS, m[s + BROKER], 0)
    if m[view + PICK_REASON] == codes.PICK_FALLBACK and c[STRATEGY_ON] == 1:
        producer = producer_of_record(c, m, s)
        put_removed_items(c, m, o, producer, faults_of(c, producer), now_us)
    if picked == NO_QUEUE:
        return 0
    m[s + BROKER] = broker_of(picked)
    m[s + REASON] = m[view + PICK_REASON]
    return 1


@rule()
def end_async(
    c: Any, m: Any, o: Any, memory: Any, record: Any, now_us: Any, rules: Any, later: Any
) -> None:  # fmt: skip
    """The client learns how an asynchronous attempt ended: charge, then retry or call back."""
    s = at(c, record)
    if waits_for_thread(c, m, record):
        return
    outcome, code, attempt = m[s + OUTCOME], m[s + CODE], m[s + ATTEMPT]
    thrown = later.is_thrown(outcome)
    if thrown == 0:
        call_back(c, m, s)
    cost_ms = now_us // US_PER_MS - m[s + ATTEMPT_BEGIN_US] // US_PER_MS
    charged = later.async_charged(outcome, thrown, attempt)
    if c[STRATEGY_ON] == 1 and charged != CHARGED_NOBODY:
        broker = m[s + BROKER_BEFORE] if charged == CHARGED_BEFORE else m[s + BROKER]
        connect_ms = (m[s + ATTEMPT_BEGIN_US] + m[s + CONNECT_US]) // US_PER_MS - m[s + ATTEMPT_BEGIN_US] // US_PER_MS
        latency_ms = later.async_latency(thrown, attempt, cost_ms, cost_ms - connect_ms)
        isolated, reachable = rules.is_isolated(outcome), later.async_reachable(outcome, thrown)
        _charge(c, m, o, memory, s, now_us, broker, latency_ms, isolated, reachable, rules)
    count_attempt(c, m, s, now_us)
    rest_ms = later.retry_timeout(m[s + TIMEOUT_MS], cost_ms, thrown)
    then = later.after_async(outcome, thrown, attempt, c[ASYNC_ATTEMPTS_TOTAL], rest_ms)
    put_attempt(m, o, s, now_us, 1 if then == codes.RETRY else 0)
    if then == codes.RETRY and _choose_again(c, m, o, memory, s, now_us, rules) == 1:
        m[s + ATTEMPT] += 1
        _transport(c, m, o, memory, record, now_us, rest_ms, rules, later)
        if m[s + ON_SENDER] == 0 and later.is_thrown(m[s + OUTCOME]) == 1:
            hold_thread(c, m, s)
        elif m[s + ON_SENDER] == 0:
            _let_go(c, m, s, now_us)
        return
    if m[s + ON_SENDER] == 1:
        _call_returned(c, m, o, memory, s, now_us, rules)
    if then == codes.RETURN:
        result = outcome
    else:
        result = later.async_exception(outcome, thrown, attempt)
        code = later.async_code(outcome, code, thrown, attempt)
    if c[FLUSHES_AWAITED] == 1:
        put_when_known(c, m, o, s, now_us, result, code, attempt, m[s + BROKER], m[s + QUEUE_ID])
    else:
        put_send(m, o, s, now_us, result, code, attempt, m[s + BROKER], m[s + QUEUE_ID])
    _close(c, m, record, now_us)
