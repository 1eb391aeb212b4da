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
    isolated = {producer for producer, a in last.items() if a["latency_us"] >= 550_000}
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


OFF = {"send_latency_fault_enable": False}
MODES = {"sync": {"mode": "sync", "threads": 30}, "async": {"mode": "async"}}


@pytest.fixture(scope="module")
def unreadable():
    """Messages by mode; b stands still 1..3 s, and its network is cut from 2 s to the end."""
    faults = [fault("hang", "1s", "2s"), fault("silent_death", "2s", "20s")]
    client = OFF | {"release": "4.9.0", "retry_times_when_send_failed": 0, "retry_times_when_send_async_failed": 0}
    return {
        mode: ran(duration="8s", client=client, producers={"rate": "20/s"} | own, faults=faults)
        for mode, own in MODES.items()
    }  # fmt: skip


@pytest.mark.parametrize("mode", MODES)
def test_what_lies_in_a_socket_is_stored_though_its_answer_is_cut_off(unreadable, mode):
    begun = [s for s in rows(unreadable[mode], "sends", broker="b") if 1_000_000 <= s["begin_us"] < 2_000_000]
    assert len(begun) > 4
    assert {s["copies_stored"] for s in begun} == {1}
    attempts = [a for a in rows(unreadable[mode], "attempts", broker="b") if 1_000_000 <= a["begin_us"] < 2_000_000]
    assert {a["outcome"] for a in attempts} == {"RemotingTimeoutException"}


@pytest.mark.parametrize("release", ["4.9.0", "4.9.8", "5.3.3"])
@pytest.mark.parametrize("mode", MODES)
def test_what_lies_in_a_socket_is_read_though_the_broker_refuses_by_then(mode, release):
    faults = [fault("hang", "1s", "2s"), fault("refuse", "2s", "2s")]
    run = ran(duration="5s", client=OFF | {"release": release}, producers={"rate": "20/s"} | MODES[mode], faults=faults)
    first = [a for a in rows(run, "attempts", broker="b", attempt=1) if 1_000_000 <= a["begin_us"] < 4_000_000]
    sent = [a for a in first if a["begin_us"] < 2_000_000]
    assert len(sent) > 4
    assert {a["outcome"] for a in sent} == {"SEND_OK"}
    assert min(a["end_us"] for a in sent) > 3_000_000
    assert {a["outcome"] for a in first if a["begin_us"] > 2_000_000} == {"RemotingConnectException"}


def test_what_lies_in_a_socket_needs_no_address_any_more():
    """The name server drops b after two minutes of silence, the producer forgets it; then b goes on and answers."""
    client = {"release": "4.9.0", "send_msg_timeout": "5m"}  # later ones' heartbeats close the connection
    run = ran(duration="212s", client=client, producers={"mode": "async", "rate": "2/s"},
              faults=[fault("hang", "10s", "200s")])  # fmt: skip
    attempts = [a for a in rows(run, "attempts", broker="b") if a["begin_us"] > 10_000_000]
    assert max(a["begin_us"] for a in attempts if a["begin_us"] < 210_000_000) < 170_000_000
    assert {a["outcome"] for a in attempts} == {"SEND_OK"}
    assert len([a for a in attempts if a["end_us"] > 210_000_000]) > 50


def test_a_request_without_an_address_lies_in_no_socket():
    """b is gone with the poll at 150.01 s, its address at 151 s; what a had when it was killed is retried on b.

    Such a retry goes to the name server, which does not know the request.
    """
    client = OFF | {"release": "5.3.3", "send_msg_timeout": "20s", "poll_phase": "aligned"}
    brokers = {"a": {"latency": {"constant": "3s"}, "send_threads": 64}, "b": {"latency": {"constant": "2ms"}}}
    run = ran(duration="156s", client=client, brokers=brokers, producers={"mode": "async", "rate": "5/s"},
              faults=[fault("hang", "10s", "145s"), fault("kill", "152s", "4s", "a")])  # fmt: skip
    retries = rows(run, "attempts", broker="b", attempt=2)
    assert {(a["outcome"], a["response_code"]) for a in retries} == {("MQBrokerException", 3)}
    assert {(a["begin_us"], a["end_us"]) for a in retries} == {(152_000_000, 152_001_000)}


def test_beside_asynchronous_senders_a_synchronous_request_may_be_read_behind_all_of_theirs():
    """One thread serves 3 s of noise in 1 ms each: whoever is read behind it waits 90 ms and is given up by a scan."""
    brokers = {"b": {"latency": {"constant": "1ms"}, "send_threads": 1, "wait_time_in_send_queue": "5ms"}}
    groups = [
        {"group": "own", "count": 40, "threads": 1, "rate": "10/s"},
        {"group": "noise", "count": 1, "threads": 1, "mode": "async", "rate": "300/s"},
    ]
    outcomes = set()
    for seed in range(6):
        run = ran(seed=seed, brokers=brokers, producers=groups, faults=[fault("hang", "500ms", "300ms")])
        stuck = [a for a in rows(run, "attempts") if 500_000 < a["begin_us"] < 800_000 < a["end_us"]]
        own = [a for a in stuck if a["producer"] < 40]
        assert len(own) > 20
        outcomes.add(sum(a["outcome"] == "SEND_OK" for a in own) // 5)
    assert len(outcomes) > 1
