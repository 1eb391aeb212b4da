"""Producers hear of a changed route at their next poll, and build their queue lists and counters anew."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from simulator.compiled.region_store import columns
from simulator.engine.memory.routes import Poller
from simulator.plan.compile import compile_scenario
from simulator.plan.route_plan import base_route
from simulator.releases.producer_release import client_of
from simulator.run.cell import Cell
from simulator.scenario import parse_scenario
from tests.simulator.client.routes.route_table import RouteTable
from tests.simulator.small import fault, ran, rows, scenario_of, text_of

OFF = {"send_latency_fault_enable": False}
PERIOD_US = 30_000_000


def last_seen(result, broker):
    """By producer, when its last attempt on a broker began, in microseconds."""
    seen = {}
    for attempt in rows(result, "attempts", broker=broker):
        seen[attempt["producer"]] = max(seen.get(attempt["producer"], 0), attempt["begin_us"])
    return seen


def first_seen(result, broker):
    """By producer, when its first attempt on a broker began, in microseconds."""
    return {p: -at for p, at in _negated(result, broker).items()}


def _negated(result, broker):
    seen = {}
    for attempt in rows(result, "attempts", broker=broker):
        seen[attempt["producer"]] = max(seen.get(attempt["producer"], -(1 << 60)), -attempt["begin_us"])
    return seen


def polling(*faults, duration="100s", **changes):
    """Twelve producers that send a lot, strategy off."""
    producers = {"count": 12, "rate": "10/s"} | changes.pop("producers", {})
    client = OFF | changes.pop("client", {})
    return ran(duration=duration, producers=producers, client=client, faults=list(faults), **changes)


@pytest.fixture(scope="module")
def killed():
    return polling(fault("kill", "20s", "90s"))


def test_a_killed_broker_is_used_until_each_producers_next_poll(killed):
    last = last_seen(killed, "b")
    assert len(last) == 12
    assert all(at < 20_000_000 + PERIOD_US for at in last.values())
    assert max(last.values()) - min(last.values()) > PERIOD_US / 2  # phases are spread


def test_the_phases_of_the_polls_are_the_producers_own(killed):
    plan = killed.plan.cells[0]
    phases = plan.cluster["pollers"][:, columns(Poller)["phase_us"]]
    assert (phases[1:] > phases[:-1]).all()
    assert ((phases >= 0) & (phases < PERIOD_US)).all()


def test_aligned_producers_start_within_50_ms_and_poll_10_ms_after_it_and_every_30_s():
    last = last_seen(polling(fault("kill", "20s", "90s"), client={"poll_phase": "aligned"}, duration="60s"), "b")
    assert len(last) == 12
    assert all(29_400_000 < at < 30_010_000 for at in last.values())


def test_silence_is_heard_of_after_expiry_scan_and_poll():
    result = polling(
        fault("silent_death", "20s", "900s"), duration="190s", producers={"rate": "2/s", "when_blocked": "skip"}
    )
    last = last_seen(result, "b")
    assert len(last) == 12
    # The last registration is at most 30 s old when it dies.
    assert all(20e6 + 90e6 < at < 20e6 + 120e6 + 5e6 + 30e6 for at in last.values())


def test_without_any_name_server_routes_stay():
    down = {"at": "10s", "name_server": "all", "kind": "name_server_down"}
    last = last_seen(polling(down, fault("kill", "20s", "90s"), producers={"rate": "4/s"}), "b")
    assert len(last) == 12
    assert all(at > 95_000_000 for at in last.values())


def test_with_another_name_server_left_they_do_not():
    down = {"at": "10s", "name_server": 1, "kind": "name_server_down"}
    result = polling(down, fault("kill", "20s", "90s"), name_servers={"count": 2}, producers={"rate": "4/s"})
    last = last_seen(result, "b")
    assert len(last) == 12
    assert all(at < 50_000_000 for at in last.values())


def test_a_broker_that_joins_is_used_from_the_next_poll_on():
    first = first_seen(polling({"at": "20s", "broker": "b", "kind": "scale_out"}, duration="60s"), "b")
    assert len(first) == 12
    assert all(20_000_000 <= at < 51_500_000 for at in first.values())


def test_a_broker_that_leaves_as_it_should_costs_no_attempt():
    leaving = {"at": "20s", "broker": "b", "kind": "scale_in", "drain": "35s"}
    assert {a["outcome"] for a in rows(polling(leaving), "attempts")} == {"SEND_OK"}


def test_queue_numbers_shift_the_load():
    result = polling(fault("queues", "0s", "100s", topic="orders", queues=8), duration="80s", client={
        "poll_phase": "aligned"
    })  # fmt: skip
    late = Counter(a["broker"] for a in rows(result, "attempts") if a["begin_us"] > 31_000_000)
    assert late["b"] / sum(late.values()) == pytest.approx(8 / 12, abs=0.01)


def test_a_vanished_topic_keeps_what_was_known():
    result = polling(fault("kill", "20s", "900s", "all"), duration="60s", producers={"rate": "1/s"})
    late = [a for a in rows(result, "attempts") if a["begin_us"] > 52_000_000]
    assert {a["broker"] for a in late} == {"a", "b", "c"}


def test_a_route_without_a_queue_is_asked_for_again_with_each_send():
    result = polling(fault("wipe_permission", "10s", "31s", "all"), client={"poll_phase": "aligned"}, duration="50s")
    none = [s for s in rows(result, "sends") if s["attempts"] == 0]
    assert {(s["result"], s["response_code"]) for s in none} == {("MQClientException", 10005)}
    assert min(s["begin_us"] for s in none) >= 29_960_000
    assert 40_800_000 < max(s["begin_us"] for s in none) < 41_000_000


@pytest.mark.parametrize("release", ["4.2.0", "4.9.7", "4.9.8", "5.1.3", "5.3.3"])
def test_a_changed_route_starts_a_new_counter_at_a_random_place(release):
    """In front of the poll the queues follow each other; the next one after it is anywhere."""
    client = {"release": release, "poll_phase": "aligned"}
    changed = polling(fault("queues", "5s", "900s", "c", topic="orders", queues=3), client=client, duration="32s")
    jumps = Counter()
    for producer in range(12):
        own = [a for a in rows(changed, "attempts", producer=producer) if a["begin_us"] > 30_010_000]
        jumps[own[0]["broker"], own[0]["queue_id"]] += 1
        places = [("abc".index(a["broker"]) * 2 + a["queue_id"]) for a in own]
        assert all(b == (a + 1) % 7 for a, b in pairwise(places))
    assert len(jumps) > 3


@pytest.mark.parametrize("release", ["4.9.7", "5.3.3"])
def test_producers_share_a_list_unless_the_release_rewrites_it(release):
    scenario = scenario_of(client={"release": release}, producers={"count": 5}, faults=[fault("kill", "1s", "1s")])
    views = Cell(compile_scenario(scenario).cells[0]).world.views
    own = {views[producer].queues for producer in range(5)}
    assert len(own) == (5 if client_of(release).rewrites_queue_list else 1)


def auto_created(rate, faults=(), **changes):
    producers = {"count": 3, "rate": rate} | changes.pop("producers", {})
    return polling(*faults, topics={"orders": {"auto_create": True}}, producers=producers, **changes)


def test_a_topic_lives_only_on_the_brokers_that_got_a_message_before_the_next_poll():
    result = auto_created("0.05/s", duration="600s", producers={"count": 1})
    load = Counter(a["broker"] for a in rows(result, "attempts"))
    assert len(load) == 1
    assert sum(load.values()) == 30
    assert {a["queue_id"] for a in rows(result, "attempts")} == {0, 1, 2, 3}


def test_with_many_first_messages_it_lives_on_all():
    attempts = rows(auto_created("20/s"), "attempts")
    load = Counter(a["broker"] for a in attempts if a["begin_us"] > PERIOD_US)
    assert max(load.values()) / min(load.values()) < 1.1


@pytest.mark.parametrize("release", ["4.2.0", "4.9.8", "5.3.3"])
def test_a_created_topic_leaves_a_broker_that_goes_and_finds_it_again(release):
    client = {"poll_phase": "aligned", "release": release}
    result = auto_created("5/s", faults=[fault("kill", "50s", "50s")], client=client, duration="150s")
    used_s = [a["begin_us"] / 1e6 for a in rows(result, "attempts", broker="b")]
    # Polls until 60.01 s and, at the latest 10 s after it is listening again, from 119.96 s on.
    assert 59 < max(s for s in used_s if s < 100) < 60.01
    assert 119.96 < min(s for s in used_s if s > 61) < 121.5
    assert {a["broker"] for a in rows(result, "attempts") if 61e6 < a["begin_us"] < 119.9e6} == {"a", "c"}


def test_a_topic_can_be_created_only_on_brokers_that_the_name_server_lists():
    joins = {"at": "20s", "broker": "b", "kind": "scale_out"}
    result = auto_created("5/s", faults=[joins], duration="100s")
    assert {a["broker"] for a in rows(result, "attempts")} == {"a", "c"}


def test_a_created_topic_whose_brokers_are_all_gone_keeps_its_queues():
    result = auto_created("2/s", producers={"count": 1}, faults=[fault("kill", "50s", "900s", "all")])
    load = Counter(a["broker"] for a in rows(result, "attempts") if a["begin_us"] > 82_000_000)
    assert load.total() > 30
    assert set(load) == {a["broker"] for a in rows(result, "attempts") if 31e6 < a["begin_us"] < 50e6}


def test_another_broker_that_cannot_be_reached_changes_no_created_route():
    """A topic that only lives on one broker has the same route while others come and go: the counter goes on."""
    faults = [fault("kill", "40s", "30s", name) for name in "bc"]
    one = auto_created("0.1/s", producers={"count": 1}, faults=faults, duration="300s", seed=5)
    ids = [a["queue_id"] for a in rows(one, "attempts") if a["begin_us"] > PERIOD_US]
    assert {a["broker"] for a in rows(one, "attempts")} == {"a"}
    assert len(ids) > 20
    assert all(b == (a + 1) % 4 for a, b in pairwise(ids))


@pytest.mark.parametrize("release", ["4.2.0", "4.9.8", "5.1.3", "5.3.3"])
def test_the_engine_builds_the_lists_that_the_route_table_builds(release):
    """The client's own rules (client/routes/queue_list.py) on the same routes give the same queues."""
    scenario = parse_scenario(text_of(client={"release": release}, faults=[fault("kill", "1s", "1s")]))
    table = RouteTable(client_of(release), lambda topic: base_route(scenario, topic) if topic == "orders" else None)
    info = table.find("orders")
    assert info is not None
    entries = Cell(compile_scenario(scenario).cells[0]).world.views[0].queues.queues
    listed = [entries[i] for i in range(len(entries))]
    assert [("abc"[entry.broker], entry.queue_id) for entry in listed] == list(info.queues)


def test_the_polls_of_aligned_producers_are_up_to_50_ms_apart():
    aligned = scenario_of(
        client={"poll_phase": "aligned"}, producers={"count": 200}, faults=[fault("kill", "1s", "1s")]
    )
    plan = compile_scenario(aligned).cells[0]
    phases = (plan.cluster["pollers"][:, columns(Poller)["phase_us"]] + 20_000_000) % PERIOD_US - 20_000_000
    assert (-40_000 < phases.min() < -35_000, 5_000 < phases.max() <= 10_000) == (True, True)
