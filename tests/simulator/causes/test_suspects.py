"""The suspects of a scenario, and the scenario without each."""

from __future__ import annotations

import numpy as np
import pytest

from simulator.causes.demand import demand_of
from simulator.causes.fault_numbers import numbered_faults
from simulator.causes.suspect import scenario_without
from simulator.causes.suspects import suspects_of
from simulator.plan.compile import compile_scenario
from simulator.run.simulate import simulate_plan
from simulator.scenario import parse_scenario
from tests.says import Says

BASE = """
name: suspects
duration: 90s
seed: 5
client: {release: 4.9.8}
producers: {group: shop, count: 4, threads: 2, rate: 25/s, rate_changes: {30s: 50/s, 60s: 25/s}}
topics: {orders: {queues: 4}}
brokers: {broker-a: {latency: {constant: 1ms}}, broker-b: {like: broker-a}, broker-c: {like: broker-a}}
consumers: {billing: {topic: orders, count: 2, threads: 4, service: {constant: 60ms}}}
faults:
  - {at: 20s, for: 10s, broker: {any: 1}, kind: hang}
  - {at: 40s, for: 10s, broker: {any: 1}, kind: kill}
  - {at: 200s, for: 10s, broker: broker-a, kind: kill}
"""


def scenario(**changes):
    text = BASE
    for old, new in changes.items():
        text = text.replace(old, new)
    return parse_scenario(text)


def test_faults_are_numbered_in_the_order_of_the_scenario_but_for_those_that_never_happen():
    assert {number: place for number, (place, _) in numbered_faults(scenario()).items()} == {"F1": 0, "F2": 1}


def test_faults_rises_of_rates_and_groups_that_are_too_small_are_candidates():
    found = {one.id: one.text for one in suspects_of(scenario())}
    assert list(found) == ["F1", "F2", "rate shop 0:30", "threads billing"]
    assert found["threads billing"] == Says("suspect.too-small", group="billing", load="200/s", capacity="133/s")


def test_a_group_that_keeps_up_is_none():
    assert demand_of(scenario(**{"60ms": "30ms"}), "billing") is None


@pytest.mark.parametrize("left_out", ["F1", "F2"])
def test_a_fault_that_is_left_out_leaves_the_others_their_brokers(left_out):
    whole = scenario()
    other = {"F1": "F2", "F2": "F1"}[left_out]
    without = scenario_without(whole, [one for one in suspects_of(whole) if one.id == left_out])
    kept = numbered_faults(whole)[other][1]
    assert without.fault_periods() == kept


def test_what_happens_before_what_is_left_out_stays_the_same():
    whole = scenario()
    for suspect in suspects_of(whole):
        own = scenario_without(whole, [suspect])
        rows = [simulate_plan(compile_scenario(one), one, ("sends",)).sends for one in (whole, own)]
        before = [np.asarray(table.column("end_us")) for table in rows]
        until = suspect.from_us
        first, second = (ends[ends < until] for ends in before)
        assert np.array_equal(np.sort(first), np.sort(second)), suspect.id


def test_an_instance_that_joins_never_comes_without_its_fault():
    joins = scenario(**{"{at: 20s, for: 10s, broker: {any: 1}, kind: hang}":
                        "{at: 20s, consumer: billing-2, kind: scale_out}"})  # fmt: skip
    without = scenario_without(joins, [suspects_of(joins)[0]])
    assert [period.at_us for period in without.fault_periods() if period.kind == "scale_out"] == [89_999_999]


def test_a_backlog_of_before_is_a_suspect():
    behind = scenario(**{"billing: {": "billing: {backlog: 5000, "})
    (suspect,) = [one for one in suspects_of(behind) if one.id == "backlog billing"]
    assert scenario_without(behind, [suspect]).consumers["billing"].backlog is None


def test_a_broker_that_is_too_slow_for_the_load_of_another_is_a_suspect():
    slow = scenario(**{"broker-b: {like: broker-a}": "broker-b: {latency: {constant: 40ms}, send_threads: 4}"})
    texts = {one.id: one.text for one in suspects_of(slow)}
    slow = Says("suspect.too-slow", broker="broker-b", load="100/s", capacity="100/s")
    assert texts["send_threads broker-b"] == slow
