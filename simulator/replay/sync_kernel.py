"""The rows of a synchronous recording through the client's rules, one after the other; see `rules`."""

from __future__ import annotations

from typing import Any

from numba import types

from simulator import codes
from simulator.client import memory as at
from simulator.client.message_queue import NO_QUEUE, broker_of, queue_id_of
from simulator.client.sending.send_loop import (
    FINAL_BROKER_EXCEPTION,
    FINAL_SEND_RESULT,
    FINAL_TOO_MUCH_REQUEST,
    final_code,
    final_result,
)
from simulator.client.signatures import (
    AFTER_ATTEMPT,
    ATTEMPT_TIMEOUT,
    IS_ISOLATED,
    IS_REACHABLE,
    OVER_BUDGET,
    SELECT,
    UPDATE,
)
from simulator.compiled.jit import MEMORY, entry, rule
from simulator.replay import replay_layout as lay
from simulator.replay.replay_rules import charge, choose, put, take_route, timeouts

REPLAY = types.int64(
    MEMORY,
    MEMORY,
    MEMORY,
    MEMORY,
    MEMORY,
    MEMORY,
    types.FunctionType(SELECT),
    types.FunctionType(UPDATE),
    types.FunctionType(OVER_BUDGET),
    types.FunctionType(ATTEMPT_TIMEOUT),
    types.FunctionType(IS_ISOLATED),
    types.FunctionType(IS_REACHABLE),
    types.FunctionType(AFTER_ATTEMPT),
)


@rule()
def _settle(out: Any, count: Any, m: Any, s: Any, after: Any, is_open: Any) -> Any:
    """What follows the attempt that waits to know; gives the number of decisions."""
    row = m[s + lay.ENDED_ROW]
    if row < 0:
        return count
    o = put(out, count, lay.KIND_AFTER_ATTEMPT, row, m, s)
    out[o + lay.OUT_AFTER] = after
    out[o + lay.OUT_IS_OPEN] = is_open
    m[s + lay.ENDED_ROW] = -1
    return count + 1


@rule()
def _begin_send(c: Any, m: Any, rows: Any, r: Any, s: Any) -> None:
    for cell in range(s, s + lay.SENDER_SIZE):
        m[cell] = 0
    m[s + lay.VIEW] = rows[r + lay.IN_VIEW]
    m[s + lay.SEND_SEQ] = rows[r + lay.IN_SEND_SEQ]
    m[s + lay.BROKER] = at.NO_BROKER
    m[s + lay.QUEUE_ID] = -1
    m[s + lay.OUTCOME] = lay.NONE
    m[s + lay.CODE] = codes.NO_CODE
    m[s + lay.BEGIN_LEAST_MS] = rows[r + lay.IN_BEGIN_LEAST]
    m[s + lay.BEGIN_MOST_MS] = rows[r + lay.IN_BEGIN_MOST]
    m[s + lay.ENDED_ROW] = -1
    m[c[lay.NEXT_SEQS] + rows[r + lay.IN_VIEW]] = rows[r + lay.IN_SEND_SEQ] + 1


@rule()
def _is_of_this_send(m: Any, rows: Any, r: Any, s: Any) -> Any:
    return m[s + lay.VIEW] == rows[r + lay.IN_VIEW] and m[s + lay.SEND_SEQ] == rows[r + lay.IN_SEND_SEQ]


@rule()
def _select(
    c: Any, m: Any, kept: Any, rows: Any, r: Any, s: Any, out: Any, count: Any, select: Any, over_budget: Any,
    attempt_timeout: Any,
) -> Any:  # fmt: skip
    """A select row: gives the number of decisions, or -1 - the reason why it cannot be replayed."""
    phase = m[s + lay.PHASE]
    goes_on = phase != lay.IDLE and _is_of_this_send(m, rows, r, s)
    if goes_on and phase != lay.CHARGED:
        return -1 - lay.NOT_CHARGED
    view = c[lay.VIEWS] + rows[r + lay.IN_VIEW] * at.VIEW_SIZE
    if not goes_on:
        refusal = take_route(c, m, rows, r, view)
        if refusal != lay.OK:
            return -1 - refusal
        count = _settle(out, count, m, s, codes.RETRY, 0)
        _begin_send(c, m, rows, r, s)
    last = m[s + lay.BROKER]
    attempt = m[s + lay.ATTEMPT] + 1
    queue, steps, resets, reading, is_open = choose(c, m, kept, rows, r, view, last, 1 if attempt > 1 else 0, select)

    least_ms = max(rows[r + lay.IN_ATTEMPT_LEAST] - m[s + lay.BEGIN_MOST_MS], 0)
    most_ms = max(rows[r + lay.IN_ATTEMPT_MOST] - m[s + lay.BEGIN_LEAST_MS], least_ms)
    budget_ms = c[lay.SEND_MSG_TIMEOUT_MS]
    over, budget_is_open = over_budget(budget_ms, least_ms), 0
    if over != over_budget(budget_ms, most_ms):
        over, budget_is_open = 1 - rows[r + lay.IN_SENT], 1
    count = _settle(out, count, m, s, lay.BUDGET if over == 1 else codes.RETRY, budget_is_open)

    m[s + lay.ATTEMPT] = attempt
    m[s + lay.OVER] = over
    m[s + lay.BROKER] = broker_of(queue) if queue != NO_QUEUE else at.NO_BROKER
    m[s + lay.QUEUE_ID] = queue_id_of(queue) if queue != NO_QUEUE else -1
    m[s + lay.PHASE] = lay.SELECTED
    o = put(out, count, lay.KIND_SELECT, rows[r + lay.IN_ROW], m, s)
    out[o + lay.OUT_CLOCK_MS] = reading
    out[o + lay.OUT_IS_OPEN] = max(is_open, budget_is_open)
    out[o + lay.OUT_LAST_BROKER] = last
    out[o + lay.OUT_BROKER] = m[s + lay.BROKER]
    out[o + lay.OUT_QUEUE_ID] = m[s + lay.QUEUE_ID]
    out[o + lay.OUT_STEPS] = steps
    out[o + lay.OUT_RESETS] = resets
    out[o + lay.OUT_REASON] = m[view + at.PICK_REASON]
    out[o + lay.OUT_AFTER] = lay.NO_ATTEMPT if over == 1 else lay.GOES_OUT
    count += 1
    m[s + lay.TIMEOUT_LEAST_MS] = lay.NONE
    if rows[r + lay.IN_TRANSPORT_MOST] != lay.NONE:
        is_last = 1 if attempt == c[lay.ATTEMPTS_TOTAL] else 0
        timeouts(c, m, rows, r, s, is_last, attempt_timeout)
    return count


@rule()
def _is_retryable(c: Any, code: Any) -> Any:
    for i in range(lay.RETRY_CODES, lay.RETRY_CODES + c[lay.RETRY_CODE_COUNT]):
        if c[i] == code:
            return 1
    return 0


@rule()
def _attempt_end(c: Any, m: Any, rows: Any, r: Any, s: Any, out: Any, count: Any, after_attempt: Any) -> Any:
    """An attempt_end row: what follows, unless only the budget knows."""
    if m[s + lay.PHASE] != lay.SELECTED or not _is_of_this_send(m, rows, r, s):
        return -1 - lay.NOT_SELECTED
    if m[s + lay.TIMEOUT_LEAST_MS] != lay.NONE:
        o = put(out, count, lay.KIND_TIMEOUT, rows[r + lay.IN_ROW], m, s)
        out[o + lay.OUT_TIMEOUT_LEAST_MS] = m[s + lay.TIMEOUT_LEAST_MS]
        out[o + lay.OUT_TIMEOUT_MOST_MS] = m[s + lay.TIMEOUT_MOST_MS]
        count += 1
    outcome, code = rows[r + lay.IN_OUTCOME], rows[r + lay.IN_CODE]
    m[s + lay.PHASE] = lay.ENDED
    m[s + lay.OUTCOME] = outcome
    m[s + lay.CODE] = code
    if outcome in (codes.SEND_OK, codes.SEND_STATUS):
        m[s + lay.HELD] = 1
        m[s + lay.HELD_BROKER] = m[s + lay.BROKER]
        m[s + lay.HELD_QUEUE_ID] = m[s + lay.QUEUE_ID]
        m[s + lay.HELD_OUTCOME] = outcome
        m[s + lay.HELD_CODE] = code
    then = after_attempt(outcome, code, _is_retryable(c, code), c[lay.RETRY_NOT_STORE_OK])
    m[s + lay.THROWN] = 1 if then == codes.THROW else 0
    m[s + lay.ENDED_ROW] = rows[r + lay.IN_ROW]
    if then == codes.RETRY and m[s + lay.ATTEMPT] < c[lay.ATTEMPTS_TOTAL]:
        return count
    if then != codes.RETURN:
        then = codes.RETURN if m[s + lay.HELD] == 1 else codes.THROW
    return _settle(out, count, m, s, then, 0)


@rule()
def _fault_update(
    c: Any, m: Any, kept: Any, rows: Any, r: Any, s: Any, out: Any, count: Any, update: Any, is_isolated: Any,
    is_reachable: Any,
) -> Any:  # fmt: skip
    """A fault_update row: the flags by the attempt's outcome, and the item by them and the recorded latency."""
    if m[s + lay.PHASE] != lay.ENDED or not _is_of_this_send(m, rows, r, s):
        return -1 - lay.NOT_ENDED
    m[s + lay.PHASE] = lay.CHARGED
    broker = m[s + lay.BROKER]
    isolation = is_isolated(m[s + lay.OUTCOME])
    reachable = is_reachable(m[s + lay.OUTCOME], c[lay.DETECTOR_ON])
    return charge(c, m, kept, rows, r, s, out, count, broker, isolation, reachable, update)


@rule()
def _send_end(m: Any, rows: Any, r: Any, s: Any, out: Any, count: Any) -> Any:
    """A send_end row: what the caller sees, by the whole of the send."""
    phase = m[s + lay.PHASE]
    if phase == lay.IDLE or not _is_of_this_send(m, rows, r, s):
        return -1 - lay.NO_SEND
    if phase == lay.ENDED or (phase == lay.SELECTED and m[s + lay.OVER] == 0):
        return -1 - lay.NOT_CHARGED
    count = _settle(out, count, m, s, codes.RETRY, 0)
    final = final_result(m[s + lay.HELD], m[s + lay.THROWN], m[s + lay.OVER])
    o = put(out, count, lay.KIND_SEND_END, rows[r + lay.IN_ROW], m, s)
    if final == FINAL_SEND_RESULT:
        out[o + lay.OUT_OUTCOME] = m[s + lay.HELD_OUTCOME]
        out[o + lay.OUT_CODE] = m[s + lay.HELD_CODE]
        out[o + lay.OUT_BROKER] = m[s + lay.HELD_BROKER]
        out[o + lay.OUT_QUEUE_ID] = m[s + lay.HELD_QUEUE_ID]
    elif final == FINAL_BROKER_EXCEPTION:
        out[o + lay.OUT_OUTCOME] = codes.BROKER_ERROR
        out[o + lay.OUT_CODE] = m[s + lay.CODE]
    elif final == FINAL_TOO_MUCH_REQUEST:
        out[o + lay.OUT_OUTCOME] = codes.TOO_MUCH_REQUEST
    else:
        out[o + lay.OUT_OUTCOME] = codes.NO_MASTER
        out[o + lay.OUT_CODE] = final_code(m[s + lay.OUTCOME], m[s + lay.CODE])
    m[s + lay.PHASE] = lay.IDLE
    return count + 1


@entry(REPLAY)
def replay(
    c: Any, m: Any, kept: Any, rows: Any, refused: Any, out: Any, select: Any, update: Any, over_budget: Any,
    attempt_timeout: Any, is_isolated: Any, is_reachable: Any, after_attempt: Any,
) -> Any:  # fmt: skip
    """Replay rows int64[n * IN_SIZE]; gives the number of decisions in `out`, with one cell of `refused` a row."""
    count = 0
    for number in range(refused.shape[0]):
        r = number * lay.IN_SIZE
        s = c[lay.SENDERS] + rows[r + lay.IN_SENDER] * lay.SENDER_SIZE
        event = rows[r + lay.IN_EVENT]
        if event == lay.SELECT:
            made = _select(c, m, kept, rows, r, s, out, count, select, over_budget, attempt_timeout)
        elif event == lay.ATTEMPT_END:
            made = _attempt_end(c, m, rows, r, s, out, count, after_attempt)
        elif event == lay.FAULT_UPDATE:
            made = _fault_update(c, m, kept, rows, r, s, out, count, update, is_isolated, is_reachable)
        elif event == lay.SEND_END:
            made = _send_end(m, rows, r, s, out, count)
        elif event == lay.FINISH:
            made = _settle(out, count, m, s, codes.RETRY, 1)
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
