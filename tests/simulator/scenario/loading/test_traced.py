"""`trace: true` of a group of producers: a further group that sends its trace to a topic of its own."""

from __future__ import annotations

import pytest

from simulator.scenario import ScenarioError, parse_scenario
from tests.says import Said, Says
from tests.simulator.small import ran, scenario_of

TRACED = {"count": 3, "rate": "100/s", "trace": True}


def refused(**changes):
    with pytest.raises(ScenarioError) as found:
        scenario_of(**changes)
    return Said(found.value)


@pytest.mark.parametrize(("release", "rate", "size"), [("4.9.3", 60.65, 330), ("5.3.3", 10.0, 2_000)])
def test_a_group_sends_what_its_release_gathers(release, rate, size):
    scenario = scenario_of(client={"release": release}, producers=TRACED)
    own, trace = scenario.producers
    assert (trace.group, trace.count, trace.mode, own.trace) == ("producers-trace", 3, "async", False)
    assert float(trace.rate_per_s) == pytest.approx(rate, abs=0.01)
    topic = scenario.topics["RMQ_SYS_TRACE_TOPIC"]
    assert (trace.topics, topic.message_bytes.constant_bytes) == ({"RMQ_SYS_TRACE_TOPIC": 1}, size)
    assert scenario.clients[1].send_msg_timeout_ms == 5_000


def test_its_rate_changes_with_that_of_the_group():
    scenario = scenario_of(
        client={"release": "4.9.3"}, producers=TRACED | {"rate_changes": {"1s": "10/s", "1500ms": "0/s"}}
    )
    assert [(at, float(rate)) for at, rate in scenario.producers[1].rate_changes] == [
        (1_000_000, 9.5123), (1_500_000, 0.0),
    ]  # fmt: skip


def test_a_batch_has_one_context():
    scenario = scenario_of(client={"release": "5.3.3"}, producers=TRACED | {"batch": 10})
    assert float(scenario.producers[1].rate_per_s) == pytest.approx(1.0, abs=0.01)


def test_a_topic_of_the_scenario_says_where_trace_goes():
    topics = {"orders": {"queues": 2}, "RMQ_SYS_TRACE_TOPIC": {"queues": 1, "message_bytes": "500B"}}
    scenario = scenario_of(client={"release": "5.3.3"}, producers=TRACED | {"topics": ["orders"]}, topics=topics)
    assert scenario.topics["RMQ_SYS_TRACE_TOPIC"].message_bytes.constant_bytes == 500


def test_what_is_read_again_has_the_same_groups():
    scenario = scenario_of(client={"release": "5.3.3"}, producers=TRACED)
    assert parse_scenario(scenario.to_yaml()) == scenario


def test_trace_loads_the_brokers_and_leaves_the_messages_as_they_were():
    run, without = (ran(producers=TRACED | {"trace": has}, client={"release": "4.9.3"}) for has in (True, False))
    groups = run.column("sends", "producer_group")
    assert (groups == "producers-trace").sum() == pytest.approx(3 * 2 * 61, rel=0.15)
    assert (
        run.column("sends", "arrival_us")[groups == "producers"].tolist()
        == without.column("sends", "arrival_us").tolist()
    )


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"client": {"release": "4.3.2"}, "producers": TRACED},
         Says("producer.trace-not-before", release="4.3.2", first="4.4.0")),
        ({"producers": {**TRACED, "rate": None, "arrivals": "closed", "think": "5ms"}},
         Says("producer.trace-of-a-loop")),
        ({"producers": TRACED | {"trace": "yes please"}}, Says("field.flag-expected")),
    ],
)  # fmt: skip
def test_trace_that_cannot_be_is_refused(changes, problem):
    assert refused(**changes) == problem
