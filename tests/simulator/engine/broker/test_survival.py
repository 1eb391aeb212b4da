"""Which copies are kept when a broker is killed, loses power or its disk."""

from __future__ import annotations

from collections import Counter

import pytest

from simulator.compiled.region_store import columns
from simulator.engine.memory.broker_state import Broker
from simulator.engine.memory.periods_table import (
    DOWN,
    DOWN_DISK,
    DOWN_GRACEFUL,
    DOWN_KILL,
    DOWN_POWER,
    SLAVE,
    SLAVE_AWAY,
)
from tests.simulator.flush_thread import flushed_by
from tests.simulator.small import ran_with, rows

OFF = {"send_latency_fault_enable": False, "retry_times_when_send_failed": 0, "send_msg_timeout": "100ms"}


def lost_of(value, broker, at_ms=2_000, periods=(), rate="20/s", duration="3s"):
    """Ends in milliseconds of what is acknowledged and lost, with an outage of broker b at that time."""
    run = ran_with(
        [(at_ms, at_ms + 500, DOWN, value), *periods], duration=duration, client=OFF,
        producers={"rate": rate, "threads": 2}, brokers={"b": {"latency": {"constant": "2ms"}} | broker},
    )  # fmt: skip
    sends = rows(run, "sends")
    assert all(
        s["copies_kept"] <= s["copies_stored"] and s["lost"] == (s["acknowledged"] and s["copies_kept"] == 0)
        for s in sends
    )
    return [s["end_us"] // 1000 for s in sends if s["acknowledged"] and s["lost"]]


@pytest.mark.parametrize("value", [DOWN_GRACEFUL, DOWN_KILL])
def test_a_process_that_ends_loses_nothing_that_is_in_the_page_cache(value):
    assert lost_of(value, {}) == []


def test_a_kill_loses_what_a_transient_store_pool_has_not_committed():
    lost = lost_of(DOWN_KILL, {"transient_store_pool": True})
    assert lost
    assert all(1_800 <= end_ms <= 2_000 for end_ms in lost)


def test_a_power_loss_loses_what_is_not_flushed():
    lost = lost_of(DOWN_POWER, {}, at_ms=12_000, rate="200/s", duration="12s")
    assert lost
    assert all(11_490 <= end_ms <= 12_000 for end_ms in lost)
    assert lost_of(DOWN_POWER, {"flush": "sync"}, rate="200/s") == []


def test_less_than_four_dirty_pages_wait_for_ten_seconds():
    lost = lost_of(DOWN_POWER, {}, at_ms=14_000, rate="2/s", duration="15s")
    assert max(lost) > 13_000
    assert 2_000 < 14_000 - min(lost) <= 10_000


FLUSH_US = 3_000


@pytest.mark.parametrize("release", ["4.9.0", "4.9.1"])
@pytest.mark.parametrize(("rate", "size"), [("3/s", 1024), ("20/s", 700), ("90/s", 3072), ("900/s", 1024)])
@pytest.mark.parametrize("at_ms", [3_210, 10_777])
def test_exactly_what_the_flush_thread_has_not_reached_is_lost(release, rate, size, at_ms):
    run = ran_with(
        [(at_ms, at_ms + 500, DOWN, DOWN_POWER)], duration="11s", client=OFF,
        producers={"rate": rate, "threads": 8, "arrivals": "poisson"}, topics={"orders": {"message_bytes": f"{size}B"}},
        brokers={"b": {
            "latency": {"constant": "2ms"}, "send_threads": 64, "release": release,
            "flush_latency": {"constant": f"{FLUSH_US}us"},
        }},
    )  # fmt: skip
    stored = sorted((s for s in rows(run, "sends") if s["copies_stored"] and s["begin_us"] < at_ms * 1000),
                    key=lambda s: s["begin_us"])  # fmt: skip
    puts_us = [s["begin_us"] for s in stored]
    phase_us = int(run.plan.cells[0].cluster["brokers"][columns(Broker)["scan_phase_us"]])
    kept = flushed_by(puts_us, size, at_ms * 1000, phase_us, release == "4.9.1", FLUSH_US)
    assert [s["copies_kept"] for s in stored] == [1] * kept + [0] * (len(stored) - kept)
    assert len(stored) > 4


def test_what_waits_for_its_flush_is_put_out_once_with_all_that_is_known():
    run = ran_with(
        [(1_900, 2_400, DOWN, DOWN_POWER)], duration="4s", brokers={"b": {"latency": {"constant": "60ms"}}},
        producers={"rate": "40/s", "threads": 4}, client=OFF | {"retry_times_when_send_failed": 2},
    )  # fmt: skip
    sends = rows(run, "sends")
    assert len({(s["thread"], s["send_seq"]) for s in sends}) == len(sends)
    attempts = Counter((a["thread"], a["send_seq"]) for a in rows(run, "attempts"))
    assert {(s["thread"], s["send_seq"]): s["attempts"] for s in sends} == dict(attempts)
    assert all(0 <= s["copies_kept"] <= s["copies_stored"] <= s["attempts"] for s in sends)
    kept, lost = (sum(s["acknowledged"] and s["lost"] == is_lost for s in sends) for is_lost in (False, True))
    assert kept + lost == sum(s["acknowledged"] for s in sends)
    assert lost > 10


def test_a_lost_disk_loses_all_that_no_slave_has():
    assert len(lost_of(DOWN_DISK, {})) == 40
    assert lost_of(DOWN_DISK, {"slaves": 1, "slave_latency": {"constant": "5ms"}}) == []
    away = [(1_000, 2_900, SLAVE, SLAVE_AWAY)]
    assert all(990 <= end_ms <= 2_000 for end_ms in lost_of(DOWN_DISK, {"slaves": 1}, periods=away))
    assert len(lost_of(DOWN_DISK, {"slaves": 1}, periods=away)) in (20, 21)


def test_a_disk_that_is_lost_much_later_takes_the_first_messages_too():
    lost = lost_of(DOWN_DISK, {}, at_ms=150_000, rate="1/s", duration="151s")
    assert lost[0] < 1_100
    assert len(lost) == 150


def test_a_process_that_is_away_answers_and_stores_nothing():
    run = ran_with(
        [(500, 1_500, DOWN, DOWN_KILL)], client=OFF, brokers={"b": {"latency": {"constant": "2ms"}}}
    )  # fmt: skip
    away = [s for s in rows(run, "sends") if 500_000 <= s["begin_us"] < 1_500_000]
    assert len(away) >= 9
    assert {(s["copies_stored"], s["acknowledged"], s["lost"]) for s in away} == {(0, False, False)}
    assert rows(run, "sends")[-1]["result"] == "SEND_OK"
