"""What a stored message is waited for before it is answered: the flush and the slaves."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator import codes
from simulator.compiled.jit import rule
from simulator.engine.broker.replication import copied_at, slave_period_at, slaves_at
from simulator.engine.layout import (
    ACKS,
    AT_US,
    BROKER_ROWS,
    BROKER_SIZE,
    BROKER_STATE_SIZE,
    BROKER_STATES,
    CHECKS_SLAVE,
    CODE,
    FAR,
    FLUSH_BEGIN_US,
    FLUSH_END_US,
    FLUSH_LATENCY,
    FLUSH_TIMEOUT_US,
    LAG_BYTES,
    LAG_SINCE_US,
    LATENCIES,
    MESSAGE_BYTES,
    SLAVE_LAG,
    SLAVE_TIMEOUT_US,
    SLAVES,
    SYNC_FLUSH,
    VALUE,
)
from simulator.engine.periods import end_with_disk
from simulator.latency import service_us
from simulator.randomness import mix

FLUSH_WORD = 0xF1054  # so that a flush draws otherwise than the service time
SLAVE_FALL_BEHIND_MAX = 256 * 1024 * 1024  # MessageStoreConfig.haSlaveFallbehindMax


@rule()
def flush_us(c: Any, broker: Any, word: Any) -> Any:
    """How long the flush takes that the message of `word` begins."""
    table = c[LATENCIES] + c[c[BROKER_ROWS] + broker * BROKER_SIZE + FLUSH_LATENCY]
    return service_us(c, table, np.int64(mix(np.uint64(word + FLUSH_WORD)) >> np.uint64(32)))


@rule()
def flushed_at(c: Any, m: Any, broker: Any, at_us: Any, word: Any) -> Any:
    """When the group commit ends that covers what was appended at `at_us`.

    A flush covers all that was appended when it begins; the next begins when it ends, if something waits, and a
    thread that has nothing to do is woken at once (CommitLog.GroupCommitService, 4.2.0-5.3.3).
    """
    state = c[BROKER_STATES] + broker * BROKER_STATE_SIZE
    if m[state + FLUSH_END_US] == 0 or at_us > m[state + FLUSH_BEGIN_US]:
        begin_us = max(at_us, m[state + FLUSH_END_US])
        m[state + FLUSH_BEGIN_US] = begin_us
        m[state + FLUSH_END_US] = end_with_disk(c, m, broker, begin_us, flush_us(c, broker, word))
    return m[state + FLUSH_END_US]


@rule()
def _fell_behind(c: Any, m: Any, s: Any, broker: Any, at_us: Any) -> Any:
    """Whether the slaves lag by haSlaveFallbehindMax, counting from the begin of the period of lag."""
    row = slave_period_at(c, m, broker, at_us)
    if row < 0 or m[row + VALUE] != SLAVE_LAG:
        return 0
    state = c[BROKER_STATES] + broker * BROKER_STATE_SIZE
    if m[state + LAG_SINCE_US] != m[row + AT_US] + 1:
        m[state + LAG_SINCE_US] = m[row + AT_US] + 1
        m[state + LAG_BYTES] = 0
    m[state + LAG_BYTES] += m[s + MESSAGE_BYTES]
    return 1 if m[state + LAG_BYTES] >= SLAVE_FALL_BEHIND_MAX else 0


@rule()
def answered_at(c: Any, m: Any, s: Any, broker: Any, at_us: Any, word: Any) -> Any:
    """When nothing more is waited for, of a message appended at `at_us`; sets the record's code to the SendStatus.

    The status of the slaves overrides that of the disk (CommitLog.handleDiskFlushAndHA; handleHA after
    handleDiskFlush up to 4.9.8). Up to 4.9.8 a slave that is away or too far behind is not waited for; 5.0.0+
    counts acknowledgements and waits for them.
    """
    fixed = c[BROKER_ROWS] + broker * BROKER_SIZE
    done_us, status = at_us, 0
    if c[fixed + SYNC_FLUSH] == 1:
        done_us = flushed_at(c, m, broker, at_us, word)
        if done_us > at_us + c[fixed + FLUSH_TIMEOUT_US]:
            done_us, status = at_us + c[fixed + FLUSH_TIMEOUT_US], codes.FLUSH_DISK_TIMEOUT
    if c[fixed + ACKS] > 0:
        behind = _fell_behind(c, m, s, broker, at_us)
        if c[fixed + CHECKS_SLAVE] == 1 and (behind == 1 or slaves_at(c, m, broker, at_us) == 0):
            status = codes.SLAVE_NOT_AVAILABLE
        else:
            copied_us = FAR
            if c[fixed + SLAVES] >= c[fixed + ACKS]:
                copied_us = copied_at(c, m, broker, at_us, word, c[fixed + ACKS])
            if copied_us > at_us + c[fixed + SLAVE_TIMEOUT_US]:
                copied_us, status = at_us + c[fixed + SLAVE_TIMEOUT_US], codes.FLUSH_SLAVE_TIMEOUT
            done_us = max(done_us, copied_us)
    if status != 0 and m[s + CODE] == 0:
        m[s + CODE] = status
    return done_us
