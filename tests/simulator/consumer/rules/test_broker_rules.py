"""A broker's queue locks and delay levels."""

import numpy as np
import pytest

from simulator.compiled.records import Cells, size_of
from simulator.consumer.rules.delay_levels import DEFAULT_LEVELS, deliver_at_ms, parse_delay_level, stored_level
from simulator.consumer.rules.queue_lock import LOCK_MAX_LIVE_MS, QueueLock, try_lock, unlock


def test_a_lock_is_kept_by_renewing_it_and_lost_after_60_s():
    lock = QueueLock.at(np.zeros(size_of(QueueLock), np.int64))
    assert [try_lock(lock, client, 1, LOCK_MAX_LIVE_MS) for client in (1, 2, 1)] == [1, 0, 1]
    assert try_lock(lock, 1, 40_001, LOCK_MAX_LIVE_MS) == 1
    assert [try_lock(lock, 2, at, LOCK_MAX_LIVE_MS) for at in (100_001, 100_002)] == [0, 1]


def test_only_its_owner_gives_a_lock_back():
    lock = QueueLock.at(np.zeros(size_of(QueueLock), np.int64))
    try_lock(lock, 1, 1, LOCK_MAX_LIVE_MS)
    assert [unlock(lock, 2), unlock(lock, 1), try_lock(lock, 2, 2, LOCK_MAX_LIVE_MS)] == [0, 1, 1]


@pytest.mark.parametrize(
    ("text", "ok", "levels"),
    [
        ("1s 5m", True, {1: 1000, 2: 300_000}),
        ("1s  5s", False, {1: 1000}),
        ("1S", False, {}),
        ("1s ", True, {1: 1000}),
        (" ", True, {}),
        ("", False, {}),
        ("9223372036854775807s", True, {1: -1000}),
        ("9223372036854775808s", False, {}),
    ],
)
def test_levels_before_a_wrong_one_count(text, ok, levels):
    found = parse_delay_level(text)
    assert (found.ok, found.delays_ms) == (ok, levels)


def test_a_level_that_is_missing_is_delivered_after_a_second():
    levels = parse_delay_level(DEFAULT_LEVELS)
    table = Cells.of(np.array(levels.table_ms, np.int64))
    assert [deliver_at_ms(level, 0, table, levels.max_level) for level in (0, 1, 18, 19)] == [
        1000,
        1000,
        7_200_000,
        1000,
    ]
    assert stored_level(99, levels.max_level) == 18
