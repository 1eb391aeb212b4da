"""A fault within another of the same place changes no row: producers and consumers meet the outer one alone."""

from __future__ import annotations

import pytest

from tests.simulator.hashed import hashes_of
from tests.simulator.small import ran_tables, rows

BASE = {
    "duration": "150s",
    "window": "10s",
    "client": {"release": "5.3.3"},
    "producers": {"count": 4, "rate": "25/s"},
    "topics": {"orders": {"queues": 4}},
    "brokers": {"a": {"latency": {"constant": "1ms"}}, "b": {"like": "a"}},
    "consumers": {"billing": {"topic": "orders", "count": 2, "threads": 4, "service": "50ms"}},
}
SLOW_GROUP = {"billing": BASE["consumers"]["billing"] | {"service": "100ms", "pull_threshold_for_queue": 10}}


def struck(kind, at, until, **keys):
    return {"at": f"{at}s", "for": f"{until - at}s", "kind": kind} | (keys or {"broker": "all"})


def run(*faults, **keys):
    return ran_tables(**BASE | keys, faults=list(faults))


@pytest.mark.parametrize("kind", ["hang", "kill", "power_loss", "silent_death", "refuse"])
def test_a_fault_of_brokers_within_another_changes_no_row(kind):
    outer = struck(kind, 60, 120)
    both = run(outer, struck("hang" if kind == "hang" else "kill" if kind == "power_loss" else kind, 75, 90))
    assert hashes_of(both.tables) == hashes_of(run(outer).tables)


def test_a_killed_broker_behind_a_cut_refuses_nothing():
    found = run(struck("silent_death", 60, 120, broker="a"), struck("kill", 75, 90, broker="a"))
    meanwhile = [row for row in rows(found, "attempts", broker="a") if 61e6 < row["begin_us"] < 115e6]
    assert meanwhile
    assert min(row["end_us"] - row["begin_us"] for row in meanwhile) > 1_000_000


@pytest.mark.parametrize("faults", [[(60, 120), (75, 90)], [(60, 90), (75, 120)], [(60, 90), (90, 120)]])
@pytest.mark.parametrize("kind", ["hang", "kill"])
def test_consumers_get_nothing_until_brokers_are_back_from_both_faults(faults, kind):
    both = run(*(struck(kind, *span) for span in faults), consumers=SLOW_GROUP)
    assert hashes_of(both.tables) == hashes_of(run(struck(kind, 60, 120), consumers=SLOW_GROUP).tables)
    assert sum(row["consumed"] for row in rows(both, "consumer_windows") if 70e6 <= row["window_start_us"] < 120e6) == 0


@pytest.mark.parametrize("kind", ["stop", "kill", "hang"])
def test_an_instance_that_two_faults_strike_is_back_once(kind):
    two = run(struck(kind, 60, 90, consumer="billing"), struck(kind, 75, 120, consumer="billing"))
    assert hashes_of(two.tables) == hashes_of(run(struck(kind, 60, 120, consumer="billing")).tables)


def test_failures_go_on_until_the_last_fault_is_over():
    found = run(struck("fail", 60, 90, consumer="billing"), struck("fail", 75, 120, consumer="billing"))
    failed = {row["window_start_us"] // 10**6 for row in rows(found, "consumer_windows") if row["failed"] > 0}
    assert failed == set(range(60, 130, 10)) - {120}


@pytest.mark.parametrize(
    ("faults", "least_us"),
    [
        ([{"kind": "slow", "factor": 10}] * 2, 100_000),
        ([{"kind": "slow", "factor": 10}, {"kind": "slow", "factor": 2}], 20_000),
        ([{"kind": "slow_link", "delay": "50ms"}] * 2, 101_000),
        ([{"kind": "slow_link", "delay": "50ms"}, {"kind": "slow_link", "delay": "51ms"}], 102_000),
    ],
)
def test_effects_add_up_whether_faults_are_alike_or_not(faults, least_us):
    faults = [{"at": "5s", "for": "10s", "broker": "all"} | fault for fault in faults]
    found = run(*faults, duration="10s", producers={"count": 1, "rate": "2/s"})
    took = {row["end_us"] - row["begin_us"] for row in rows(found, "attempts") if row["begin_us"] > 6_000_000}
    assert took == {least_us}


def test_packets_lost_for_two_equal_reasons_are_lost_twice_as_often():
    def late(*probabilities):
        faults = [struck("packet_loss", 10, 60, broker="all", probability=one) for one in probabilities]
        found = run(*faults, duration="60s", producers={"count": 4, "threads": 8, "rate": "25/s"})
        took = [row["end_us"] - row["begin_us"] for row in rows(found, "attempts") if row["begin_us"] > 10_000_000]
        return sum(us > 100_000 for us in took) / len(took)

    assert late(0.1, 0.1) == pytest.approx(0.19, rel=0.1)
    assert late(0.1) == pytest.approx(0.1, rel=0.1)
