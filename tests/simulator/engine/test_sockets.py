"""Requests that a stopped broker finds in its sockets when it goes on, and the callbacks that its answers meet."""

from __future__ import annotations

from itertools import groupby, pairwise

import pytest

from tests.simulator.small import fault, ran, rows

ASYNC = {"mode": "async", "count": 6, "rate": "30/s"}
ONE_THREAD = {"b": {"latency": {"constant": "1ms"}, "send_threads": 1}}
STOPPED = fault("hang", "500ms", "900ms")
OFF_US, ON_US = 500_000, 1_400_000


@pytest.fixture(scope="module")
def found():
    """Attempts whose requests the stopped broker found, in the order in which it answered."""
    run = ran(producers=ASYNC, brokers=ONE_THREAD, faults=[STOPPED], client={"send_latency_fault_enable": False})
    attempts = [a for a in rows(run, "attempts") if OFF_US <= a["begin_us"] < ON_US <= a["end_us"]]
    assert len(attempts) > 40
    return sorted(attempts, key=lambda a: a["end_us"])


def test_a_broker_that_goes_on_reads_one_connection_after_the_other(found):
    assert len([producer for producer, _ in groupby(found, key=lambda a: a["producer"])]) == ASYNC["count"]


def test_a_connections_requests_are_served_as_they_were_sent(found):
    for _, own in groupby(found, key=lambda a: a["producer"]):
        assert all(a["begin_us"] < b["begin_us"] for a, b in pairwise(own))


def test_the_threads_work_without_a_gap_once_the_broker_goes_on(found):
    assert 0 < found[0]["end_us"] - ON_US < 1_000 + 1_000
    assert {b["end_us"] - a["end_us"] for a, b in pairwise(found)} == {1_000}


def test_which_connection_is_read_first_is_drawn():
    firsts = set()
    for seed in range(8):
        run = ran(seed=seed, producers=ASYNC | {"rate": "9/s"}, brokers=ONE_THREAD, faults=[STOPPED])
        attempts = [a for a in rows(run, "attempts") if a["begin_us"] < ON_US <= a["end_us"]]
        firsts.add(min(attempts, key=lambda a: a["end_us"])["producer"])
    assert len(firsts) > 2


def test_an_old_request_answered_last_isolates_a_broker_that_is_well_again():
    # All requests of a connection are served at once, so any of them may be answered last; its update counts.
    uneven = {"b": {"latency": {"uniform": {"min": "0us", "max": "20ms"}}, "send_threads": 64}}
    well = {name: {"latency": {"constant": "1ms"}} for name in "ac"}
    run = ran(producers=ASYNC, brokers=uneven | well, faults=[STOPPED], duration="4s")
    attempts = [a for a in rows(run, "attempts", broker="b") if a["begin_us"] < ON_US + 100_000]
    last = {a["producer"]: a for a in sorted(attempts, key=lambda a: a["end_us"])}
    isolated = {producer for producer, a in last.items() if a["latency_ms"] >= 550}
    back = {a["producer"] for a in rows(run, "attempts", broker="b") if a["begin_us"] > ON_US + 100_000}
    assert 0 < len(isolated) < ASYNC["count"]
    assert back == set(range(ASYNC["count"])) - isolated


@pytest.mark.parametrize(("threads", "at_once"), [(1, 1), (3, 3)])
def test_refused_retries_of_one_scan_hold_the_threads_of_the_callbacks(threads, at_once):
    client = {"send_msg_timeout": "1s", "async_sender_threads": threads}
    run = ran(duration="7s", producers={"mode": "async", "rate": "30/s"}, client=client,
              faults=[fault("hang", "3s", "3s")])  # fmt: skip
    refused = rows(run, "attempts", outcome="RemotingTooMuchRequestException")
    assert len(refused) > 10
    for a in refused:
        others = [b for b in refused if b["begin_us"] <= a["begin_us"] < b["end_us"]]
        assert len(others) <= at_once
        assert 30 <= a["end_us"] - a["begin_us"] < 100
    starts = {b["begin_us"] for b in refused}
    assert any(len([b for b in refused if b["begin_us"] <= at < b["end_us"]]) == at_once for at in starts)


def test_clients_that_begin_together_scan_together():
    client = {"poll_phase": "aligned", "release": "5.3.3", "send_latency_fault_enable": False, "send_msg_timeout": "1s"}
    run = ran(duration="8s", producers=ASYNC, client=client, faults=[fault("hang", "3s", "4s")])
    scans = {a["end_us"] % 1_100_000 for a in rows(run, "attempts", outcome="RemotingTimeoutException")}
    assert len(scans) == ASYNC["count"]
    assert max(scans) - min(scans) < 50_000
