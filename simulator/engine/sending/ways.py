"""The ways of sending other than the plain synchronous one: where a message begins, and what its events are."""

from __future__ import annotations

from typing import Any

from simulator import codes
from simulator.compiled.jit import rule
from simulator.engine.broker.flushing import look_again
from simulator.engine.layout import (
    APPENDING,
    GRANTED,
    IDLE,
    IN_ASYNC,
    IN_ONE_ATTEMPT,
    IN_SOCKET,
    LENGTH,
    LOOP,
    RESUMING,
    SELECT_BY_STRATEGY,
    SELECTOR,
    STARTING,
    STATE,
    THREAD,
    THREAD_SIZE,
    THREADS,
    UNFLUSHED,
    WAITING_DRAW,
    WAITING_SINCE_US,
    WAITING_TOPIC,
    WAY,
    WAY_ASYNC,
    WAY_SYNC,
)
from simulator.engine.network.async_transport import read_request
from simulator.engine.rows import put_send
from simulator.engine.sending.async_flow import ask_permits, begin_async, end_async, permit_denied, start
from simulator.engine.sending.closed_loop import await_next, next_of_loop
from simulator.engine.sending.hand_off import next_in_line
from simulator.engine.sending.message import PASSED, fill_message
from simulator.engine.sending.one_attempt import begin_one_attempt, end_one_attempt
from simulator.engine.sending.spare_sends import append, at, give_back, take
from simulator.engine.sending.sync_send import begin_loop, open_record


@rule()
def begin_way(
    c: Any, m: Any, o: Any, memory: Any, thread: Any, now_us: Any, arrival_us: Any, topic: Any, draw: Any,
    rules: Any, later: Any
) -> None:  # fmt: skip
    """Begin a message on an idle thread in its group's way."""
    fixed = c[THREADS] + thread * THREAD_SIZE
    way = c[fixed + WAY]
    record = take(c, m) if way == WAY_ASYNC else thread
    s = at(c, record)
    m[s + THREAD] = thread
    open_record(c, m, s, thread, now_us, arrival_us, topic, draw)
    refused = fill_message(c, m, s, draw)
    if refused != PASSED:
        put_send(m, o, s, now_us, codes.NO_MASTER, refused, 0, -1, -1)
        if way == WAY_ASYNC:
            give_back(c, m, record)
    elif way == WAY_ASYNC:
        begin_async(c, m, o, memory, record, now_us, rules, later)
    elif way == WAY_SYNC and c[fixed + SELECTOR] == SELECT_BY_STRATEGY:
        begin_loop(c, m, o, memory, thread, now_us, topic, rules)
    else:
        begin_one_attempt(c, m, o, memory, thread, now_us, rules)


@rule()
def resume(
    c: Any, m: Any, o: Any, memory: Any, thread: Any, now_us: Any, rules: Any, later: Any
) -> None:  # fmt: skip
    """The thread takes its next message: of its closed loop, or the first of its hand-off queue."""
    s = at(c, thread)
    m[s + STATE] = IDLE
    if c[c[THREADS] + thread * THREAD_SIZE + LOOP] >= 0:
        since_us, (topic, draw) = now_us, next_of_loop(c, m, thread)
    else:
        row = next_in_line(c, m, thread)
        since_us, topic, draw = m[row + WAITING_SINCE_US], m[row + WAITING_TOPIC], m[row + WAITING_DRAW]
    begin_way(c, m, o, memory, thread, now_us, since_us, topic, draw, rules, later)
    if m[s + STATE] == IDLE and m[s + LENGTH] > 0:
        await_next(c, m, thread, now_us)


@rule()
def handle(
    c: Any, m: Any, o: Any, memory: Any, record: Any, now_us: Any, rules: Any, later: Any
) -> None:  # fmt: skip
    """The event of a record that is neither the end of a plain attempt nor a giving up."""
    state = m[at(c, record) + STATE]
    if state == IN_ASYNC:
        end_async(c, m, o, memory, record, now_us, rules, later)
    elif state == IN_SOCKET:
        read_request(c, m, record, now_us, later)
    elif state == APPENDING:
        append(c, m, record)
    elif state == UNFLUSHED:
        look_again(c, m, o, record, now_us)
    elif state == IN_ONE_ATTEMPT:
        end_one_attempt(c, m, o, memory, record, now_us, rules)
    elif state == RESUMING:
        resume(c, m, o, memory, record, now_us, rules, later)
    elif state == GRANTED:
        ask_permits(c, m, o, memory, record, now_us, rules, later)
    elif state == STARTING:
        start(c, m, o, memory, record, now_us, rules, later)
    else:
        permit_denied(c, m, o, record, now_us)
