"""Proxies in local mode, in the brokers' processes: a gRPC producer chooses the broker, and isolates one that fails."""

from __future__ import annotations

import pytest

from simulator.plan.clients.local_proxies import connected_again_us
from tests.simulator.small import fault, ran, rows

GRPC = {"count": 1, "threads": 1, "rate": "50/s", "arrivals": "steady", "grpc": {}}
TWO = {name: {"latency": {"constant": "2ms"}} for name in ("a", "b")}


def sent(duration="4s", faults=(), brokers=TWO, **producers):
    own = {"mode": "local", "hop": "1ms"}
    return ran(
        duration=duration, client={"release": "5.3.3"}, producers=GRPC | producers, proxies=own, brokers=brokers,
        faults=list(faults),
    )  # fmt: skip


def failed(run):
    return [row for row in rows(run, "sends") if row["result"] != "SEND_OK"]


def at(run, broker, **where):
    return sorted(row["begin_us"] / 1e6 for row in rows(run, "attempts", broker=broker, **where))


def test_the_client_takes_brokers_by_the_queues_of_its_route_and_their_proxies_take_any_queue():
    made = sorted(rows(sent(), "attempts"), key=lambda row: row["begin_us"])
    brokers = "".join(row["broker"] for row in made)
    assert "aabbaabb" in brokers
    assert "aaa" not in brokers
    assert {row["pick_reason"] for row in made} == {"endpoints"}
    assert {(row["broker"], row["queue_id"]) for row in made} == {(b, q) for b in "ab" for q in (0, 1)}
    assert [row["queue_id"] for row in made[:40]] != 20 * [0, 1]


def test_a_message_takes_the_hop_and_the_service():
    assert {row["latency_us"] for row in rows(sent(), "sends")} == {3000}


def test_a_killed_broker_fails_no_message_and_is_isolated_after_one_attempt():
    run = sent("30s", [fault("kill", "10s", None, "a")])
    assert failed(run) == []
    assert len([when for when in at(run, "a") if when >= 10]) == 1


def test_a_hung_broker_costs_each_thread_one_time_out_and_no_message():
    run = sent("30s", [fault("hang", "10s", "15s", "a")], threads=400)
    assert failed(run) == []
    late = [row for row in rows(run, "sends") if row["latency_us"] > 1_000_000]
    assert {row["latency_us"] // 100_000 for row in late} == {30}
    assert 60 <= len(late) <= 85  # half of those of three seconds
    assert max(when for when in at(run, "a") if when < 20) < 13.1


def test_what_a_hung_broker_was_sent_is_cancelled_when_it_goes_on():
    run = sent("30s", [fault("hang", "10s", "15s", "a")], threads=400)
    late = [row["copies_stored"] for row in rows(run, "sends") if row["latency_us"] > 1_000_000]
    assert late.count(1) >= len(late) - 1  # one may have been with its broker as that stopped


def test_a_broker_that_goes_on_is_freed_by_the_next_heartbeat():
    run = sent("60s", [fault("hang", "10s", "20s", "a")], threads=400)
    assert 27 <= min(when for when in at(run, "a") if when > 14) <= 40  # one of its last 3 s is answered as it goes on


def test_a_killed_broker_gets_messages_when_its_channel_has_connected_again_and_answers_a_heartbeat():
    run = sent("60s", [fault("kill", "10s", "20s", "a")])
    assert 36.29 <= min(when for when in at(run, "a") if when > 11) <= 46.31


@pytest.mark.parametrize(("seconds", "back_s"), [(0.5, 1), (1, 1), (2, 2.6), (20, 26.295_36)])
def test_a_channel_tries_to_connect_after_1_s_then_1_6_times_as_long(seconds, back_s):
    assert connected_again_us(5_000_000, 5_000_000 + int(seconds * 1e6)) == 5_000_000 + int(back_s * 1e6)


def test_without_any_broker_a_message_fails_after_its_attempts():
    run = sent("4s", [fault("kill", "1s", None, "all")])
    assert {(row["result"], row["attempts"]) for row in failed(run)} == {("UNAVAILABLE", 3)}
    assert max(row["latency_us"] for row in failed(run)) < 5_000


def test_a_busy_broker_is_tried_again_at_once_as_its_code_is_not_passed_on():
    run = sent("2s", [fault("code", "0s", "3s", "all", response_code="SYSTEM_BUSY")])
    assert {(row["result"], row["latency_us"]) for row in rows(run, "sends")} == {("InternalErrorException", 9000)}


def test_three_attempts_go_to_three_brokers():
    three = TWO | {"c": {"like": "a"}}
    run = sent("3s", [fault("code", "0s", "3s", "all", response_code="SYSTEM_ERROR")], brokers=three)
    first = [row["broker"] for row in rows(run, "attempts", send_seq=0)]
    assert sorted(first) == ["a", "b", "c"]


def test_a_route_without_the_broker_stays_without_it_until_the_client_asks_again():
    """A broker that joins is in the name server's routes at once, in a proxy's in 20 s, in a client's 30 s later."""
    run = sent("120s", [{"at": "30s", "broker": "b", "kind": "scale_out"}])
    assert 30 < min(at(run, "b")) <= 90
    assert failed(run) == []


def test_an_attempt_names_the_broker_whose_own_proxy_it_was_sent_to_and_none_that_is_away():
    over = rows(sent("30s", [fault("kill", "10s", None, "a")]), "proxied_attempts")
    assert {row["proxy"] == row["broker"] for row in over if row["outcome"] == "SEND_OK"} == {True}
    assert {row["proxy"] for row in over} == {"a", "b", None}
    assert {row["outcome"] for row in over if row["proxy"] is None} == {"UNAVAILABLE"}
