"""What a broker's threads, memory, disk and slave make of a pull."""

from __future__ import annotations

import numpy as np
import pytest

from tests.simulator.small import ran_tables

ONE = {"latency": {"constant": "1ms"}}
# 1 KiB and 149 bytes of an entry: 40 % of the memory has room for 100 messages
SMALL = {"memory": f"{250 * (1024 + 149)}B"}
FIRST = "CONSUME_FROM_FIRST_OFFSET"
FAST = {"topic": "orders", "service": "100us", "threads": 64, "release": "5.3.3", "consume_from_where": FIRST}


def backlog(broker, **changes):
    """100 messages a second for 20 s; the group joins then."""
    given = {
        "duration": "30s", "brokers": {"a": ONE | broker}, "topics": {"orders": {"queues": 1, "message_bytes": "1KiB"}},
        "producers": {"rate": "100/s", "threads": 8, "rate_changes": {"20s": "0/s"}}, "consumers": {"billing": FAST},
        "faults": [{"at": "20s", "consumer": "billing-1", "kind": "scale_out"}],
    }  # fmt: skip
    return ran_tables(**given | changes)


def took_s(run):
    """From the first consumption to the last."""
    begun = run.column("consumed", "begin_us")
    return (begun.max() - begun.min()) / 1e6


def total(run, name):
    """Sum of a column of consumer_windows."""
    return int(run.column("consumer_windows", name).sum())


def test_messages_further_behind_than_the_ratio_of_memory_are_read_from_the_disk_eight_at_a_time():
    run = backlog(SMALL | {"disk_read": "20ms"})
    assert 1_888 <= total(run, "from_disk") <= 1_908
    assert took_s(run) == pytest.approx(1_900 / 8 * 0.0205, rel=0.02)
    assert total(backlog({}), "from_disk") == 0


def test_the_disk_reads_for_one_pull_after_the_other():
    groups = dict.fromkeys(("audit", "billing"), FAST)
    joins = [{"at": "20s", "consumer": f"{name}-1", "kind": "scale_out"} for name in groups]
    run = backlog(SMALL | {"disk_read": "20ms"}, consumers=groups, faults=joins, duration="40s")
    assert took_s(run) == pytest.approx(2 * 1_900 / 8 * 0.02, rel=0.02)


@pytest.mark.parametrize(("threads", "seconds"), [(1, 6.3), (2, 3.2), (24, 1.6)])
def test_pulls_wait_for_a_thread_when_all_are_busy(threads, seconds):
    """2,000 messages in 63 pulls of 32 a queue that take 25 ms each, for four groups."""
    groups = dict.fromkeys(("a", "b", "c", "d"), FAST)
    joins = [{"at": "20s", "consumer": f"{name}-1", "kind": "scale_out"} for name in groups]
    broker = {"pull_message_thread_pool_nums": threads, "pull_latency": "25ms"}
    assert took_s(backlog(broker, consumers=groups, faults=joins)) == pytest.approx(seconds, rel=0.06)


def test_a_slave_gives_what_its_master_would_read_from_the_disk():
    run = backlog(SMALL | {"slaves": 1, "slave_read_enable": True})
    assert total(run, "from_slave") == pytest.approx(1_900, abs=40)
    assert total(backlog(SMALL | {"slaves": 1}), "from_slave") == 0


def test_pulls_to_a_slave_that_is_lost_fail_until_the_next_poll_of_routes_and_go_to_the_master_then():
    faults = [
        {"at": "20s", "consumer": "billing-1", "kind": "scale_out"},
        {"at": "23s", "for": "100s", "broker": "a", "kind": "slave_lost"},
    ]
    broker = SMALL | {"disk_read": "20ms", "slaves": 1, "slave_read_enable": True}
    run = backlog(broker, duration="60s", faults=faults)
    begun = run.column("consumed", "begin_us") / 1e6
    assert 100 < total(run, "from_slave") < 1_000
    assert not ((begun > 23.1) & (begun < 50)).any()  # it polled routes as it started
    assert total(run, "from_disk") == pytest.approx(1_900, abs=40)
    assert len(begun) == total(run, "consumed") > 1_990


@pytest.mark.parametrize("reads", [True, False])
def test_a_slave_is_read_while_its_master_is_gone_if_it_may(reads):
    two = {"a": ONE | {"slaves": 1, "slave_read_enable": reads, "slave_latency": {"constant": "500ms"}}, "b": ONE}
    run = ran_tables(
        duration="120s", brokers=two, topics={"orders": {"queues": 1}}, producers={"rate": "20/s", "threads": 8},
        consumers={"billing": FAST | {"service": "150ms", "threads": 1, "pull_threshold_for_queue": 16}},
        faults=[{"at": "40s", "for": "70s", "broker": "a", "kind": "master_lost"}],
    )  # fmt: skip
    of_a = run.column("consumed", "broker") == "a"
    begun = run.column("consumed", "begin_us")[of_a] / 1e6
    assert (total(run, "from_slave") > 0) is reads
    assert bool(((begun > 75) & (begun < 105)).any()) is reads
    stored = run.column("consumed", "stored_us")[of_a][(begun > 75) & (begun < 105)]
    assert np.all(stored <= 39_500_000)
