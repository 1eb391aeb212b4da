"""Distributions that are added to a service at once: every request meets an independent draw of each."""

from __future__ import annotations

import numpy as np
import pytest

from simulator.engine.memory.periods_table import ADDED, ADDED_SCALE
from simulator.kernel.latency import mean_us
from simulator.plan.faults.added_latencies import summed
from simulator.plan.timetable import PlannedPeriod
from simulator.scenario import Latency
from tests.simulator.small import ran, rows

PPM = 1_000_000


def table(**distribution):
    return Latency.model_validate(distribution).service_table_us()


def period(at, until, number, part=PPM):
    return PlannedPeriod(at, until, 0, ADDED, number * ADDED_SCALE + part)


def sum_of(*tables, part=PPM):
    found, added = summed([period(0, 10, number, part) for number in range(len(tables))], tables)
    assert [(one.at_us, one.until_us, one.value // ADDED_SCALE) for one in found] == [(0, 10, len(tables))]
    return added[-1]


def test_constants_add_up_exactly():
    assert set(sum_of(table(constant="10ms"), table(constant="11ms")).tolist()) == {21_000}
    assert set(sum_of(*[table(constant="10ms")] * 3, part=PPM // 2).tolist()) == {15_000}


def test_means_and_variances_add_up():
    slow, slower = table(exponential={"mean": "4ms"}), table(exponential={"mean": "10ms"})
    both = sum_of(slow, slower)
    assert mean_us(both) == pytest.approx(14_000, rel=0.005)
    draws = np.random.default_rng(1)
    drawn = np.sort(draws.exponential(4_000, 200_000) + draws.exponential(10_000, 200_000))
    assert both[2048] == pytest.approx(drawn[100_000], rel=0.01)
    assert both[5507] == pytest.approx(drawn[198_000], rel=0.03)  # p99


def test_each_holds_alone_before_and_after():
    tables = [table(constant="10ms"), table(constant="11ms")]
    found, added = summed([period(0, 10, 0), period(5, 20, 1)], tables)
    assert [(one.at_us, one.until_us, one.value // ADDED_SCALE) for one in found] == [
        (0, 5, 0),
        (5, 10, 2),
        (10, 20, 1),
    ]
    assert len(added) == 3


@pytest.mark.parametrize(("latencies", "took_us"), [(["10ms", "11ms"], 22_000), (["10ms", "10ms"], 21_000)])
def test_a_broker_that_is_slow_for_two_reasons_takes_both_times_longer(latencies, took_us):
    faults = [
        {"at": "1s", "for": "9s", "broker": "all", "kind": "slow", "latency": {"constant": one}} for one in latencies
    ]
    brokers = {"a": {"latency": {"constant": "1ms"}}}
    found = rows(ran(duration="5s", brokers=brokers, faults=faults), "attempts")
    assert {row["end_us"] - row["begin_us"] for row in found if row["begin_us"] > 2_000_000} == {took_us}
