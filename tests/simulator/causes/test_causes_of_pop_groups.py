"""What stands out of a POP group, and its causes: an instance, a listener, a broker without its timer wheel."""

from __future__ import annotations

import pytest

from simulator.causes.proof import prove
from simulator.causes.suspects import suspects_of
from simulator.scenario import parse_scenario

BASE = """
name: a POP group
duration: 40s
seed: 5
client: {release: 5.3.3}
producers: {group: shop, count: 2, threads: 4, rate: 10/s}
topics: {orders: {queues: 4}}
brokers:
  broker-a: {latency: {constant: 1ms}, release: 5.3.3}
  broker-b: {like: broker-a}
consumers:
  billing: {topic: orders, count: 3, threads: 20, service: 1s, consume_mode: POP, pop_invisible_time: 10s}
faults:
  - {at: 5s, for: 20s, consumer: billing-2, kind: hang}
  - {at: 30s, for: 1s, consumer: billing-3, kind: hang}
"""
SLOW = {"service: 1s": "service: {table: {p0: 1s, p99: 2s, p100: 25s}}", "consumer: billing-2": "consumer: billing-3"}


def found(kind, **changes):
    text = BASE
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    return [one for one in prove(parse_scenario(text)).answer() if one.kind == kind]


def test_what_a_frozen_instance_had_comes_again_because_of_it():
    (one,) = found("revived")
    assert (one.place, one.because, one.proven) == ("billing", ("F1",), True)
    assert one.from_us >= 16_000_000
    assert one.size > one.without["F1"] == 0


def test_messages_that_failed_are_no_such_messages():
    healthy = {
        "kind: hang": "kind: fail",
        "consumer: billing-2": "consumer: billing",
        "consumer: billing-3": "consumer: billing",
    }
    assert found("revived", **healthy) == []
    assert found("failed_deliveries", **healthy)


def test_listeners_that_take_longer_than_the_invisible_time_are_a_cause():
    slow = found("revived", **SLOW)
    assert "invisible billing" in {name for one in slow for name in one.because}


def test_the_invisible_time_is_a_suspect_only_where_a_listener_can_take_longer():
    names = [one.id for one in suspects_of(parse_scenario(BASE))]
    assert names == ["F1", "F2"]


@pytest.mark.parametrize("mode", ["POP", "CONCURRENTLY"])
def test_a_broker_without_its_timer_wheel_refuses_pops_and_no_pulls(mode):
    changes = {"release: 5.3.3}\n  broker-b": "release: 5.3.3, timer_wheel_enable: false}\n  broker-b"}
    pulling = {} if mode == "POP" else {"consume_mode: POP": "consume_mode: CONCURRENTLY"}
    assert [one.place for one in found("refused_pops", **changes, **pulling)] == ["billing"] * (mode == "POP")


def test_what_an_instance_had_is_lost_to_a_group_whose_brokers_do_not_revive_what_is_younger_than_its_pop():
    own = {"release: 5.3.3}\n  broker-b": "release: 5.2.0, pop_latency: 200ms}\n  broker-b", "kind: hang": "kind: kill"}
    lost = found("lost_pops", **own)
    assert {(one.place, one.proven) for one in lost} == {("billing", True)}
    assert {name for one in lost for name in one.because} <= {"F1", "F2"}
    assert found("lost_pops", **{"kind: hang": "kind: kill"}) == []


@pytest.mark.parametrize("kind", ["revived", "consumed_twice"])
def test_what_a_frozen_instance_or_a_dead_broker_leaves_is_not_blamed_on_listeners_that_are_seldom_slow(kind):
    seldom = {"service: 1s": "service: {table: {p0: 1s, p99: 2s, p99.999: 3s, p100: 25s}}"}
    slow = {name for one in found(kind, **seldom) for name in one.because}
    assert "F1" in slow
    assert "invisible billing" not in slow
