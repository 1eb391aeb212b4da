"""Which route each name server delivers from when on."""

from __future__ import annotations

import pytest

from simulator.engine.memory.routes import NO_ANSWER, NOT_EXISTING
from simulator.plan.effects import effects_of
from simulator.plan.route_plan import route_plan
from tests.simulator.small import fault, scenario_of


def plan(*faults, **changes):
    """The route plan of the small scenario of 300 s with those faults."""
    scenario = scenario_of(duration="300s", faults=list(faults), **changes)
    return route_plan(scenario, [e for period in scenario.fault_periods() for e in effects_of(period, {})])


def story(found, name_server=0, topic=0):
    """(second, what is delivered): brokers with their queues, in lower case if read-only, * without a master."""
    return [(at // 1_000_000, _text(found, version)) for at, version in found.timelines[name_server][topic]]


def _text(found, version):
    if version < 0:
        return {NO_ANSWER: "no answer", NOT_EXISTING: "not existing"}[version]
    route = found.versions[version]
    names = [
        (data.broker_name.upper() if data.is_writeable else data.broker_name)
        + ("" if 0 in route.broker_ids[data.broker_name] else "*")
        + ("" if data.write_queue_nums == 2 else str(data.write_queue_nums))
        for data in route.queue_datas
    ]
    return " ".join(names)


def test_without_changes_there_is_one_version_and_nothing_to_poll_for():
    found = plan(fault("slow", "10s", "10s", factor=2), fault("hang", "30s", "90s"))
    assert (story(found), found.changes) == ([(0, "A B C")], False)


def test_a_killed_broker_is_left_out_and_then_the_route_is_the_old_one():
    found = plan(fault("kill", "20s", "30s"))
    assert story(found) == [(0, "A B C"), (20, "A C"), (60, "A B C")]
    assert len(found.versions) == 2


def test_a_lost_master_leaves_the_broker_without_one():
    old = {name: {"latency": {"constant": "1ms"}, "release": "4.9.8"} for name in "abc"}
    found = plan(fault("master_lost", "20s", "30s"), brokers=old)
    assert story(found) == [(0, "A B C"), (20, "A B* C"), (50, "A B C")]


def test_a_master_that_was_lost_registers_as_it_starts_or_ten_seconds_later():
    brokers = {name: {"latency": {"constant": "1ms"}, "release": "5.3.3"} for name in "abc"}
    ends = [plan(fault("master_lost", "20s", "30s"), brokers=brokers, seed=seed) for seed in range(12)]
    assert {tuple(story(found)[1:]) for found in ends} == {
        ((20, "A B* C"), (50, "A B C")), ((20, "A B* C"), (60, "A B C")),
    }  # fmt: skip


def test_permission_and_queue_numbers_change_at_once():
    found = plan(fault("wipe_permission", "20s", "30s"), fault("queues", "40s", "60s", topic="orders", queues=5))
    assert story(found) == [(0, "A B C"), (20, "A b C"), (40, "A b5 C"), (50, "A B5 C"), (100, "A B C")]


def test_a_topic_of_its_own_becomes_read_only():
    topics = {"bills": {"queues": 2}, "orders": {"queues": 2}}
    found = plan(fault("read_only", "20s", "30s", topic="orders"), topics=topics)
    assert [len(timeline) for timeline in found.timelines[0]] == [1, 3]


def test_scaling_in_wipes_the_permission_first_and_scaling_out_adds_a_broker():
    leaving = {"at": "20s", "broker": "b", "kind": "scale_in", "drain": "30s"}
    assert story(plan(leaving)) == [(0, "A B C"), (20, "A b C"), (50, "A C")]
    assert story(plan({"at": "20s", "broker": "b", "kind": "scale_out"})) == [(0, "A C"), (20, "A B C")]


def test_a_name_server_that_is_down_gives_no_answer_and_comes_back_empty():
    down = {"at": "20s", "for": "30s", "name_server": 2, "kind": "name_server_down"}
    found = plan(down, name_servers={"count": 2})
    assert story(found, 0) == [(0, "A B C")]
    again = story(found, 1)
    assert again[:3] == [(0, "A B C"), (20, "no answer"), (50, "not existing")]
    assert again[-1][1] == "A B C"
    assert 50 < again[-1][0] <= 80  # every broker has registered within 30 s


def test_when_all_brokers_are_gone_the_topic_does_not_exist():
    assert story(plan(fault("kill", "20s", "30s", "all")))[1] == (20, "not existing")


def test_a_topic_that_sends_create_has_a_default_route_for_each_of_its_own():
    found = plan(
        fault("kill", "20s", "30s"), fault("queues", "100s", "60s", topic="orders", queues=5),
        topics={"orders": {"auto_create": True}},
    )  # fmt: skip
    versions = [version for _, version in found.timelines[0][0]]
    defaults = [found.defaults[0][version] for version in versions]
    named = [[data.broker_name for data in found.versions[version].queue_datas] for version in defaults]
    assert named == [["a", "b", "c"], ["a", "c"], ["a", "b", "c"], ["a", "b", "c"], ["a", "b", "c"]]
    nums = [[data.write_queue_nums for data in found.versions[v].queue_datas] for v in (versions[3], defaults[3])]
    assert nums == [[4, 5, 4], [4, 4, 4]]
    assert {data.perm for version in defaults for data in found.versions[version].queue_datas} == {7}


def test_what_a_producer_can_learn_of_a_topic_is_bounded():
    assert plan(fault("kill", "20s", "30s")).changes_at_most(0) == 2
    created = plan(fault("kill", "20s", "30s"), topics={"orders": {"auto_create": True}})
    assert created.changes_at_most(0) == 2 + 3


def test_a_topic_that_sends_create_has_the_brokers_in_the_order_of_their_names():
    brokers = {name: {"latency": {"constant": "2ms"}} for name in "ca"}
    found = plan(topics={"orders": {"auto_create": True}}, brokers=brokers)
    assert story(found) == [(0, "A4 C4")]
    (default,) = found.defaults[0].values()
    assert _text(found, default) == "A4 C4"


@pytest.mark.parametrize(("client", "named"), [("4.2.0", "A4"), ("4.3.0", "C4"), ("4.3.1", "A4"), ("5.3.3", "A4")])
def test_a_topic_is_created_only_on_brokers_with_the_key_that_the_client_asks_for(client, named):
    brokers = {name: {"latency": {"constant": "2ms"}, "release": of} for name, of in (("a", "5.3.3"), ("c", "4.3.0"))}
    found = plan(topics={"orders": {"auto_create": True}}, brokers=brokers, client={"release": client})
    (default,) = found.defaults[0].values()
    (data,) = found.versions[default].queue_datas
    assert f"{data.broker_name.upper()}{data.write_queue_nums}" == named


def test_no_broker_of_another_release_creates_topics_for_4_3_0():
    assert story(plan(topics={"orders": {"auto_create": True}}, client={"release": "4.3.0"})) == [(0, "not existing")]


@pytest.mark.parametrize(("release", "at_start"), [("4.9.8", {60}), ("5.0.0", {60, 70}), ("5.3.3", {60, 70})])
def test_since_5_0_0_chance_decides_whether_a_new_process_registers_at_once_or_10_s_later(release, at_start):
    brokers = {name: {"latency": {"constant": "1ms"}, "release": release} for name in "abc"}
    found = [story(plan(fault("restart", "50s", "10s"), seed=seed, brokers=brokers)) for seed in range(1, 41)]
    back = [next(at for at, text in one if at > 50 and text == "A B C") for one in found]
    assert set(back) == at_start
    assert at_start == {60} or 10 < back.count(60) < 30
