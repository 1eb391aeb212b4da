"""One thread's synchronous send, cut at the moments between which virtual time passes.

begin_send -> begin_attempt -> (time passes) -> end_attempt -> begin_attempt ... -> end of the send.
What the client decides at each cut comes from the release's own rules (simulator.client).
"""

from __future__ import annotations

from typing import Any

from simulator import codes
from simulator.client.memory import FAULTS, PICK_REASON, QUEUE_COUNT, QUEUES, VIEW_SIZE
from simulator.client.message_queue import NO_QUEUE, broker_of, queue_id_of
from simulator.client.sending.send_loop import (
    FINAL_BROKER_EXCEPTION,
    FINAL_SEND_RESULT,
    FINAL_TOO_MUCH_REQUEST,
    final_code,
    final_result,
)
from simulator.compiled.jit import rule
from simulator.engine import heap
from simulator.engine.broker.flushing import put_when_known
from simulator.engine.layout import (
    ARRIVAL_US,
    ATTEMPT,
    ATTEMPT_BEGIN_US,
    ATTEMPTS_TOTAL,
    BEGIN_US,
    BODY,
    BROKER,
    CODE,
    CONNECT_US,
    CONSTANT_BYTES,
    COPIES,
    DETECTOR_ON,
    DRAW,
    ENDS_US,
    FAULT_TABLE_SIZE,
    FAULT_TABLES,
    FLUSHES_AWAITED,
    GIVING_UP,
    HELD,
    HELD_BROKER,
    HELD_CODE,
    HELD_COUNT,
    HELD_QUEUE_ID,
    IDLE,
    IN_ATTEMPT,
    KEPT,
    LENGTH,
    MAX_TIMEOUT_PER_REQUEST_MS,
    MESSAGE_BYTES,
    MESSAGE_ROW_SIZE,
    MESSAGE_ROWS,
    ORDERS_CHECKED,
    OUTCOME,
    OVER_BUDGET,
    QUEUE_ID,
    REASON,
    RETRY_CODE_COUNT,
    RETRY_CODES,
    RETRY_NOT_STORE_OK,
    ROUTES_ON,
    SEND_MSG_TIMEOUT_MS,
    SEND_SEQ,
    SEND_SEQS,
    SENDING,
    SENDING_SIZE,
    STATE,
    STRATEGY_ON,
    THREAD,
    THREAD_SIZE,
    THREADS,
    TOPIC,
    TOPICS,
    VIEWS,
    WAITING_DRAW,
    WAITING_SINCE_US,
    WAITING_TOPIC,
    WAY,
    WAY_PLAIN,
)
from simulator.engine.network.connection import connecting_us
from simulator.engine.network.request import ask_broker
from simulator.engine.network.route_polls import find
from simulator.engine.rows import count_attempt, put_attempt, put_fault_item, put_removed_items, put_send
from simulator.engine.sending.closed_loop import await_next
from simulator.engine.sending.hand_off import next_in_line
from simulator.engine.sending.holding import note_generation, view_in_use
from simulator.engine.sending.spare_sends import await_append
from simulator.engine.sending.threads import producer_of


@rule(inlined=True)
def view_of(c: Any, thread: Any, topic: Any) -> Any:
    """Offset of a thread's view of a topic in the client memory."""
    return c[VIEWS] + (thread * c[TOPICS] + topic) * VIEW_SIZE


@rule(inlined=True)
def faults_of(c: Any, producer: Any) -> Any:
    """Offset of a producer's fault table in the client memory."""
    return c[FAULT_TABLES] + producer * c[FAULT_TABLE_SIZE]


@rule(inlined=True)
def _is_retryable(c: Any, code: Any) -> Any:
    for i in range(c[RETRY_CODES], c[RETRY_CODES] + c[RETRY_CODE_COUNT]):
        if c[i] == code:
            return 1
    return 0


@rule(inlined=True)
def _give_up_now(c: Any, m: Any, thread: Any, now_us: Any) -> None:
    m[c[SENDING] + thread * SENDING_SIZE + STATE] = GIVING_UP
    heap.push(c, m, now_us, thread)


@rule()
def begin_attempt(c: Any, m: Any, o: Any, memory: Any, thread: Any, now_us: Any, rules: Any) -> None:
    """Choose a queue and send the request; the budget is looked at after the choice, as in sendDefaultImpl."""
    s = c[SENDING] + thread * SENDING_SIZE
    attempt = m[s + ATTEMPT] + 1
    view = view_of(c, thread, m[s + TOPIC])
    if c[HELD_COUNT] > 0 and attempt > 1:
        view = view_in_use(c, m, s, thread, view)
    if c[ROUTES_ON] == 1 and m[m[view + QUEUES] + QUEUE_COUNT] == 0:
        _give_up_now(c, m, thread, now_us)
        return
    now_ms = now_us // 1000
    elapsed_ms = now_ms - m[s + BEGIN_US] // 1000
    picked = rules.select(memory, view, now_ms, m[s + BROKER] if attempt > 1 else -1, 1 if attempt > 1 else 0)
    if m[view + PICK_REASON] == codes.PICK_FALLBACK and c[STRATEGY_ON] == 1:
        producer = producer_of(c, thread)
        put_removed_items(c, m, o, producer, m[view + FAULTS], now_us)
    if picked == NO_QUEUE:
        _give_up_now(c, m, thread, now_us)
        return
    if rules.over_budget(c[SEND_MSG_TIMEOUT_MS], elapsed_ms) == 1:
        m[s + OVER_BUDGET] = 1
        _give_up_now(c, m, thread, now_us)
        return
    m[s + ATTEMPT] = attempt
    m[s + BROKER] = broker_of(picked)
    m[s + QUEUE_ID] = queue_id_of(picked)
    m[s + REASON] = m[view + PICK_REASON]
    m[s + ATTEMPT_BEGIN_US] = now_us
    timeout_ms = rules.attempt_timeout(
        c[SEND_MSG_TIMEOUT_MS],
        elapsed_ms,
        c[MAX_TIMEOUT_PER_REQUEST_MS],
        1 if attempt == c[ATTEMPTS_TOTAL] else 0,
    )
    m[s + STATE] = IN_ATTEMPT
    m[s + CONNECT_US] = connecting_us(c, m, s, now_us)
    wait_ms = rules.response_wait(timeout_ms, (now_us + m[s + CONNECT_US]) // 1000 - now_ms)
    m[s + ENDS_US] = ask_broker(c, m, s, now_us, wait_ms)
    heap.push(c, m, m[s + ENDS_US], thread)
    if c[ORDERS_CHECKED] == 1:
        await_append(c, m, s)


@rule(inlined=True)
def open_record(
    c: Any, m: Any, s: Any, thread: Any, now_us: Any, arrival_us: Any, topic: Any, draw: Any
) -> None:  # fmt: skip
    """Make the record at `s` that of a new message of the thread."""
    number = c[SEND_SEQS] + thread * c[TOPICS] + topic
    m[s + THREAD] = thread
    m[s + TOPIC] = topic
    m[s + DRAW] = draw
    m[s + SEND_SEQ] = m[number]
    m[number] += 1
    m[s + ARRIVAL_US] = arrival_us
    m[s + BEGIN_US] = now_us
    m[s + ATTEMPT] = 0
    m[s + BROKER] = -1
    m[s + QUEUE_ID] = -1
    m[s + OUTCOME] = codes.SEND_OK
    m[s + CODE] = codes.NO_CODE
    m[s + COPIES] = 0
    m[s + KEPT] = 0
    m[s + HELD] = 0
    m[s + OVER_BUDGET] = 0


@rule(inlined=True)
def begin_send(
    c: Any, m: Any, o: Any, memory: Any, thread: Any, now_us: Any, arrival_us: Any, topic: Any, draw: Any,
    rules: Any
) -> None:  # fmt: skip
    """Begin a message on an idle thread of WAY_PLAIN."""
    s = c[SENDING] + thread * SENDING_SIZE
    open_record(c, m, s, thread, now_us, arrival_us, topic, draw)
    body = c[c[MESSAGE_ROWS] + topic * MESSAGE_ROW_SIZE + CONSTANT_BYTES]
    m[s + BODY] = body
    m[s + MESSAGE_BYTES] = body
    begin_loop(c, m, o, memory, thread, now_us, topic, rules)


@rule(inlined=True)
def queues_known(c: Any, m: Any, thread: Any, topic: Any, now_us: Any) -> Any:
    """Queues of the topic that the thread's producer knows; it asks for the route if it knows none."""
    queues = m[m[view_of(c, thread, topic) + QUEUES] + QUEUE_COUNT]
    if queues == 0 and c[ROUTES_ON] == 1:
        queues = find(c, m, thread, topic, now_us)
    return queues


@rule(inlined=True)
def begin_loop(
    c: Any, m: Any, o: Any, memory: Any, thread: Any, now_us: Any, topic: Any, rules: Any
) -> None:  # fmt: skip
    """Begin the attempts of a thread's message, if its topic has a queue."""
    if queues_known(c, m, thread, topic, now_us) == 0:
        _give_up_now(c, m, thread, now_us)
    else:
        if c[HELD_COUNT] > 0:
            note_generation(c, m, c[SENDING] + thread * SENDING_SIZE)
        begin_attempt(c, m, o, memory, thread, now_us, rules)


@rule(inlined=True)
def _finish(
    c: Any, m: Any, o: Any, memory: Any, thread: Any, now_us: Any, thrown: Any, rules: Any
) -> None:  # fmt: skip
    """End a send: the caller gets its answer, and the thread takes the next waiting message."""
    s = c[SENDING] + thread * SENDING_SIZE
    outcome, code = m[s + OUTCOME], m[s + CODE]
    broker, queue_id = m[s + BROKER], m[s + QUEUE_ID]
    if m[s + ATTEMPT] == 0:
        result, code = codes.NO_MASTER, codes.NOT_FOUND_TOPIC_EXCEPTION
    else:
        final = final_result(m[s + HELD], thrown, m[s + OVER_BUDGET])
        if final == FINAL_SEND_RESULT:
            result = codes.SEND_OK if m[s + HELD_CODE] == 0 else codes.SEND_STATUS
            code, broker, queue_id = m[s + HELD_CODE], m[s + HELD_BROKER], m[s + HELD_QUEUE_ID]
        elif final == FINAL_BROKER_EXCEPTION:
            result = codes.BROKER_ERROR
        elif final == FINAL_TOO_MUCH_REQUEST:
            result, code = codes.TOO_MUCH_REQUEST, codes.NO_CODE
        else:
            # MQClientException, the exception that NO_MASTER is an instance of.
            result, code = codes.NO_MASTER, final_code(outcome, code)
    if c[FLUSHES_AWAITED] == 1:
        put_when_known(c, m, o, s, now_us, result, code, m[s + ATTEMPT], broker, queue_id)
    else:
        put_send(m, o, s, now_us, result, code, m[s + ATTEMPT], broker, queue_id)
    m[s + STATE] = IDLE
    if m[s + LENGTH] > 0:
        if c[c[THREADS] + thread * THREAD_SIZE + WAY] != WAY_PLAIN:
            await_next(c, m, thread, now_us)
            return
        row = next_in_line(c, m, thread)
        begin_send(
            c, m, o, memory, thread, now_us, m[row + WAITING_SINCE_US], m[row + WAITING_TOPIC],
            m[row + WAITING_DRAW], rules
        )  # fmt: skip


@rule(inlined=True)
def give_up(
    c: Any, m: Any, o: Any, memory: Any, thread: Any, now_us: Any, rules: Any
) -> None:  # fmt: skip
    """End a send that made no (further) attempt: no queue, or the budget is used up."""
    _finish(c, m, o, memory, thread, now_us, 0, rules)


@rule(inlined=True)
def end_attempt(
    c: Any, m: Any, o: Any, memory: Any, thread: Any, now_us: Any, rules: Any
) -> None:  # fmt: skip
    """The client learns how an attempt ended: charge the broker, then return, throw or try again."""
    s = c[SENDING] + thread * SENDING_SIZE
    outcome, code, broker = m[s + OUTCOME], m[s + CODE], m[s + BROKER]
    now_ms = now_us // 1000
    if c[STRATEGY_ON] == 1:
        producer = producer_of(c, thread)
        faults = faults_of(c, producer)
        latency_ms = now_ms - m[s + ATTEMPT_BEGIN_US] // 1000
        reachable = rules.is_reachable(outcome, c[DETECTOR_ON])
        if rules.update(memory, faults, now_ms, broker, latency_ms, rules.is_isolated(outcome), reachable) == 1:
            put_fault_item(c, m, o, producer, faults, broker, now_us)
    count_attempt(c, m, s, now_us)
    if outcome in (codes.SEND_OK, codes.SEND_STATUS):
        m[s + HELD] = 1
        m[s + HELD_CODE] = code
        m[s + HELD_BROKER] = broker
        m[s + HELD_QUEUE_ID] = m[s + QUEUE_ID]
    then = rules.after_attempt(outcome, code, _is_retryable(c, code), c[RETRY_NOT_STORE_OK])
    another = then == codes.RETRY and m[s + ATTEMPT] < c[ATTEMPTS_TOTAL]
    elapsed_ms = now_ms - m[s + BEGIN_US] // 1000
    in_time = rules.over_budget(c[SEND_MSG_TIMEOUT_MS], elapsed_ms) == 0
    put_attempt(m, o, s, now_us, 1 if another and in_time else 0)
    if another:
        begin_attempt(c, m, o, memory, thread, now_us, rules)
    else:
        thrown = 1 if then == codes.THROW else 0
        _finish(c, m, o, memory, thread, now_us, thrown, rules)
