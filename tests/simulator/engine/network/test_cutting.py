"""A synchronous time-out closes the connection to its broker and ends what the producer's other threads wait for."""

from __future__ import annotations

import pytest

from simulator.plan.compile import REFUSED_AFTER_US, TIMEOUT_NOTICE_US, TIMEOUT_SPREAD_US
from tests.simulator.small import fault, ran, rows

LATE_US = TIMEOUT_NOTICE_US + TIMEOUT_SPREAD_US
HANG = fault("hang", "1s", "9s")
CUT = "RemotingSendRequestException"
TIMED_OUT = "RemotingTimeoutException"


def hung(release="4.9.8", count=1, threads=6, retries=0, faults=(HANG,), brokers="b", client=None, **producers):
    """Attempts of a run in which broker b stands still from 1 s on, strategy off; time-out 1 s."""
    result = ran(
        duration="6s", faults=list(faults), brokers={name: {"latency": {"constant": "2ms"}} for name in brokers},
        producers={"count": count, "threads": threads, "rate": "20/s", "when_blocked": "skip"} | producers,
        client={
            "release": release, "send_latency_fault_enable": False, "retry_times_when_send_failed": retries,
            "send_msg_timeout": "1s",
        } | (client or {}),
    )  # fmt: skip
    return sorted(rows(result, "attempts"), key=lambda a: a["begin_us"]), rows(result, "sends")


def waiting_at(attempts, at_us):
    return [a for a in attempts if a["begin_us"] <= at_us <= a["end_us"]]


@pytest.mark.parametrize("release", ["4.9.1", "4.9.8", "5.1.3", "5.3.3"])
def test_the_first_time_out_ends_what_the_other_threads_wait_for(release):
    attempts, _ = hung(release)
    first = next(a for a in attempts if a["outcome"] == TIMED_OUT)
    others = [a for a in waiting_at(attempts, first["end_us"] - 1) if a is not first]
    assert len(others) == 5
    assert {(a["outcome"], a["end_us"]) for a in others} == {(CUT, first["end_us"])}
    assert 1_000_000 < first["end_us"] - first["begin_us"] <= 1_000_000 + LATE_US


@pytest.mark.parametrize("release", ["4.2.0", "4.9.0"])
def test_up_to_4_9_0_each_waits_for_itself(release):
    attempts, _ = hung(release)
    assert {a["outcome"] for a in attempts if 1e6 < a["begin_us"] < 4e6} == {TIMED_OUT}


def test_only_requests_of_the_same_producer_to_the_same_broker_are_cut():
    attempts, _ = hung(count=2, brokers="bc", faults=[HANG, fault("hang", "1s", "9s", "c")])
    ends = {(a["producer"], a["broker"], a["end_us"]) for a in attempts if a["outcome"] == TIMED_OUT}
    cuts = [(a["producer"], a["broker"], a["end_us"]) for a in attempts if a["outcome"] == CUT]
    assert set(cuts) <= ends
    assert {cut[:2] for cut in cuts} == {(0, "b"), (0, "c"), (1, "b"), (1, "c")}


def test_what_is_cut_has_time_left_and_is_stored_elsewhere():
    """Of the messages that meet the hang only those that time out fail, not those that are cut; both are stored."""
    attempts, sends = hung(retries=2, brokers="bc")
    result = {(s["thread"], s["send_seq"]): (s["result"], s["copies_stored"]) for s in sends}
    by_outcome = {
        outcome: {result[a["thread"], a["send_seq"]] for a in attempts if a["outcome"] == outcome and a["attempt"] == 1}
        for outcome in (TIMED_OUT, CUT)
    }
    assert by_outcome[CUT] == {("SEND_OK", 2)}
    assert by_outcome[TIMED_OUT] == {("RemotingTooMuchRequestException", 1)}


@pytest.mark.parametrize(("release", "connects_us"), [("4.9.0", 0), ("4.9.1", REFUSED_AFTER_US)])
def test_after_a_time_out_the_next_request_connects_again(release, connects_us):
    attempts, _ = hung(release, threads=1, rate="1/s", faults=[fault("hang", "1s", "1900ms")])
    (timed_out,) = [i for i, a in enumerate(attempts) if a["outcome"] == TIMED_OUT]
    after = [a["end_us"] - a["begin_us"] for a in attempts[timed_out + 1 :]]
    assert after == [2_000 + connects_us] + [2_000] * (len(after) - 1)


def test_an_attempt_with_less_time_cuts_one_that_began_before_it():
    """5.3.3, 500 ms an attempt but for the last: retries with what is left of 700 ms time out before their elders."""
    client = {"send_msg_timeout": "700ms", "send_msg_max_timeout_per_request": "500ms"}
    faults = [HANG, fault("hang", "1s", "9s", "c")]
    attempts, _ = hung("5.3.3", retries=1, brokers="bc", faults=faults, client=client)
    short = [a for a in attempts if a["outcome"] == TIMED_OUT and a["attempt"] == 2]
    elder = [
        a for a in attempts for b in short
        if a["broker"] == b["broker"] and a["end_us"] == b["end_us"] and a["begin_us"] < b["begin_us"]
    ]  # fmt: skip
    assert elder
    assert {a["outcome"] for a in elder} == {CUT}


@pytest.mark.parametrize(("release", "cut"), [("5.1.3", True), ("5.1.4", False)])
def test_an_attempt_with_no_time_left_closes_an_innocent_connection_up_to_5_1_3(release, cut):
    """Message after message times out on b when its budget is exactly used up, and the retry on c gets 0 ms."""
    busy = {"latency": {"constant": "300ms"}, "send_threads": 64}
    result = ran(
        duration="20s", faults=[fault("hang", "1s", "60s")], brokers={"b": {"latency": {"constant": "2ms"}}, "c": busy},
        producers={"count": 20, "threads": 8, "rate": "20/s", "when_blocked": "skip", "arrivals": "poisson"},
        client={"release": release, "send_latency_fault_enable": False, "send_msg_timeout": "1s"},
    )  # fmt: skip
    timed_out = rows(result, "attempts", attempt=2, broker="c", outcome=TIMED_OUT)
    nothing_left = [a for a in timed_out if a["end_us"] - a["begin_us"] <= LATE_US]
    assert len(nothing_left) > 10
    ends = {(a["producer"], a["end_us"]) for a in nothing_left}
    innocent = [a for a in rows(result, "attempts", broker="c", outcome=CUT) if (a["producer"], a["end_us"]) in ends]
    assert bool(innocent) == cut


def test_asynchronous_time_outs_close_nothing():
    attempts, _ = hung(threads=1, mode="async")
    first = [a["outcome"] for a in attempts if 1e6 < a["begin_us"] < 3e6 and a["attempt"] == 1]
    assert (set(first), len(first)) == ({TIMED_OUT}, 40)


def test_one_way_messages_wait_for_nothing_and_close_nothing():
    attempts, _ = hung(mode="oneway")
    assert {a["outcome"] for a in attempts} == {"SENT_ONEWAY"}


@pytest.mark.parametrize(("release", "outcome"), [("4.2.0", TIMED_OUT), ("4.3.0", CUT)])
def test_in_4_2_0_a_killed_broker_lets_what_is_under_way_time_out(release, outcome):
    brokers = {"b": {"latency": {"constant": "400ms"}}}
    client = {"release": release, "send_latency_fault_enable": False, "retry_times_when_send_failed": 0}
    result = ran(brokers=brokers, client=client | {"send_msg_timeout": "500ms"}, faults=[fault("kill", "1s", "5s")])
    (cut,) = [a for a in rows(result, "attempts") if a["begin_us"] < 1e6 <= a["end_us"]]
    assert cut["outcome"] == outcome


@pytest.mark.parametrize("release", ["4.2.0", "4.9.8", "5.3.3"])
@pytest.mark.parametrize(("mode", "at_ms"), [("sync", 2_300), ("async", 3_800), ("oneway", 2_300)])
def test_a_later_kill_changes_nothing_that_ended_before_it(mode, at_ms, release):
    undisturbed, _ = hung(release, threads=8, mode=mode)
    attempts, _ = hung(release, threads=8, mode=mode, faults=[HANG, fault("kill", f"{at_ms}ms", "1s")])
    ended = [a for a in undisturbed if a["end_us"] < at_ms * 1000]
    assert ended == [a for a in attempts if a["end_us"] < at_ms * 1000]
    assert len([a for a in ended if a["begin_us"] > 1_000_000]) > 5


@pytest.mark.parametrize(("release", "second"), [("4.9.0", TIMED_OUT), ("4.9.1", "RemotingConnectException")])
def test_in_silence_a_connection_stays_open_unless_a_time_out_closes_it(release, second):
    faults = [fault("silent_death", "1s", "60s")]
    attempts, _ = hung(release, threads=1, faults=faults, client={"connect_timeout": "1s"})
    outcomes = [a["outcome"] for a in attempts if a["outcome"] != "SEND_OK"]
    assert outcomes[:3] == [TIMED_OUT, second, second]
