"""The rows of an asynchronous recording through the client's rules, one after the other; see `rules`.

A message has a slot of its own from its first row to its last: many are under way at the same time, and a retry may
select on another thread than the first attempt.
"""

from __future__ import annotations

from typing import Any

from numba import types

from simulator import codes
from simulator.client import memory as at
from simulator.client.message_queue import NO_QUEUE, broker_of, queue_id_of
from simulator.client.sending.async_send import CHARGED_BEFORE, CHARGED_NOBODY
from simulator.client.signatures import (
    AFTER_ASYNC,
    ASYNC_CHARGED,
    ASYNC_CODE,
    ASYNC_EXCEPTION,
    ASYNC_REACHABLE,
    ATTEMPT_TIMEOUT,
    HANDS_OVER,
    IS_ISOLATED,
    IS_THROWN,
    RETRY_TIMEOUT,
    SELECT,
    UPDATE,
)
from simulator.compiled.jit import MEMORY, entry, rule
from simulator.replay import replay_layout as lay
from simulator.replay.replay_rules import charge, choose, put, take_route, timeouts

REPLAY_ASYNC = types.int64(
    MEMORY,
    MEMORY,
    MEMORY,
    MEMORY,
    MEMORY,
    MEMORY,
    types.FunctionType(SELECT),
    types.FunctionType(UPDATE),
    types.FunctionType(ATTEMPT_TIMEOUT),
    types.FunctionType(IS_ISOLATED),
    types.FunctionType(ASYNC_REACHABLE),
    types.FunctionType(IS_THROWN),
    types.FunctionType(ASYNC_CHARGED),
    types.FunctionType(RETRY_TIMEOUT),
    types.FunctionType(AFTER_ASYNC),
    types.FunctionType(HANDS_OVER),
    types.FunctionType(ASYNC_EXCEPTION),
    types.FunctionType(ASYNC_CODE),
)


@rule()
def _is_of_this_message(m: Any, rows: Any, r: Any, s: Any) -> Any:
    if m[s + lay.ATTEMPT] == 0 or m[s + lay.SEND_SEQ] != rows[r + lay.IN_SEND_SEQ]:
        return False
    return m[s + lay.PRODUCER] == rows[r + lay.IN_PRODUCER] and m[s + lay.TOPIC] == rows[r + lay.IN_TOPIC]


@rule()
def _begin_message(c: Any, m: Any, rows: Any, r: Any, s: Any) -> None:
    for cell in range(s, s + lay.SENDER_SIZE):
        m[cell] = 0
    m[s + lay.PRODUCER] = rows[r + lay.IN_PRODUCER]
    m[s + lay.TOPIC] = rows[r + lay.IN_TOPIC]
    m[s + lay.SEND_SEQ] = rows[r + lay.IN_SEND_SEQ]
    m[s + lay.BROKER] = at.NO_BROKER
    m[s + lay.BEGIN_LEAST_MS] = rows[r + lay.IN_BEGIN_LEAST]
    m[s + lay.BEGIN_MOST_MS] = rows[r + lay.IN_BEGIN_MOST]
    m[s + lay.HAND_OVER] = lay.DUE
    m[c[lay.NEXT_SEQS] + rows[r + lay.IN_VIEW]] = rows[r + lay.IN_SEND_SEQ] + 1


@rule()
def _select(
    c: Any, m: Any, kept: Any, rows: Any, r: Any, s: Any, out: Any, count: Any, select: Any, attempt_timeout: Any,
) -> Any:  # fmt: skip
    """A select row: gives the number of decisions, or -1 - the reason why it cannot be replayed."""
    goes_on = _is_of_this_message(m, rows, r, s)
    if goes_on and m[s + lay.PHASE] != lay.CHARGED:
        return -1 - lay.NOT_CHARGED
    view = c[lay.VIEWS] + rows[r + lay.IN_VIEW] * at.VIEW_SIZE
    refusal = take_route(c, m, rows, r, view)
    if refusal != lay.OK:
        return -1 - refusal
    if not goes_on:
        _begin_message(c, m, rows, r, s)
    m[s + lay.VIEW] = rows[r + lay.IN_VIEW]
    last = m[s + lay.BROKER]
    # A retry never resets the counter.
    queue, steps, resets, reading, is_open = choose(c, m, kept, rows, r, view, last, 0, select)
    m[s + lay.ATTEMPT] += 1
    m[s + lay.PHASE] = lay.SELECTED
    m[s + lay.BEFORE] = last
    m[s + lay.BROKER] = broker_of(queue) if queue != NO_QUEUE else at.NO_BROKER
    if not goes_on:
        m[s + lay.FIRST_BROKER] = m[s + lay.BROKER]
        m[s + lay.QUEUE_ID] = queue_id_of(queue) if queue != NO_QUEUE else -1
        m[s + lay.TIMEOUT_LEAST_MS] = lay.NONE
        if rows[r + lay.IN_TRANSPORT_MOST] != lay.NONE:
            timeouts(c, m, rows, r, s, 1, attempt_timeout)
    o = put(out, count, lay.KIND_SELECT, rows[r + lay.IN_ROW], m, s)
    out[o + lay.OUT_CLOCK_MS] = reading
    out[o + lay.OUT_IS_OPEN] = is_open
    out[o + lay.OUT_LAST_BROKER] = last
    out[o + lay.OUT_BROKER] = m[s + lay.BROKER]
    out[o + lay.OUT_QUEUE_ID] = queue_id_of(queue) if queue != NO_QUEUE else -1
    out[o + lay.OUT_STEPS] = steps
    out[o + lay.OUT_RESETS] = resets
    out[o + lay.OUT_REASON] = m[view + at.PICK_REASON]
    out[o + lay.OUT_AFTER] = lay.GOES_OUT
    return count + 1


@rule()
def _attempt_end(
    c: Any, m: Any, rows: Any, r: Any, s: Any, out: Any, count: Any, is_thrown: Any, async_charged: Any,
    retry_timeout: Any, after_async: Any, hands_over: Any,
) -> Any:  # fmt: skip
    """An attempt_end row: the timeout it was given, what follows, and the timeout of a retry."""
    if not _is_of_this_message(m, rows, r, s) or m[s + lay.PHASE] != lay.SELECTED:
        return -1 - lay.NOT_SELECTED
    least_ms, most_ms = m[s + lay.TIMEOUT_LEAST_MS], m[s + lay.TIMEOUT_MOST_MS]
    if least_ms != lay.NONE:
        o = put(out, count, lay.KIND_TIMEOUT, rows[r + lay.IN_ROW], m, s)
        out[o + lay.OUT_TIMEOUT_LEAST_MS] = least_ms
        out[o + lay.OUT_TIMEOUT_MOST_MS] = most_ms
        count += 1
    else:
        least_ms = most_ms = c[lay.SEND_MSG_TIMEOUT_MS]
    outcome, attempt = rows[r + lay.IN_OUTCOME], m[s + lay.ATTEMPT]
    # A failure to send or a timeout can be either; where connecting is concerned the release decides.
    can_be_thrown = outcome in (codes.SEND_FAILURE, codes.RESPONSE_TIMEOUT)
    thrown = 1 if can_be_thrown and rows[r + lay.IN_THROWN] == 1 else is_thrown(outcome)
    m[s + lay.OUTCOME] = outcome
    m[s + lay.CODE] = rows[r + lay.IN_CODE]
    m[s + lay.IS_THROWN] = thrown
    if attempt == 1 and m[s + lay.HAND_OVER] == lay.DUE:
        m[s + lay.HAND_OVER] = lay.DUE if hands_over(outcome, thrown) == 1 else lay.NEVER
    m[s + lay.PHASE] = lay.ENDED if async_charged(outcome, thrown, attempt) != CHARGED_NOBODY else lay.CHARGED
    least_ms = retry_timeout(least_ms, rows[r + lay.IN_COST_MOST], thrown)
    most_ms = retry_timeout(most_ms, rows[r + lay.IN_COST_LEAST], thrown)
    m[s + lay.TIMEOUT_LEAST_MS], m[s + lay.TIMEOUT_MOST_MS] = least_ms, most_ms
    then, is_open = after_async(outcome, thrown, attempt, c[lay.ATTEMPTS_TOTAL], least_ms), 0
    if then != after_async(outcome, thrown, attempt, c[lay.ATTEMPTS_TOTAL], most_ms):
        then, is_open = codes.RETRY if rows[r + lay.IN_SENT] == 1 else codes.THROW, 1
    o = put(out, count, lay.KIND_AFTER_ATTEMPT, rows[r + lay.IN_ROW], m, s)
    out[o + lay.OUT_BROKER] = m[s + lay.BROKER]
    out[o + lay.OUT_QUEUE_ID] = m[s + lay.QUEUE_ID]
    out[o + lay.OUT_AFTER] = then
    out[o + lay.OUT_IS_OPEN] = is_open
    return count + 1


@rule()
def _fault_update(
    c: Any, m: Any, kept: Any, rows: Any, r: Any, s: Any, out: Any, count: Any, update: Any, is_isolated: Any,
    async_reachable: Any, async_charged: Any,
) -> Any:  # fmt: skip
    """A fault_update row, of the end of an attempt or of the hand-over."""
    if not _is_of_this_message(m, rows, r, s):
        return -1 - lay.NO_SEND
    if rows[r + lay.IN_HAND_OVER] == 1:
        if c[lay.HANDS_OVER] == 0 or m[s + lay.HAND_OVER] != lay.DUE:
            return count
        m[s + lay.HAND_OVER] = lay.DONE
        return charge(c, m, kept, rows, r, s, out, count, m[s + lay.FIRST_BROKER], 0, 1, update)
    if m[s + lay.PHASE] == lay.SELECTED:
        return -1 - lay.NOT_ENDED
    if m[s + lay.PHASE] == lay.CHARGED:
        return count  # the client updates nothing here: the recording has a decision that the model does not make
    m[s + lay.PHASE] = lay.CHARGED
    outcome, thrown = m[s + lay.OUTCOME], m[s + lay.IS_THROWN]
    broker = m[s + lay.BROKER]
    if async_charged(outcome, thrown, m[s + lay.ATTEMPT]) == CHARGED_BEFORE:
        broker = m[s + lay.BEFORE]
    reachable = async_reachable(outcome, thrown)
    return charge(c, m, kept, rows, r, s, out, count, broker, is_isolated(outcome), reachable, update)


@rule()
def _send_end(m: Any, rows: Any, r: Any, s: Any, out: Any, count: Any, async_exception: Any, async_code: Any) -> Any:
    """A send_end row: what the callback gets. A stored message calls back before its update."""
    if not _is_of_this_message(m, rows, r, s) or m[s + lay.TOLD] == 1:
        return -1 - lay.NO_SEND
    outcome, phase = m[s + lay.OUTCOME], m[s + lay.PHASE]
    is_stored = outcome in (codes.SEND_OK, codes.SEND_STATUS)
    if phase == lay.SELECTED or (phase == lay.ENDED and not is_stored):
        return -1 - lay.NOT_CHARGED
    m[s + lay.TOLD] = 1
    o = put(out, count, lay.KIND_SEND_END, rows[r + lay.IN_ROW], m, s)
    if is_stored:
        out[o + lay.OUT_OUTCOME] = outcome
        out[o + lay.OUT_CODE] = m[s + lay.CODE]
        out[o + lay.OUT_BROKER] = m[s + lay.BROKER]
        out[o + lay.OUT_QUEUE_ID] = m[s + lay.QUEUE_ID]
        return count + 1
    thrown, attempt = m[s + lay.IS_THROWN], m[s + lay.ATTEMPT]
    out[o + lay.OUT_OUTCOME] = async_exception(outcome, thrown, attempt)
    out[o + lay.OUT_CODE] = async_code(outcome, m[s + lay.CODE], thrown, attempt)
    return count + 1


@entry(REPLAY_ASYNC)
def replay_async(
    c: Any, m: Any, kept: Any, rows: Any, refused: Any, out: Any, select: Any, update: Any, attempt_timeout: Any,
    is_isolated: Any, async_reachable: Any, is_thrown: Any, async_charged: Any, retry_timeout: Any, after_async: Any,
    hands_over: Any, async_exception: Any, async_code: Any,
) -> Any:  # fmt: skip
    """Replay rows int64[n * IN_SIZE]; gives the number of decisions in `out`, with one cell of `refused` a row."""
    count = 0
    for number in range(refused.shape[0]):
        r = number * lay.IN_SIZE
        s = c[lay.SENDERS] + rows[r + lay.IN_SENDER] * lay.SENDER_SIZE
        event = rows[r + lay.IN_EVENT]
        if event == lay.SELECT:
            made = _select(c, m, kept, rows, r, s, out, count, select, attempt_timeout)
        elif event == lay.ATTEMPT_END:
            made = _attempt_end(
                c, m, rows, r, s, out, count, is_thrown, async_charged, retry_timeout, after_async, hands_over
            )
        elif event == lay.FAULT_UPDATE:
            made = _fault_update(
                c, m, kept, rows, r, s, out, count, update, is_isolated, async_reachable, async_charged
            )
        elif event == lay.SEND_END:
            made = _send_end(m, rows, r, s, out, count, async_exception, async_code)
        else:
            made = count
            if rows[r + lay.IN_ROUTE] >= 0:
                m[c[lay.ROUTES] + rows[r + lay.IN_ROUTE] * lay.ROUTE_SIZE + lay.INSTALLED] = 1
            else:
                made = -1 - lay.UNKNOWN_ROUTE
        refused[number] = -1 - made if made < 0 else lay.OK
        if made >= 0:
            count = made
    return count
