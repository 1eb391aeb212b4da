"""How many instances a group is scaled to at most: its queues, those with a lag, or more."""

from __future__ import annotations

import pytest

from simulator.consumer.machine.autoscaling import capped, recommended
from simulator.run.simulate import simulate
from simulator.scenario import parse_scenario
from simulator.scenario.checks.warnings import warnings_of
from tests.says import Says

HOT_QUEUE = """
name: one of 64 queues lags
duration: 20m
client: {release: 5.3.3}
producers:
  - {group: hot, count: 4, threads: 4, rate: 100/s, topics: [orders], selector: hash}
topics: {orders: {queues: 64, keys: {count: 1}}}
brokers: {broker-a: {latency: {constant: 1ms}}}
consumers: {billing: {topic: orders, count: 63, threads: 1, service: {constant: 50ms}, autoscale: {threshold: 3000, poll: 60s, cooldown: 30m, least: 1, most: 100}}}
"""  # noqa: E501
SHORT = HOT_QUEUE.replace("64", "4").replace("63", "2").replace("3000", "300").replace("20m", "4m")


def instances(text: str) -> list[int]:
    run = simulate(parse_scenario(text), tables=("consumer_windows",))
    found: list[int] = run.column("consumer_windows", "instances").tolist()
    return sorted(set(found))


def scaled(keys: str) -> list[int]:
    return instances(SHORT.replace("cooldown: 30m", f"cooldown: 30m, {keys}"))


def test_a_hot_queue_does_not_start_more_instances_than_queues_as_with_keda():
    assert instances(HOT_QUEUE) == [63]
    assert instances(SHORT) == [2, 4]


@pytest.mark.parametrize(("lag", "wanted"), [(2000, 4), (2001, 5), (2499, 5), (2500, 4), (90_000, 4)])
def test_kedas_division_lets_one_instance_more_than_queues_run(lag, wanted):
    assert recommended(capped(lag, 500, 4), 500, 1, 1, 100) == wanted


@pytest.mark.parametrize("key", ["allow_idle_consumers", "allowIdleConsumers"])
def test_instances_outnumber_the_queues_where_that_is_allowed(key):
    assert scaled(f"{key}: true")[-1] == 100


@pytest.mark.parametrize("key", ["limit_to_partitions_with_lag", "limitToPartitionsWithLag"])
def test_only_queues_with_a_lag_count_where_that_is_asked_for(key):
    assert scaled(f"{key}: true") == [2]


def test_a_scaled_object_is_read_with_its_own_names_and_seconds():
    keda = "{lagThreshold: '300', pollingInterval: 60, stabilizationWindowSeconds: 1800, maxReplicaCount: 100}"
    own = parse_scenario(SHORT.split("autoscale:")[0] + f"autoscale: {keda}}}}}").consumers["billing"].autoscale
    assert own == parse_scenario(SHORT).consumers["billing"].autoscale


def test_only_a_group_that_may_have_idle_instances_is_warned_of():
    assert Says("warning.more-instances-than-queues") not in warnings_of(parse_scenario(HOT_QUEUE))
    allowed = parse_scenario(HOT_QUEUE.replace("least: 1", "allow_idle_consumers: true"))
    idle = Says("warning.more-instances-than-queues", instances=100, queues=64, idle=36)
    assert idle in warnings_of(allowed)


def test_as_many_instances_as_a_group_has_at_least_may_be_idle_though_it_is_scaled():
    more = parse_scenario(HOT_QUEUE.replace("least: 1", "least: 70").replace("count: 63", "count: 70"))
    assert Says("warning.more-instances-than-queues", instances=70, queues=64, idle=6) in warnings_of(more)
