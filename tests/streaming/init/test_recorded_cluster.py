"""What the recorded cluster was set up with is what `sendlab init` finds in its tools' outputs."""

from __future__ import annotations

import pytest

from streaming.init.scenario_lines import ASSUMED
from tests.streaming.init.asked import init_scenario, init_text

EVERYTHING = ("5.3.3", "producers.txt", "metrics/range.json")


def group(scenario, name):
    return next(one for one in scenario.producers if one.group == name)


def test_producers_have_the_rates_that_they_were_started_with():
    scenario = init_scenario(*EVERYTHING)
    assert {one.group: one.count for one in scenario.producers} == {"checkout": 4, "invoices": 2}
    assert float(group(scenario, "checkout").rate_per_s) == pytest.approx(20, rel=0.03)
    assert float(group(scenario, "invoices").rate_per_s) == pytest.approx(5, rel=0.03)


def test_routes_are_those_of_the_topics():
    scenario = init_scenario(*EVERYTHING)
    assert {name: topic.queues for name, topic in scenario.topics.items()} == {"bills": 4, "orders": 8}
    assert scenario.topics["bills"].brokers == ("broker-a", "broker-c")


def test_sizes_are_those_of_the_bodies_and_their_headers():
    text = init_text(*EVERYTHING)
    assert "message_bytes: 1135B" in text  # 900 bytes and 235 of headers and properties
    assert "message_bytes: 3233B" in text


def test_a_group_whose_backlog_grows_has_the_threads_that_it_ran_with():
    consumers = init_scenario("metrics/range.json").consumers
    assert (consumers["audit"].count, consumers["audit"].threads) == (2, 1)
    assert (consumers["billing"].count, consumers["billing"].threads) == (3, 20)  # keeps up: the client's default


def test_a_group_begins_with_what_it_was_behind():
    consumers = init_scenario(*EVERYTHING).consumers
    assert {name: one.backlog for name, one in consumers.items()} == {"archive": 8, "audit": 23_989, "billing": 24}


@pytest.mark.parametrize(("name", "service_ms"), [("billing", 20), ("audit", 45), ("archive", 5)])
def test_service_times_are_those_of_the_listeners(name, service_ms):
    line = init_text("metrics/range.json").partition(f"  {name}:\n")[2].partition("service: ")[2]
    assert float(line.partition("ms")[0]) == pytest.approx(service_ms, rel=0.1)


def test_a_broker_has_what_its_configuration_says_and_defaults_are_left_out():
    words = " ".join(init_text("5.3.3").split())
    assert "send_threads: 4 # brokers.txt: getBrokerConfig: sendMessageThreadPoolNums" in words
    assert "wait_time_in_send_queue: 500ms" in words
    assert " send_queue:" not in words  # 10,000, as without the key


def test_a_table_and_json_give_the_same_route():
    assert init_scenario("topicRoute-orders.txt").topics["orders"].queues == 8
    assert init_scenario("4.9.8/topics.txt").topics["orders"].queues == 8


@pytest.mark.parametrize("release", ["4.9.8", "5.3.3"])
def test_mqadmin_of_either_release_gives_the_same_cluster(release):
    scenario = init_scenario(release)
    assert sorted(scenario.brokers) == ["broker-a", "broker-b", "broker-c"]
    assert {name: one.count for name, one in scenario.consumers.items()} == {"archive": 1, "audit": 2, "billing": 3}
    assert sum(float(one.rate_per_s) * one.count for one in scenario.producers) == pytest.approx(86, rel=0.06)


ALONE = {
    "5.3.3/clusterList.txt": 3,
    "5.3.3/topicList.txt": 3,
    "5.3.3/brokers.txt": 3,
    "5.3.3/groups.txt": 3,
    "5.3.3/topics.txt": 3,
    "4.9.8/clusterList.txt": 3,
    "broker-a.conf": 1,
    "clusterList-m.txt": 3,
    "consumerConnection-billing.txt": 3,
    "consumerProgress-audit.txt": 3,
    "producers.txt": 3,
    "topicList-c.txt": 3,
    "topicRoute-orders.txt": 3,
    "metrics/metrics.txt": 3,
    "metrics/federate.txt": 3,
    "metrics/range.json": 3,
}


@pytest.mark.parametrize("file", ALONE)
def test_each_file_alone_gives_a_scenario_that_marks_what_it_assumes(file):
    assert len(init_scenario(file).brokers) == ALONE[file]
    assert f"# {ASSUMED}" in init_text(file)


def test_rocketmq_s_own_topics_and_groups_are_no_part_of_it():
    scenario = init_scenario("5.3.3/topicList.txt", "metrics/metrics.txt")
    assert sorted(scenario.topics) == ["bills", "orders"]
    assert sorted(one.group for one in scenario.producers) == ["checkout", "invoices"]


def test_one_topic_is_kept_if_it_is_asked_for():
    scenario = init_scenario("5.3.3", topics=("bills",))
    assert sorted(scenario.topics) == ["bills"]
    assert sorted(scenario.consumers) == ["archive"]
