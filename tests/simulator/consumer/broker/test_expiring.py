"""What brokers delete before groups have read it: when, how much of it, and how clients go on behind it."""

from __future__ import annotations

import numpy as np
import pytest

from simulator.scenario import ScenarioError
from tests.says import Says, raises
from tests.simulator.small import ran_tables, scenario_of

KEY_BYTES = 91 + 42 + 10 + len("orders")
# each file has room for eight messages of 1 KiB
FILE_BYTES = 8 * (1024 + KEY_BYTES)
ONE = {"latency": {"constant": "1ms"}, "mapped_file_size_commit_log": f"{FILE_BYTES}B"}
ALL_DAY = {"file_reserved_time": "0h", "delete_when": ";".join(map(str, range(24)))}
SLOW = {"topic": "orders", "service": "200ms", "threads": 1, "release": "5.3.3"}
STUCK = {"billing": SLOW | {"service": "10m"}}
ENDS = {"rate": "20/s", "threads": 8, "rate_changes": {"32s": "0/s"}}


def kept(broker, **changes):
    """A broker with one queue that gets 20 messages a second; the group consumes 5 of them."""
    given = {
        "duration": "60s", "producers": {"rate": "20/s", "threads": 8}, "brokers": {"a": ONE | broker},
        "topics": {"orders": {"queues": 1, "message_bytes": "1KiB"}}, "consumers": {"billing": SLOW},
    }  # fmt: skip
    return ran_tables(**given | changes)


def last(run, name):
    """A column of `stored` at the end."""
    return int(run.column("stored", name)[-1])


def test_files_that_are_old_enough_are_deleted_and_only_whole_ones():
    assert last(kept(ALL_DAY, consumers={"billing": SLOW | {"service": "1ms"}}), "missed") == 0
    late = kept(ALL_DAY, consumers=STUCK)
    assert last(late, "missed") > 0
    assert last(late, "missed") % 8 == 0


@pytest.mark.parametrize("release", ["4.9.8", "5.3.3"])
def test_every_message_is_consumed_or_missed_or_backlog(release):
    run = kept(ALL_DAY, consumers={"billing": SLOW | {"release": release}})
    first = (run.column("consumed", "times") == 1).sum()
    assert last(run, "missed") > 100
    assert first + last(run, "missed") + last(run, "lag") == last(run, "max_offset")


def test_nothing_is_deleted_outside_the_hours_of_delete_when():
    at_four = {"file_reserved_time": "0h", "delete_when": "04"}
    assert last(kept(at_four, consumers=STUCK), "missed") == 0
    begun = kept(at_four, consumers=STUCK, begins_at="03:59", duration="100s")
    first = np.flatnonzero(begun.column("stored", "missed"))[0]
    assert 60 <= begun.column("stored", "window_start_us")[first] / 1e6 <= 70


def test_a_full_disk_deletes_what_is_old_enough_and_a_fuller_one_anything():
    young = kept({"file_reserved_time": "1h", "disk": f"{1_100 * (1024 + KEY_BYTES)}B"}, consumers=STUCK)
    at = np.flatnonzero(young.column("stored", "missed"))[0]
    assert young.column("stored", "max_offset")[at] > 0.85 * 1_100
    assert (
        last(kept({"file_reserved_time": "1h", "disk": f"{1_500 * (1024 + KEY_BYTES)}B"}, consumers=STUCK), "missed")
        == 0
    )


@pytest.mark.parametrize(("release", "silent_s"), [("5.1.4", (10, 31)), ("5.3.3", (0.4, 3))])
def test_a_client_behind_the_first_offset_lets_go_of_the_queue_and_comes_back(release, silent_s):
    """Recorded in where-min-r2: 4.9.8 waits for 10 s and for its next round, 5.3.3 is back after 1 s."""
    late = {"billing": SLOW | {"release": release, "service": "1ms", "consume_from_where": "CONSUME_FROM_FIRST_OFFSET"}}
    joins = [{"at": "32s", "consumer": "billing-1", "kind": "scale_out"}]
    run = kept(ALL_DAY | {"mapped_file_size_commit_log": "128KiB"}, consumers=late, faults=joins, producers=ENDS)
    begun = run.column("consumed", "begin_us")
    assert silent_s[0] < begun.min() / 1e6 - 33 < silent_s[1]
    assert run.column("consumed", "queue_offset").min() > 100
    assert "illegal offset" in run.column("rebalances", "reason") or release == "5.1.4"


def test_a_timestamp_begins_with_what_was_stored_then():
    late = SLOW | {"service": "1ms", "consume_from_where": "CONSUME_FROM_TIMESTAMP", "consume_timestamp": "31s"}
    joins = [{"at": "32s", "consumer": "billing-1", "kind": "scale_out"}]
    broker = ALL_DAY | {"mapped_file_size_commit_log": "256KiB"}
    run = kept(broker, consumers={"billing": late}, faults=joins)
    assert run.column("consumed", "stored_us").min() // 50_000 == 31 * 20


@pytest.mark.parametrize(
    ("broker", "said"),
    [
        ({"delete_when": "24"}, Says("broker.hours-expected", got='"24"')),
        ({"file_reserved_time": "72"}, "unit"),
        ({"disk_max_used_space_ratio": 99}, Says("field.expected", low=10, high=95)),
    ],
)
def test_what_cannot_be_is_refused(broker, said):
    with raises(ScenarioError, said):
        scenario_of(brokers={"a": ONE | broker})
