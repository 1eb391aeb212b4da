"""Which copies outlive what happens to a broker: a killed process, a power loss, a lost disk."""

from __future__ import annotations

from typing import Any

from simulator.engine.layout import (
    ACKS,
    AT_US,
    BEFORE_BYTES,
    BROKER_ROWS,
    BROKER_SIZE,
    BROKER_STATE_SIZE,
    BROKER_STATES,
    DIRTY_BYTES,
    DISK_LOST_US,
    DOWN,
    DOWN_DISK,
    DOWN_KILL,
    DOWN_POWER,
    FAR,
    FIRST_PERIOD,
    FLUSH_TICK,
    FLUSH_TIMED,
    PERIOD_COUNT,
    PERIOD_CURSOR,
    PERIOD_SIZE,
    SCAN_PHASE_US,
    SLAVES,
    SYNC_FLUSH,
    TICK_BYTES,
    TIMETABLE,
    TRANSIENT_POOL,
    VALUE,
)
from simulator.engine.periods import end_with_disk, periods_of
from simulator.engine.replication import copied_at
from simulator.engine.waiting import flush_us, flushed_at
from simulator.jit import rule

FLUSH_TICK_US = 500_000  # flushIntervalCommitLog
THOROUGH_US = 10_000_000  # flushCommitLogThoroughInterval
COMMIT_TICK_US = 200_000  # commitIntervalCommitLog
LEAST_BYTES = 4 * 4096  # flushCommitLogLeastPages


@rule()
def _next(at_us: Any, period_us: Any, phase_us: Any) -> Any:
    return at_us + (phase_us - at_us) % period_us


@rule()
def _note_append(c: Any, m: Any, broker: Any, at_us: Any, body: Any) -> None:
    """Add a message's bytes to those of the asynchronous flush's interval and to those that are dirty."""
    state = c[BROKER_STATES] + broker * BROKER_STATE_SIZE
    phase_us = c[c[BROKER_ROWS] + broker * BROKER_SIZE + SCAN_PHASE_US]
    tick = _next(at_us, FLUSH_TICK_US, phase_us) // FLUSH_TICK_US
    if tick != m[state + FLUSH_TICK]:
        thorough = tick * FLUSH_TICK_US // THOROUGH_US != m[state + FLUSH_TICK] * FLUSH_TICK_US // THOROUGH_US
        if thorough or m[state + DIRTY_BYTES] >= LEAST_BYTES:
            m[state + DIRTY_BYTES] = 0
        m[state + BEFORE_BYTES] = m[state + TICK_BYTES] if tick == m[state + FLUSH_TICK] + 1 else 0
        m[state + TICK_BYTES] = 0
        m[state + FLUSH_TICK] = tick
    m[state + TICK_BYTES] += body
    m[state + DIRTY_BYTES] += body


@rule()
def _flushed_behind(c: Any, m: Any, broker: Any, at_us: Any, word: Any) -> Any:
    """When the asynchronous flush has what was written at `at_us`.

    Every 500 ms when four pages are dirty, everything every 10 s; up to 4.9.0 a put wakes the flush, so four dirty
    pages do not wait (CommitLog.FlushRealTimeService). What comes later is not known yet: in each interval as much
    is expected as in the one before, or as in this one so far.
    """
    fixed = c[BROKER_ROWS] + broker * BROKER_SIZE
    state = c[BROKER_STATES] + broker * BROKER_STATE_SIZE
    begin_us = _next(at_us, THOROUGH_US, c[fixed + SCAN_PHASE_US])
    missing = LEAST_BYTES - m[state + DIRTY_BYTES]
    if c[fixed + FLUSH_TIMED] == 1:
        per_tick = max(m[state + BEFORE_BYTES], m[state + TICK_BYTES])
        missing -= per_tick - m[state + TICK_BYTES]
        ticks = max(missing + per_tick - 1, 0) // per_tick
        begin_us = min(begin_us, _next(at_us, FLUSH_TICK_US, c[fixed + SCAN_PHASE_US]) + ticks * FLUSH_TICK_US)
    elif missing <= 0:
        begin_us = at_us
        m[state + DIRTY_BYTES] = 0
    elif m[state + BEFORE_BYTES] > 0:
        begin_us = min(begin_us, at_us + FLUSH_TICK_US * missing // m[state + BEFORE_BYTES])
    return end_with_disk(c, m, broker, begin_us, flush_us(c, broker, word))


@rule()
def kept_after(c: Any, m: Any, broker: Any, at_us: Any, body: Any, word: Any) -> Any:
    """1 if what was appended at `at_us` outlives everything that is known to happen to the broker, else 0.

    A kill takes what a transient store pool has not committed, a power loss what is not flushed, a lost disk all; a
    copy that a slave had by then is kept. A shutdown writes everything. Of outages further off than they are
    announced only lost disks matter.
    """
    fixed = c[BROKER_ROWS] + broker * BROKER_SIZE
    own = periods_of(c, broker, DOWN)
    lost_us = c[fixed + DISK_LOST_US]
    if m[own + PERIOD_CURSOR] >= m[own + PERIOD_COUNT] and at_us >= lost_us:
        return 1
    committed_us = at_us
    if c[fixed + TRANSIENT_POOL] == 1:
        committed_us = _next(at_us, COMMIT_TICK_US, c[fixed + SCAN_PHASE_US])
    if c[fixed + SYNC_FLUSH] == 1:
        flushed_us = flushed_at(c, m, broker, at_us, word)
    else:
        _note_append(c, m, broker, at_us, body)
        flushed_us = _flushed_behind(c, m, broker, committed_us, word)
    copied_us = FAR
    if c[fixed + SLAVES] > 0:
        copied_us = copied_at(c, m, broker, at_us, word, min(max(c[fixed + ACKS], 1), c[fixed + SLAVES]))
    for i in range(m[own + PERIOD_CURSOR], m[own + PERIOD_COUNT]):
        row = c[TIMETABLE] + (m[own + FIRST_PERIOD] + i) * PERIOD_SIZE
        away_us, value = m[row + AT_US], m[row + VALUE]
        if away_us < at_us:
            continue
        if (
            (value == DOWN_KILL and committed_us > away_us)
            or (value == DOWN_POWER and flushed_us > away_us)
            or value == DOWN_DISK
        ):
            return 1 if copied_us <= away_us else 0
    return 1 if at_us >= lost_us or copied_us < lost_us else 0
