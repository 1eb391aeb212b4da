"""The asynchronous flush of a broker's commit log, put by put: what is on the disk when the power is lost.

A copy's fate is open until the flush thread has its position, or the power is gone before. The row of its message
waits for that in a tally. Only for brokers that lose power; everything is worked out from the first put on.

Source: rocketmq 4.2.0-5.3.3, CommitLog.FlushRealTimeService (flushIntervalCommitLog, flushCommitLogLeastPages,
flushCommitLogThoroughInterval; flushCommitLogTimed, true since 4.9.1), MappedFile.isAbleToFlush.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.compiled.jit import rule
from simulator.engine import heap
from simulator.engine.layout import (
    ARRIVAL_US,
    ATTEMPT,
    BEGIN_US,
    BODY,
    BROKER,
    BROKER_ROWS,
    BROKER_SIZE,
    BROKER_STATE_SIZE,
    BROKER_STATES,
    CHECK_US,
    CODE,
    COPIES,
    COUNTED,
    COUNTING,
    ENDS_US,
    FLUSH_DONE_US,
    FLUSH_TIMED,
    FLUSHED_BEFORE,
    FLUSHED_BYTES,
    KEPT,
    KEY,
    LOG_BYTES,
    MESSAGE_BYTES,
    OUTAGE_US,
    OUTCOME,
    POSITION,
    QUEUE_ID,
    RESTART_US,
    SCAN_PHASE_US,
    SEND_SEQ,
    SPEED,
    STALL,
    STATE,
    TALLY,
    THOROUGH_US,
    THREAD,
    TOPIC,
    UNFLUSHED,
)
from simulator.engine.periods import end_with_disk, skip_past
from simulator.engine.rows import put_send
from simulator.engine.sending.spare_sends import at, give_back, take
from simulator.engine.sending.waiting import flush_us
from simulator.randomness import mix

INTERVAL_US = 500_000  # flushIntervalCommitLog
THOROUGH_INTERVAL_US = 10_000_000  # flushCommitLogThoroughInterval
LEAST_PAGES = 4  # flushCommitLogLeastPages
PAGE_BYTES = 4096


@rule()
def _restart(m: Any, state: Any) -> None:
    """The process was away and is back: its log is what was written, or after a power loss what was flushed."""
    if m[state + RESTART_US] < 0:
        done = m[state + FLUSH_DONE_US] <= m[state + OUTAGE_US]
        m[state + LOG_BYTES] = m[state + FLUSHED_BYTES] if done else m[state + FLUSHED_BEFORE]
    back_us = abs(m[state + RESTART_US])
    m[state + FLUSHED_BYTES] = m[state + LOG_BYTES]
    m[state + FLUSHED_BEFORE] = m[state + LOG_BYTES]
    m[state + FLUSH_DONE_US] = back_us
    m[state + THOROUGH_US] = back_us
    m[state + CHECK_US] = back_us + INTERVAL_US
    m[state + RESTART_US] = 0


@rule()
def _look(c: Any, m: Any, broker: Any, state: Any) -> None:
    """The flush thread looks at CHECK_US: it flushes four dirty pages, and every ten seconds whatever is dirty."""
    now_us = m[state + CHECK_US]
    least = LEAST_PAGES
    if now_us >= m[state + THOROUGH_US] + THOROUGH_INTERVAL_US:
        m[state + THOROUGH_US] = now_us
        least = 0
    written, flushed = m[state + LOG_BYTES], m[state + FLUSHED_BYTES]
    end_us = now_us
    if written > flushed and written // PAGE_BYTES - flushed // PAGE_BYTES >= least:
        phase_us = c[c[BROKER_ROWS] + broker * BROKER_SIZE + SCAN_PHASE_US]
        word = np.int64(mix(np.uint64(now_us) ^ mix(np.uint64(phase_us))) >> np.uint64(32))
        end_us = end_with_disk(c, m, broker, now_us, flush_us(c, broker, word))
        m[state + FLUSHED_BEFORE] = flushed
        m[state + FLUSHED_BYTES] = written
        m[state + FLUSH_DONE_US] = end_us
    m[state + CHECK_US] = end_us + INTERVAL_US


@rule()
def _advance(c: Any, m: Any, broker: Any, state: Any, until_us: Any) -> None:
    """Let the flush thread look as often as it does before `until_us`; every put before then is known."""
    if m[state + CHECK_US] == 0:
        phase_us = c[c[BROKER_ROWS] + broker * BROKER_SIZE + SCAN_PHASE_US]
        m[state + CHECK_US] = phase_us % INTERVAL_US + 1
        m[state + THOROUGH_US] = phase_us - THOROUGH_INTERVAL_US
    while m[state + CHECK_US] < until_us:
        if m[state + RESTART_US] != 0 and m[state + CHECK_US] >= m[state + OUTAGE_US]:
            _restart(m, state)
        else:
            _look(c, m, broker, state)


@rule()
def note_put(c: Any, m: Any, broker: Any, now_us: Any, at_us: Any, body: Any) -> Any:
    """Where a put that is written at `at_us` ends in the commit log. `now_us`: when its request arrived."""
    state = c[BROKER_STATES] + broker * BROKER_STATE_SIZE
    skip_past(c, m, broker, SPEED, now_us)
    skip_past(c, m, broker, STALL, now_us)
    _advance(c, m, broker, state, at_us)
    m[state + LOG_BYTES] += body
    if c[c[BROKER_ROWS] + broker * BROKER_SIZE + FLUSH_TIMED] == 0:
        # A put wakes the thread, or if it is flushing lets it look again at once.
        m[state + CHECK_US] = min(m[state + CHECK_US], max(at_us, m[state + FLUSH_DONE_US]))
    return m[state + LOG_BYTES]


@rule()
def note_outage(c: Any, m: Any, broker: Any, away_us: Any, back_us: Any) -> None:
    """The next outage that is known; `back_us` below 0: what is not flushed then is lost."""
    state = c[BROKER_STATES] + broker * BROKER_STATE_SIZE
    if m[state + RESTART_US] == 0:
        m[state + OUTAGE_US] = away_us
        m[state + RESTART_US] = back_us


@rule()
def await_flush(c: Any, m: Any, s: Any, broker: Any, position: Any, lost_us: Any) -> None:
    """The copy of the record at `s` that ends at `position` is lost if it is not flushed at `lost_us`."""
    if m[s + TALLY] == 0:
        tally = take(c, m)
        m[at(c, tally) + STATE] = COUNTING
        m[at(c, tally) + KEPT] = 0
        m[at(c, tally) + POSITION] = 0
        m[s + TALLY] = 1 + tally
    m[at(c, m[s + TALLY] - 1) + POSITION] += 1
    record = take(c, m)
    copy = at(c, record)
    m[copy + STATE] = UNFLUSHED
    m[copy + BROKER] = broker
    m[copy + POSITION] = position
    m[copy + TALLY] = m[s + TALLY]
    m[copy + ENDS_US] = lost_us
    state = c[BROKER_STATES] + broker * BROKER_STATE_SIZE
    heap.push(c, m, min(m[state + CHECK_US], lost_us), record)


@rule()
def look_again(c: Any, m: Any, o: Any, record: Any, now_us: Any) -> None:
    """The event of an UNFLUSHED copy: its fate is decided, or it waits for the next look of the flush thread."""
    copy = at(c, record)
    broker, lost_us = m[copy + BROKER], m[copy + ENDS_US]
    state = c[BROKER_STATES] + broker * BROKER_STATE_SIZE
    skip_past(c, m, broker, SPEED, now_us)
    skip_past(c, m, broker, STALL, now_us)
    _advance(c, m, broker, state, min(now_us + 1, lost_us))
    covered = m[state + FLUSHED_BYTES] >= m[copy + POSITION]
    if not covered and now_us < lost_us:
        heap.push(c, m, min(m[state + CHECK_US], lost_us), record)
        return
    done = covered and m[state + FLUSH_DONE_US] <= lost_us
    kept = 1 if done or m[state + FLUSHED_BEFORE] >= m[copy + POSITION] else 0
    number = m[copy + TALLY] - 1
    m[copy + TALLY] = 0
    give_back(c, m, record)
    tally = at(c, number)
    m[tally + KEPT] += kept
    m[tally + POSITION] -= 1
    if m[tally + POSITION] == 0 and m[tally + STATE] == COUNTED:
        _put_counted(m, o, tally)
        give_back(c, m, number)


@rule()
def _put_counted(m: Any, o: Any, tally: Any) -> None:
    put_send(
        m, o, tally, m[tally + ENDS_US], m[tally + OUTCOME], m[tally + CODE], m[tally + ATTEMPT], m[tally + BROKER],
        m[tally + QUEUE_ID]
    )  # fmt: skip


@rule()
def put_when_known(
    c: Any, m: Any, o: Any, s: Any, end_us: Any, result: Any, code: Any, attempts: Any, broker: Any, queue_id: Any
) -> None:  # fmt: skip
    """`rows.put_send`, at once or when the fate of the last copy is known."""
    if m[s + TALLY] == 0:
        put_send(m, o, s, end_us, result, code, attempts, broker, queue_id)
        return
    number = m[s + TALLY] - 1
    m[s + TALLY] = 0
    tally = at(c, number)
    m[tally + THREAD] = m[s + THREAD]
    m[tally + TOPIC] = m[s + TOPIC]
    m[tally + SEND_SEQ] = m[s + SEND_SEQ]
    m[tally + ARRIVAL_US] = m[s + ARRIVAL_US]
    m[tally + BEGIN_US] = m[s + BEGIN_US]
    m[tally + COPIES] = m[s + COPIES]
    m[tally + KEPT] += m[s + KEPT]
    m[tally + BODY] = m[s + BODY]
    m[tally + MESSAGE_BYTES] = m[s + MESSAGE_BYTES]
    m[tally + KEY] = m[s + KEY]
    m[tally + ENDS_US] = end_us
    m[tally + OUTCOME] = result
    m[tally + CODE] = code
    m[tally + ATTEMPT] = attempts
    m[tally + BROKER] = broker
    m[tally + QUEUE_ID] = queue_id
    m[tally + STATE] = COUNTED
    if m[tally + POSITION] == 0:
        _put_counted(m, o, tally)
        give_back(c, m, number)
