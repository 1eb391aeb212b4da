"""What a crash takes back leaves the logs that consumers read, and offsets beyond the end are corrected."""

from __future__ import annotations

import numpy as np
import pytest

from simulator.consumer.broker.arriving_pulls import legal_offset
from simulator.consumer.memory.queue_log import QueueLog
from tests.simulator.small import ran_tables


def lost_power(kind="power_loss", release="5.3.3", **broker):
    """Four messages a second, all consumed at once, until the power is lost at 57 s; back at 77 s."""
    return ran_tables(
        duration="150s", brokers={"a": {"latency": {"constant": "1ms"}, "release": release} | broker},
        producers={"rate": "4/s", "threads": 4, "rate_changes": {"57s": "0/s"}}, topics={"orders": {"queues": 1}},
        consumers={"billing": {"topic": "orders", "service": "1ms", "release": "5.3.3"}},
        faults=[{"at": "57s", "for": "20s", "broker": "a", "kind": kind}],
    )  # fmt: skip


def last(run, name):
    """A column of `stored` at the end."""
    return int(run.column("stored", name)[-1])


def test_what_was_not_flushed_is_no_longer_in_the_log_and_no_backlog():
    run = lost_power()
    gone = int((run.column("sends", "copies_stored") - run.column("sends", "copies_kept")).sum())
    assert gone > 0
    assert last(run, "max_offset") == run.column("stored", "appended").sum() - gone
    assert last(run, "lag") == 0


@pytest.mark.parametrize("kind", ["kill", "restart"])
def test_a_process_that_dies_takes_nothing_that_the_machine_has(kind):
    run = lost_power(kind)
    assert last(run, "max_offset") == run.column("stored", "appended").sum()


@pytest.mark.parametrize(("release", "again"), [("4.9.3", True), ("4.9.4", False), ("5.0.0", False)])
def test_a_client_beyond_the_end_reads_everything_again_from_a_broker_up_to_4_9_3(release, again):
    run = lost_power(release=release)
    times = run.column("consumed", "times")
    assert (times > 1).sum() == (last(run, "max_offset") if again else 0)
    assert np.array(run.column("consumed", "begin_us"))[times > 1].min(initial=1 << 60) > 77_000_000


@pytest.mark.parametrize(
    ("first", "end", "asked", "to_first", "named"),
    [(0, 10, 12, 1, 0), (0, 10, 12, 0, 10), (4, 10, 12, 1, 10), (4, 10, 2, 1, 4), (0, 10, 10, 1, 10), (4, 10, 7, 1, 7)],
)
def test_the_offset_that_a_broker_names(first, end, asked, to_first, named):
    log = QueueLog.at(np.zeros(32, np.int64))
    log.min_offset, log.max_offset = first, end
    assert legal_offset(log, asked, to_first) == named
