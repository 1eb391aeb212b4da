"""The event loop: events in the order (time, class, record or thread), class = timer, event of a record, arrival."""

from __future__ import annotations

from typing import Any, NamedTuple

from numba import types

from simulator.client.signatures import (
    AFTER_ASYNC,
    AFTER_ATTEMPT,
    ASYNC_CHARGED,
    ASYNC_CODE,
    ASYNC_EXCEPTION,
    ASYNC_LATENCY,
    ASYNC_LEFT,
    ASYNC_REACHABLE,
    ASYNC_WAIT,
    ATTEMPT_TIMEOUT,
    HANDS_OVER,
    HASH_PLACE,
    IS_ISOLATED,
    IS_REACHABLE,
    IS_THROWN,
    OVER_BUDGET,
    OWN_PLACE,
    RESPONSE_WAIT,
    RETRY_TIMEOUT,
    SELECT,
    UPDATE,
)
from simulator.codes import HAND_OFF_QUEUE_FULL
from simulator.compiled.jit import MEMORY, entry, pointer, rule
from simulator.engine import heap
from simulator.engine.ahead import look_ahead
from simulator.engine.layout import (
    ATTEMPT_LIMIT,
    ATTEMPT_ROWS,
    CLOCK_US,
    DETECT_PERIOD_US,
    FAR,
    FAULT_ITEM_LIMIT,
    FAULT_ITEM_ROWS,
    FREE_PLACE,
    FREE_RECORDS,
    GIVING_UP,
    HAND_OFF_LIMIT,
    HEAP_AT,
    HEAP_SIZE,
    IDLE,
    IN_ATTEMPT,
    LENGTH,
    NEXT_DETECT_US,
    NEXT_POLL_US,
    NEXT_WINDOW,
    NUMBERS,
    SEND_LIMIT,
    SEND_ROWS,
    SEND_SEQS,
    SENDING,
    SENDING_SIZE,
    SKIPPED,
    SKIPS,
    STATE,
    THREAD_SIZE,
    THREADS,
    TOPICS,
    WAY,
    WAY_PLAIN,
    WINDOW_LIMIT,
    WINDOW_ROWS,
    WINDOW_US,
)
from simulator.engine.network.detecting import detect
from simulator.engine.network.route_polls import poll
from simulator.engine.rows import close_window, put_refused
from simulator.engine.sending.hand_off import wait_in_line
from simulator.engine.sending.spare_sends import NEEDED
from simulator.engine.sending.sync_send import begin_send, end_attempt, give_up
from simulator.engine.sending.ways import begin_way, handle

LOOP = types.int64(
    MEMORY,
    MEMORY,
    MEMORY,
    MEMORY,
    MEMORY,
    MEMORY,
    MEMORY,
    MEMORY,
    types.int64,
    types.int64,
    types.FunctionType(SELECT),
    types.FunctionType(UPDATE),
    types.FunctionType(OVER_BUDGET),
    types.FunctionType(ATTEMPT_TIMEOUT),
    types.FunctionType(RESPONSE_WAIT),
    types.FunctionType(IS_ISOLATED),
    types.FunctionType(IS_REACHABLE),
    types.FunctionType(AFTER_ATTEMPT),
    types.FunctionType(HASH_PLACE),
    types.FunctionType(ASYNC_LEFT),
    types.FunctionType(ASYNC_WAIT),
    types.FunctionType(IS_THROWN),
    types.FunctionType(ASYNC_CHARGED),
    types.FunctionType(ASYNC_LATENCY),
    types.FunctionType(ASYNC_REACHABLE),
    types.FunctionType(RETRY_TIMEOUT),
    types.FunctionType(AFTER_ASYNC),
    types.FunctionType(HANDS_OVER),
    types.FunctionType(ASYNC_EXCEPTION),
    types.FunctionType(ASYNC_CODE),
    types.FunctionType(OWN_PLACE),
)


class Rules(NamedTuple):
    """The client's functions, one type each (client/signatures.py)."""

    select: Any
    update: Any
    over_budget: Any
    attempt_timeout: Any
    response_wait: Any
    is_isolated: Any
    is_reachable: Any
    after_attempt: Any
    hash_place: Any
    own_place: Any


class AsyncRules(NamedTuple):
    """Those of its asynchronous path."""

    async_left: Any
    async_wait: Any
    is_thrown: Any
    async_charged: Any
    async_latency: Any
    async_reachable: Any
    retry_timeout: Any
    after_async: Any
    hands_over: Any
    async_exception: Any
    async_code: Any


@rule(inlined=True)
def _has_room(m: Any, o: Any, numbers: Any) -> Any:
    """Whether one event finds a place to wait in, and every table room for what it can put out."""
    return (
        m[numbers + FREE_PLACE] >= 0
        and m[numbers + FREE_RECORDS] >= NEEDED
        and o[ATTEMPT_ROWS] <= o[ATTEMPT_LIMIT]
        and o[SEND_ROWS] <= o[SEND_LIMIT]
        and o[FAULT_ITEM_ROWS] <= o[FAULT_ITEM_LIMIT]
        and o[WINDOW_ROWS] <= o[WINDOW_LIMIT]
    )


@rule(inlined=True)
def _arrive(
    c: Any, m: Any, o: Any, memory: Any, thread: Any, now_us: Any, topic: Any, draw: Any, rules: Any, later: Any
) -> None:  # fmt: skip
    fixed = c[THREADS] + thread * THREAD_SIZE
    s = c[SENDING] + thread * SENDING_SIZE
    if m[s + STATE] == IDLE:
        if c[fixed + WAY] == WAY_PLAIN:
            begin_send(c, m, o, memory, thread, now_us, now_us, topic, draw, rules)
        else:
            begin_way(c, m, o, memory, thread, now_us, now_us, topic, draw, rules, later)
    elif c[fixed + SKIPS] == 1:
        m[c[NUMBERS] + SKIPPED] += 1
    elif m[s + LENGTH] < c[fixed + HAND_OFF_LIMIT]:
        wait_in_line(c, m, thread, now_us, topic, draw)
    else:
        number = c[SEND_SEQS] + thread * c[TOPICS] + topic
        put_refused(o, thread, topic, m[number], now_us, HAND_OFF_QUEUE_FULL)
        m[number] += 1


@entry(LOOP)
def run_until(
    constants: Any, memory: Any, output: Any, scratch: Any, at_us: Any, thread: Any, topic: Any, draw: Any, first: Any,
    until_us: Any, select: Any, update: Any, over_budget: Any, attempt_timeout: Any, response_wait: Any,
    is_isolated: Any, is_reachable: Any, after_attempt: Any, hash_place: Any, async_left: Any, async_wait: Any,
    is_thrown: Any, async_charged: Any, async_latency: Any, async_reachable: Any, retry_timeout: Any,
    after_async: Any, hands_over: Any, async_exception: Any, async_code: Any, own_place: Any,
) -> Any:  # fmt: skip
    """Handle every event before `until_us`; arrivals from row `first` on. Gives the next arrival's row.

    With `until_us` = FAR it goes on until nothing is in flight, and closes the open window. Stops early for want of
    room, in a table or the hand-off queues, and then gives -1 - row.
    """
    # Rules of the client are handed the array itself, for their types; the loop's own use the bare memory.
    c, m, o = pointer(constants), pointer(memory), pointer(output)
    rules = Rules(
        select,
        update,
        over_budget,
        attempt_timeout,
        response_wait,
        is_isolated,
        is_reachable,
        after_attempt,
        hash_place,
        own_place,
    )
    later = AsyncRules(
        async_left, async_wait, is_thrown, async_charged, async_latency, async_reachable, retry_timeout, after_async,
        hands_over, async_exception, async_code
    )  # fmt: skip
    numbers = c[NUMBERS]
    row = first
    while True:
        end_us = m[c[HEAP_AT]] if m[numbers + HEAP_SIZE] > 0 else FAR
        arrival_us = at_us[row] if row < at_us.shape[0] else FAR
        event_us = min(end_us, arrival_us)
        if until_us == FAR and event_us == FAR:
            break
        window_us = (m[numbers + NEXT_WINDOW] + 1) * c[WINDOW_US]
        timer_us = min(window_us, m[numbers + NEXT_DETECT_US], m[numbers + NEXT_POLL_US])
        now_us = min(timer_us, event_us)
        if now_us >= until_us:
            break
        if not _has_room(m, o, numbers):
            return -1 - row
        m[numbers + CLOCK_US] = now_us
        if timer_us == now_us:
            if window_us == now_us:
                close_window(c, m, o)
            elif m[numbers + NEXT_POLL_US] == now_us:
                poll(c, m, now_us)
            else:
                detect(c, m, o, memory, scratch, now_us)
                m[numbers + NEXT_DETECT_US] += c[DETECT_PERIOD_US]
        elif end_us == now_us:
            ended = heap.pop(c, m)
            state = m[c[SENDING] + ended * SENDING_SIZE + STATE]
            if state == IN_ATTEMPT:
                end_attempt(c, m, o, memory, ended, now_us, rules)
            elif state == GIVING_UP:
                give_up(c, m, o, memory, ended, now_us, rules)
            else:
                handle(c, m, o, memory, ended, now_us, rules, later)
        else:
            look_ahead(c, m, thread, topic, row)
            _arrive(c, m, o, memory, thread[row], now_us, topic[row], draw[row], rules, later)
            row += 1
    if until_us == FAR:
        if not _has_room(m, o, numbers):
            return -1 - row
        close_window(c, m, o)
    else:
        m[numbers + CLOCK_US] = until_us
    return row
