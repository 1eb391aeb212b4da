"""What producers ask name servers that are down, and name servers that are asked what they do not know."""

from __future__ import annotations

import pytest

from tests.simulator.small import fault, ran, rows

DOWN = {"at": "0s", "for": "1s", "name_server": "all", "kind": "name_server_down"}


@pytest.mark.parametrize("mode", ["sync", "async", "oneway"])
@pytest.mark.parametrize(
    ("release", "result", "code"), [("4.5.2", "MQClientException", 10005), ("4.6.0", "IllegalStateException", -1)]
)
def test_a_topic_that_no_name_server_tells_of_is_an_illegal_state_since_4_6_0(mode, release, result, code):
    run = ran(producers={"mode": mode}, client={"release": release}, faults=[DOWN])
    first = rows(run, "sends")[0]
    assert (first["result"], first["response_code"] or -1, first["attempts"]) == (result, code, 0)


@pytest.mark.parametrize(("release", "failed"), [("5.2.0", 0), ("5.3.0", 1)])
def test_a_request_for_a_route_tries_every_name_server_in_turn_up_to_5_2_0_and_the_next_one_since(release, failed):
    down = [DOWN | {"name_server": number} for number in (1, 2)]
    run = ran(
        duration="900ms", producers={"count": 6}, client={"release": release}, topics={"orders": {"auto_create": True}},
        name_servers={"count": 3}, faults=down,
    )  # fmt: skip
    results_of = {}
    for send in rows(run, "sends"):
        results_of.setdefault(send["producer"], []).append(send["result"])
    unanswered = [results.count("IllegalStateException") for results in results_of.values()]
    assert max(unanswered) == failed
    assert all(results[failed] == "SEND_OK" for results in results_of.values())


@pytest.mark.parametrize(
    ("name_servers", "outcome", "code"),
    [("5.0.0", "MQBrokerException", 3), ("4.9.8", "RemotingTimeoutException", None)],
)
def test_an_asynchronous_retry_without_an_address_asks_a_name_server(name_servers, outcome, code):
    faults = [fault("master_lost", "20s", "60s", "a"), fault("hang", "29s", "2s"), fault("kill", "31s", "60s")]
    run = ran(
        duration="34s", producers={"mode": "async"}, brokers={name: {"latency": {"constant": "2ms"}} for name in "ab"},
        client={"send_latency_fault_enable": False, "poll_phase": "aligned", "retry_times_when_send_async_failed": 1},
        name_servers={"release": name_servers}, faults=faults,
    )  # fmt: skip
    retries = [r for r in rows(run, "attempts", broker="a", attempt=2) if r["begin_us"] >= 31_000_000]
    assert retries
    assert {(r["outcome"], r["response_code"]) for r in retries} == {(outcome, code)}


def name_server_fault(kind, **more):
    """A fault of the first name server from 5 to 20 s."""
    return {"at": "5s", "for": "15s", "name_server": 1, "kind": kind, **more}


KILLED = fault("kill", "6s", "60s", "a")


def results_of(release, mode="sync", **changes):
    """What each of six producers met that sends for the first time at 8 s: (result, seconds that it took)."""
    producers = {"count": 6, "rate": "0.001/s", "rate_changes": {"8s": "6/s"}, "mode": mode}
    client = {"release": release, "poll_name_server_interval": "30s"}
    topics = {"orders": {"auto_create": True}}
    found = ran(duration="15s", topics=topics, producers=producers, client=client, **changes)
    met = {}
    for send in rows(found, "sends"):
        met.setdefault(send["producer"], []).append((send["result"], round((send["end_us"] - send["begin_us"]) / 1e6)))
    return list(met.values())


@pytest.mark.parametrize("mode", ["sync", "async", "oneway"])
def test_a_first_send_waits_three_seconds_for_a_name_server_that_stands_still(mode):
    found = results_of("4.9.8", mode, faults=[name_server_fault("name_server_hang")])
    assert {met[0] for met in found} == {("IllegalStateException", 3)}
    assert all(waited_s >= 3 for met in found for _, waited_s in met)


def test_an_asynchronous_message_waits_for_a_sending_thread_that_waits_for_a_route():
    found = results_of("4.9.8", "async", faults=[name_server_fault("name_server_hang")])
    waited = [own for met in found for own in met if own[1] > 4]
    assert {result for result, _ in waited} == {"IllegalStateException", "RemotingTooMuchRequestException"}


@pytest.mark.parametrize(("release", "stays"), [("4.9.0", True), ("4.9.1", False)])
def test_a_time_out_leads_to_the_next_name_server_where_it_closes_the_connection(release, stays):
    """Up to 4.9.0 the connection stays, and with it the name server that is asked."""
    found = results_of(release, faults=[name_server_fault("name_server_hang")], name_servers={"count": 2})
    struck = [[result for result, _ in met] for met in found if met[0] == ("IllegalStateException", 3)]
    assert 0 < len(struck) < 6
    assert {met[1] for met in struck} == {"IllegalStateException" if stays else "SEND_OK"}


def last_failure_s(*faults, **changes):
    """When a producer of 4.9.8 that polls every 2 s sends to the killed broker a for the last time."""
    client = {"poll_name_server_interval": "2s", "send_latency_fault_enable": False}
    found = ran(
        duration="30s", client=client, producers={"rate": "20/s", "threads": 2}, faults=[KILLED, *faults], **changes
    )
    return max(r["begin_us"] / 1e6 for r in rows(found, "attempts", broker="a"))


def test_routes_change_so_much_later_where_the_name_server_is_slow():
    """By a poll's period at most: the poll of 2 s decides."""
    slow = name_server_fault("name_server_slow", delay="2s")
    assert 6 < last_failure_s() < 8 < last_failure_s(slow) < 10


def test_a_name_server_that_takes_longer_than_a_client_waits_tells_nothing():
    assert 19 < last_failure_s(name_server_fault("name_server_slow", delay="3s")) < 22


def test_a_hang_answers_what_was_asked_in_its_last_three_seconds():
    assert 17 <= last_failure_s(name_server_fault("name_server_hang")) < 19.1


@pytest.mark.parametrize(("whom", "knows"), [({"producers": "shop"}, False), ({"producers": "other"}, True)])
def test_only_those_that_are_cut_off_hear_nothing(whom, knows):
    cut = name_server_fault("name_server_cut", **whom)
    groups = [{"group": name, "count": 1, "threads": 2, "rate": "20/s"} for name in ("shop", "other")]
    client = {"poll_name_server_interval": "2s", "send_latency_fault_enable": False}
    found = ran(duration="30s", client=client, producers=groups, faults=[KILLED, cut])
    last = max(r["begin_us"] / 1e6 for r in rows(found, "attempts", broker="a", producer_group="shop"))
    assert (last < 8.1) is knows
    assert knows or 19 < last < 22.1


def test_a_broker_that_one_name_server_does_not_hear_is_dropped_by_that_one():
    cut = {"at": "5s", "name_server": 1, "broker": "a", "kind": "name_server_cut"}
    client = {"poll_name_server_interval": "2s", "send_latency_fault_enable": False}
    found = ran(
        duration="200s", producers={"count": 8, "rate": "2/s"}, client=client, name_servers={"count": 2}, faults=[cut]
    )
    late = {r["producer"] for r in rows(found, "attempts", broker="a") if r["begin_us"] > 170e6}
    assert 0 < len(late) < 8
