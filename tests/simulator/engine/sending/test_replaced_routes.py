"""A send that is under way when a poll brings a new route keeps the route object that it began with."""

from __future__ import annotations

from itertools import pairwise

import pytest

from simulator.plan.compile import compile_scenario
from simulator.plan.memory_plan import STARTED_WITHIN_US
from tests.simulator.small import fault, ran, rows, scenario_of

CLIENT = {"send_latency_fault_enable": False, "poll_phase": "aligned", "poll_name_server_interval": "10s"}
POLL_US = 10_010_000
KINDS = ["4.2.0", "4.8.0", "4.9.3", "4.9.7", "4.9.8", "5.0.0", "5.1.0", "5.1.3", "5.1.4", "5.3.3"]


def attempts_of(*faults, release="4.2.0", duration="20s", rate="10/s", producers=None, **client):
    """By message begun before the poll at 10 s, its attempts."""
    result = ran(
        duration=duration, client=CLIENT | {"release": release} | client, faults=list(faults),
        producers={"rate": rate, "when_blocked": "skip", "threads": 4} | (producers or {}),
    )  # fmt: skip
    found = {}
    for attempt in rows(result, "attempts"):
        found.setdefault((attempt["thread"], attempt["send_seq"]), []).append(attempt)
    return [own for own in found.values() if own[0]["begin_us"] < POLL_US <= own[-1]["begin_us"]], result


def joins_and_hangs(hung="ab"):
    """Broker c joins just before the poll; the others stand still."""
    return [{"at": "9s", "broker": "c", "kind": "scale_out"}, *(fault("hang", "9s", "9s", name) for name in hung)]


def cap(release):
    return {"send_msg_max_timeout_per_request": "2s", "send_msg_timeout": "6s"} if release == "5.3.3" else {}


@pytest.mark.parametrize("release", ["4.2.0", "5.3.3"])
def test_retries_do_not_see_a_broker_that_joined_meanwhile(release):
    under_way, result = attempts_of(*joins_and_hangs(), release=release, **cap(release))
    assert len(under_way) == 4
    assert {a["broker"] for own in under_way for a in own} == {"a", "b"}
    assert {a["broker"] for a in rows(result, "attempts") if a["begin_us"] > 18_000_000} == {"a", "b", "c"}


def test_a_message_begun_after_the_poll_is_tried_again_with_what_it_brought():
    faults = [{"at": "9s", "broker": "c", "kind": "scale_out"}, fault("hang", "11s", "8s")]
    run = ran(duration="20s", client=CLIENT | {"release": "4.2.0"}, faults=faults, producers={"rate": "10/s"})
    assert {a["broker"] for a in rows(run, "attempts") if a["attempt"] > 1} == {"c"}


def test_retries_go_on_with_the_counter_that_they_began_with():
    """4.2.0 takes one step and looks from there for another broker: the counter of four queues, b-1 -> a-0 -> b-0."""
    under_way, _ = attempts_of(*joins_and_hangs())
    assert [len(own) for own in under_way] == [3] * 4
    for own in under_way:
        places = ["ab".index(a["broker"]) * 2 + a["queue_id"] for a in own]
        for last, place in pairwise(places):
            step = (last + 1) % 4
            others = [p % 4 for p in range(step, step + 4) if p % 4 // 2 != last // 2]
            assert place == others[0]


def test_an_asynchronous_retry_keeps_its_route_object_too():
    brokers = {name: {"latency": {"constant": "2ms"}} for name in "ac"}
    brokers["b"] = {"latency": {"constant": "2s"}, "send_threads": 200}
    result = ran(
        duration="12s", client=CLIENT | {"release": "5.3.3"}, brokers=brokers,
        producers={"rate": "50/s", "mode": "async"},
        faults=[{"at": "9s", "broker": "c", "kind": "scale_out"}, fault("kill", "10500ms", "9s")],
    )  # fmt: skip
    retried = rows(result, "attempts", attempt=2)
    begun = {a["send_seq"]: a["begin_us"] for a in rows(result, "attempts", attempt=1)}
    before = [a["broker"] for a in retried if begun[a["send_seq"]] < POLL_US - STARTED_WITHIN_US]
    after = {a["broker"] for a in retried if begun[a["send_seq"]] > POLL_US}
    assert before == ["a"] * len(before)
    assert len(before) > 20
    assert after == {"a", "c"}


@pytest.fixture(scope="module")
def killed():
    """Broker a stands still, b is killed, the poll at 30.01 s says so. Heartbeats are at 1 s and 31 s."""
    return ran(
        duration="34s", client=CLIENT | {"release": "4.2.0", "poll_name_server_interval": "30s"},
        faults=[fault("hang", "27s", "10s", "a"), fault("kill", "29s", "10s")],
        brokers={name: {"latency": {"constant": "2ms"}} for name in "ab"},
        producers={"rate": "40/s", "threads": 160, "when_blocked": "skip", "arrivals": "uniform"},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("from_s", "until_s", "outcome"),
    [(30.02, 31, "RemotingConnectException"), (31, 33, "MQClientException")],
)
def test_an_address_is_kept_until_the_next_heartbeat(killed, from_s, until_s, outcome):
    retries = [a for a in rows(killed, "attempts", attempt=2, broker="b") if from_s <= a["begin_us"] / 1e6 < until_s]
    assert len(retries) > 5
    assert {a["outcome"] for a in retries} == {outcome}


@pytest.mark.parametrize("release", KINDS)
def test_after_the_poll_new_messages_use_the_new_route(release):
    _, result = attempts_of(*joins_and_hangs(""), release=release, rate="40/s", duration="13s")
    late = [a for a in rows(result, "attempts") if a["begin_us"] > POLL_US]
    assert {a["broker"] for a in late} == {"a", "b", "c"}
    assert {a["outcome"] for a in late} == {"SEND_OK"}


def test_room_for_old_route_objects_is_only_made_where_routes_change():
    changing, steady = (
        compile_scenario(scenario_of(faults=faults, client=CLIENT)).cells[0].settings.held_count
        for faults in ([fault("kill", "1s", "1s")], [fault("hang", "1s", "1s")])
    )
    assert (changing, steady) == (1, 0)
