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
