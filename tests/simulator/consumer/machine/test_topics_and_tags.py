"""Groups that read several topics, and of a topic only some tags."""

from __future__ import annotations

import numpy as np
import pytest

from simulator.scenario import ScenarioError
from tests.says import Said, Says
from tests.simulator.small import ran_tables, rows, scenario_of

BROKER = {"a": {"latency": {"constant": "1ms"}}}
TAGGED = {"orders": {"queues": 2, "tags": {"new": 3, "paid": 1}}}
ALL = {"threads": 4, "service": "5ms", "release": "5.3.3"}


def read(tags, /, **changes):
    """A run of twenty seconds whose only group reads those tags of one topic."""
    group = ALL | {"topics": {"orders": tags}}
    base = {"duration": "20s", "producers": {"rate": "40/s"}, "brokers": BROKER, "topics": TAGGED}
    return ran_tables(**(base | changes), consumers={"billing": group})


def refused(**changes):
    """The sentences about a group with those keys."""
    with pytest.raises(ScenarioError) as found:
        scenario_of(topics=TAGGED | {"refunds": {}}, consumers={"billing": ALL | changes})
    return Said(found.value)


def test_an_instance_holds_its_share_of_each_topic():
    both = ALL | {"topics": ["orders", "refunds"], "count": 2}
    topics = {"orders": {"queues": 4}, "refunds": {"queues": 2}}
    run = ran_tables(duration="3s", brokers=BROKER, topics=topics, consumers={"billing": both})
    owned = [(row["topic"], row["queue_id"]) for row in rows(run, "assignments", instance="billing-1")]
    assert sorted(owned) == [("orders", 0), ("orders", 1), ("refunds", 0)]


def test_a_group_consumes_all_of_its_topics():
    both = ALL | {"topics": ["orders", "refunds"]}
    topics = {"orders": {"queues": 2}, "refunds": {"queues": 2}}
    producers = {"rate": "40/s", "topics": {"orders": 3, "refunds": 1}}
    run = ran_tables(duration="20s", producers=producers, topics=topics, consumers={"billing": both})
    for topic in topics:
        sent = (run.column("sends", "topic") == topic).sum()
        assert sent - 2 <= len(rows(run, "consumed", topic=topic)) <= sent
    assert sum(row["lag"] for row in rows(run, "stored", window_start_us=19_000_000)) <= 2


def test_a_group_gets_the_tags_of_its_expression_in_their_share():
    run = read("paid || refused")
    got = len(rows(run, "consumed"))
    assert got == pytest.approx(run.sends.num_rows / 4, rel=0.15)
    assert len(rows(read("new"), "consumed")) == pytest.approx(run.sends.num_rows - got, abs=4)


def test_messages_of_other_tags_are_no_backlog_once_the_group_is_past_them():
    run = read("paid", producers={"rate": "40/s", "rate_changes": {"10s": "0.001/s"}})
    lags = run.column("stored", "lag").reshape(20, -1).sum(axis=1)
    assert lags[9] <= 40 * 5.1  # what was appended since the broker's last look
    assert lags[19] == 0


def test_a_message_of_another_tag_does_not_end_a_hold():
    tagged = {"orders": {"queues": 1, "tags": {"new": 10_000, "paid": 1}}}
    run = read("paid", topics=tagged)
    assert len(rows(run, "consumed")) <= 1
    steps = np.diff(run.column("stored", "lag"))
    # the broker's look of every five seconds ends it, and the group is past all of them at once
    assert (steps < -150).sum() == 3


def test_a_tag_with_the_code_of_another_is_passed_by_the_broker_and_dropped_by_the_client():
    run = read("Aa", topics={"orders": {"queues": 1, "tags": ["Aa", "BB"]}})
    assert len(rows(run, "consumed")) == pytest.approx(run.sends.num_rows / 2, rel=0.15)
    assert run.column("stored", "lag")[-1] <= 1


def test_threads_are_at_a_tag_for_its_own_time():
    run = read({"service_of_tags": {"paid": "7ms"}, "service": "3ms"})
    took = run.column("consumed", "end_us") - run.column("consumed", "begin_us")
    assert set(took.tolist()) == {3_000, 7_000}
    assert (took == 7_000).mean() == pytest.approx(0.25, abs=0.04)


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        (
            {"topics": {"orders": "payed"}},
            Says("consumer.matches-nothing", tags='"payed"', topic="orders", known="new, paid"),
        ),
        ({"topics": {"refunds": "paid"}}, Says("consumer.matches-no-tags", tags='"paid"', topic="refunds")),
        ({"topics": {"orders": "|| ||"}}, Says("consumer.matches-nothing", tags='"|| ||"')),
        ({"topics": {"orders": "||"}}, Says("consumer.client-refuses", tags='"||"')),
        ({"topics": ["order"]}, Says("reading.not-known", name="order", near="orders")),
        ({"topics": {"orders": {"service_of_tags": {"payed": "5ms"}}}}, Says("reading.not-known", near="paid")),
        ({"topic": "orders", "topics": ["refunds"]}, Says("consumer.topic-and-topics")),
        ({}, Says("consumer.topic-missing")),
    ],
)
def test_what_cannot_be_read_is_reported_in_a_sentence(keys, sentence):
    assert sentence in refused(**keys)
