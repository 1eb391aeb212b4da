"""What consumers do while name servers are away."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.simulator.small import fault, ran_tables, rows

STARTS = fault("scale_out", "60s", "200s", None, consumer="billing-3")
KILL = fault("kill", "40s", "100s")


def run(*faults, count=1, release="5.3.3", brokers="4.9.8", group=(), **more):
    """Two instances run on two brokers, and a third one starts at 60 s."""
    own = {"topic": "orders", "count": 3, "service": "1ms"} | dict(group or {"release": release})
    return ran_tables(
        duration="130s", seed=5, client={"release": "5.3.3"}, producers={"rate": "20/s", "threads": 4, "count": 2},
        brokers={name: {"latency": {"constant": "1ms"}, "release": brokers} for name in "bc"},
        topics={"orders": {"queues": 4}}, name_servers={"count": count}, consumers={"billing": own},
        faults=[STARTS, *faults], **more,
    )  # fmt: skip


def down(number="all"):
    """The outage of name servers from 30 to 90 s."""
    return {"at": "30s", "for": "60s", "name_server": number, "kind": "name_server_down"}


def holders(found):
    """Instances that hold queues behind 65 s."""
    return {row["instance"] for row in rows(found, "assignments") if (row["until_us"] or 1 << 60) > 65e6}


def failed_starts(found):
    """Seconds with starts that failed, and how many."""
    windows = [(row["window_start_us"] // 1_000_000, row["failed_starts"]) for row in rows(found, "consumer_windows")]
    return [window for window in windows if window[1]]


@pytest.mark.parametrize(("release", "starts"), [("4.5.2", True), ("4.6.0", False), ("4.9.8", False), ("5.3.3", False)])
def test_a_consumer_that_starts_without_a_name_server_fails_from_4_6_0_on(release, starts):
    found = run(down(), release=release)
    assert holders(found) == {"billing-1", "billing-2"} | ({"billing-3"} if starts else set())
    assert failed_starts(found) == ([] if starts else [(59, 1)])


def test_a_process_that_starts_without_a_name_server_holds_no_queue_before_it_has_a_route():
    """Its killed predecessor knew one; 4.5.2 does not throw."""
    found = run(down(), fault("kill", "35s", "10s", None, consumer="billing-2"), release="4.5.2")
    begun = {"billing-2", "billing-3"}
    taken_us = [row["from_us"] for row in rows(found, "assignments") if row["instance"] in begun]
    assert not [at_us for at_us in taken_us if 45e6 <= at_us < 90e6]
    assert [at_us for at_us in taken_us if at_us >= 90e6]


def test_a_consumer_over_grpc_starts_without_a_name_server_as_its_proxy_knows_the_route():
    proxies = {"count": 1, "release": "5.3.3"}
    found = run(down(), brokers="5.3.3", group={"grpc": {"release": "5.0.8"}}, proxies=proxies)
    assert failed_starts(found) == []
    assert "billing-3" in {row["instance"] for row in rows(found, "consumed")}


def test_those_that_run_notice_nothing():
    found = run(down())
    begun = sorted(row["begin_us"] / 1e6 for row in rows(found, "consumed"))
    assert max(b - a for a, b in pairwise(begun)) < 1
    assert all(row["acknowledged"] for row in rows(found, "sends"))


def test_with_a_second_name_server_nothing_breaks():
    found = run(down(1), count=2)
    assert holders(found) == {"billing-1", "billing-2", "billing-3"}


@pytest.mark.parametrize(("number", "polled"), [(1, True), (2, True), ("all", False)])
def test_instances_hear_of_a_killed_broker_from_the_name_server_that_is_left(number, polled):
    """Those that do not hear of it keep its queues."""
    found = run(down(number), KILL, count=2)
    told = {row["queues"] for row in rows(found, "rebalances", instance="billing-1") if 75e6 < row["at_us"] < 89e6}
    assert told == ({4} if polled else {8})
