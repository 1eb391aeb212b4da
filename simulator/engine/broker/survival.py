"""Which copies outlive what happens to a broker: a killed process, a power loss, a lost disk."""

from __future__ import annotations

from typing import Any

from simulator.compiled.jit import rule
from simulator.engine.broker.flushing import await_flush, note_outage, note_put
from simulator.engine.broker.replication import copied_at
from simulator.engine.layout import (
    ACKS,
    AT_US,
    BROKER_ROWS,
    BROKER_SIZE,
    DISK_LOST_US,
    DOWN,
    DOWN_DISK,
    DOWN_KILL,
    DOWN_POWER,
    FAR,
    FIRST_PERIOD,
    MESSAGE_BYTES,
    PERIOD_COUNT,
    PERIOD_CURSOR,
    PERIOD_SIZE,
    POWER_LOST_US,
    SCAN_PHASE_US,
    SLAVES,
    SYNC_FLUSH,
    TIMETABLE,
    TRANSIENT_POOL,
    UNTIL_US,
    VALUE,
)
from simulator.engine.periods import periods_of
from simulator.engine.sending.waiting import flushed_at

COMMIT_TICK_US = 200_000  # commitIntervalCommitLog


@rule()
def _note_in_log(c: Any, m: Any, s: Any, broker: Any, now_us: Any, at_us: Any, row: Any, rows_end: Any) -> Any:
    """Tell the asynchronous flush of the put, and of the next outage, at offset `row` in m; where the put ends."""
    away_us = m[row + AT_US] if row < rows_end else FAR
    position = note_put(c, m, broker, now_us, min(at_us, away_us), m[s + MESSAGE_BYTES])
    if row < rows_end:
        back_us = m[row + UNTIL_US]
        note_outage(c, m, broker, away_us, -back_us if m[row + VALUE] == DOWN_POWER else back_us)
    return position


@rule()
def kept_after(c: Any, m: Any, s: Any, broker: Any, now_us: Any, at_us: Any, word: Any) -> Any:
    """1 if the copy of the record at `s`, appended at `at_us`, outlives everything that is known to happen, else 0.

    A kill takes what a transient store pool has not committed, a power loss what is not flushed, a lost disk all; a
    copy that a slave had by then is kept. A shutdown writes everything. Of outages further off than they are
    announced only lost disks matter. 0 too if it depends on a flush that is still to come: then it is waited for.
    """
    fixed = c[BROKER_ROWS] + broker * BROKER_SIZE
    own = periods_of(c, broker, DOWN)
    lost_us = c[fixed + DISK_LOST_US]
    row = c[TIMETABLE] + (m[own + FIRST_PERIOD] + m[own + PERIOD_CURSOR]) * PERIOD_SIZE
    rows_end = c[TIMETABLE] + (m[own + FIRST_PERIOD] + m[own + PERIOD_COUNT]) * PERIOD_SIZE
    if row >= rows_end and at_us >= lost_us and at_us >= c[fixed + POWER_LOST_US]:
        return 1
    while row < rows_end and m[row + AT_US] < at_us:
        row += PERIOD_SIZE
    committed_us = at_us
    if c[fixed + TRANSIENT_POOL] == 1:
        committed_us = at_us + (c[fixed + SCAN_PHASE_US] - at_us) % COMMIT_TICK_US
    flushed_us, position = FAR, 0
    if c[fixed + SYNC_FLUSH] == 1:
        flushed_us = flushed_at(c, m, broker, at_us, word)
    elif at_us < c[fixed + POWER_LOST_US]:
        position = _note_in_log(c, m, s, broker, now_us, committed_us, row, rows_end)
    copied_us = FAR
    if c[fixed + SLAVES] > 0:
        copied_us = copied_at(c, m, broker, at_us, word, min(max(c[fixed + ACKS], 1), c[fixed + SLAVES]))
    outlives = 1 if at_us >= lost_us or copied_us < lost_us else 0
    for outage in range(row, rows_end, PERIOD_SIZE):
        away_us, value = m[outage + AT_US], m[outage + VALUE]
        is_open = value == DOWN_POWER and flushed_us > away_us
        if (value == DOWN_KILL and committed_us > away_us) or is_open or value == DOWN_DISK:
            if copied_us <= away_us:
                return 1
            if is_open and c[fixed + SYNC_FLUSH] == 0 and committed_us <= away_us and outlives == 1:
                await_flush(c, m, s, broker, position, away_us)
            return 0
    return outlives
