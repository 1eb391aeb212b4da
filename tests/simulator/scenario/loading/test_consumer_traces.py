"""`trace: true` of a consumer group: a group of producers that sends two contexts for each message consumed."""

from __future__ import annotations

import pytest

from simulator.scenario import ScenarioError, parse_scenario
from tests.says import Said, Says
from tests.simulator.small import ran_tables, scenario_of

RATE = {"count": 4, "rate": "25/s"}
BILLING = {"topic": "orders", "count": 2, "service": "20ms", "trace": True}


def traced(client="5.3.3", producers=RATE, **group):
    return scenario_of(client={"release": client}, producers=producers, consumers={"billing": BILLING | group})


def rate_of(scenario):
    return float(scenario.producers[-1].rate_per_s)


def test_each_instance_sends_two_contexts_for_each_message_that_it_consumes():
    scenario = traced()
    trace = scenario.producers[-1]
    assert (trace.group, trace.count, trace.mode) == ("billing-trace", 2, "async")
    assert rate_of(scenario) == pytest.approx(2 * 50 / 10)  # traceMsgBatchNum of 5.3.3
    assert scenario.topics["RMQ_SYS_TRACE_TOPIC"].message_bytes.constant_bytes == 1_250
    assert scenario.consumers["billing"].trace is False


@pytest.mark.parametrize("mode", ["CONCURRENTLY", "ORDERLY", "POP"])
def test_listeners_of_every_mode_have_the_hook(mode):
    assert rate_of(traced(consume_mode=mode)) == pytest.approx(10)


def test_a_consumption_within_5_ms_is_one_message_up_to_4_9_3():
    slow, fast = (rate_of(traced("4.9.3", {"count": 1, "rate": "2/s"}, service=each)) for each in ("20ms", "1ms"))
    assert (slow, fast) == (pytest.approx(2, rel=0.02), pytest.approx(1, rel=0.02))


def test_the_release_is_that_of_the_group():
    scenario = traced("4.9.3", release="5.3.3")
    assert scenario.clients[-1].release == "5.3.3"
    assert rate_of(scenario) == pytest.approx(10)


def test_every_instance_that_is_broadcasting_traces_every_message():
    assert rate_of(traced(message_model="BROADCASTING")) == pytest.approx(20)


def test_instances_without_a_queue_trace_nothing():
    scenario = traced(count=8)  # of six queues
    assert (scenario.producers[-1].count, rate_of(scenario)) == (6, pytest.approx(2 * 100 / 6 / 10, rel=0.01))


def test_a_group_traces_no_more_than_it_can_handle():
    assert rate_of(traced(threads=1, service="100ms")) == pytest.approx(2 * 10 / 10)


def test_what_fails_by_chance_is_traced_again():
    assert rate_of(traced(fails=0.2)) == pytest.approx(2 * 50 / 0.8 / 10, rel=0.01)


def test_only_what_the_filter_takes_is_traced():
    topics = {"orders": {"queues": 2, "tags": {"A": 1, "B": 3}}}
    own = {key: value for key, value in BILLING.items() if key != "topic"} | {"topics": {"orders": "A"}}
    scenario = scenario_of(client={"release": "5.3.3"}, producers=RATE, topics=topics, consumers={"billing": own})
    assert rate_of(scenario) == pytest.approx(2 * 12.5 / 10)


def test_its_rate_changes_with_that_of_the_producers():
    scenario = traced(producers=RATE | {"rate_changes": {"1s": "50/s"}})
    assert [(at, float(rate)) for at, rate in scenario.producers[-1].rate_changes] == [(1_000_000, 20.0)]


def test_producers_and_consumers_share_the_topic():
    scenario = traced(producers=RATE | {"trace": True})
    assert [group.group for group in scenario.producers] == ["producers", "producers-trace", "billing-trace"]
    assert scenario.topics["RMQ_SYS_TRACE_TOPIC"].message_bytes.constant_bytes == round((2_000 * 10 + 1_250 * 20) / 30)


def test_what_is_read_again_has_the_same_groups():
    assert parse_scenario(traced().to_yaml()) == traced()


def test_a_group_without_trace_has_the_digest_that_it_had():
    without = {key: value for key, value in BILLING.items() if key != "trace"}
    found = [scenario_of(consumers={"billing": own}).digest() for own in (without, without | {"trace": False})]
    assert found == [found[0]] * 2


def test_trace_loads_the_brokers_and_is_as_much_as_the_group_consumes():
    run = ran_tables(client={"release": "4.9.3"}, producers=RATE, duration="10s", consumers={"billing": BILLING})
    consumed = len(run.tables["consumed"])
    groups = run.column("sends", "producer_group")
    rate = rate_of(traced("4.9.3"))
    assert consumed == pytest.approx(1_000, rel=0.1)
    assert (groups == "billing-trace").sum() == pytest.approx(10 * 2 * rate, rel=0.1)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"release": "4.3.2"}, Says("producer.trace-not-before", release="4.3.2", first="4.4.0")),
        ({"consume_message_batch_max_size": 8}, Says("consumer.trace-of-batches")),
        ({"backlog": 100}, Says("consumer.trace-of-backlog")),
        ({"fails_always": 0.1}, Says("consumer.trace-of-failures")),
        ({"autoscale": {"threshold": 1000, "most": 8}}, Says("consumer.trace-of-scaled")),
        ({"producers": RATE | {"rate": None, "arrivals": "closed", "think": "5ms"}},
         Says("consumer.trace-of-loops", topic="orders")),
        ({"producers": RATE | {"delay": {"level": 3}}},
         Says("consumer.trace-of-delays", group="producers", topic="orders")),
        ({"producers": RATE | {"group": "billing-trace"}}, Says("producer.same-group", group="billing-trace")),
        ({"trace": "yes please"}, Says("field.flag-expected")),
    ],
)  # fmt: skip
def test_trace_that_cannot_be_known_is_refused(changes, problem):
    with pytest.raises(ScenarioError) as found:
        traced(**changes)
    assert Said(found.value) == problem
