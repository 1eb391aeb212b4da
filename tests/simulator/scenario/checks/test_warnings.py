"""Warnings of a scenario that can be run: what never happens, and who is overloaded, with the figure."""

from __future__ import annotations

import pytest

from simulator.scenario.checks.utilisation import broker_utilisation
from simulator.scenario.checks.warnings import warnings_of
from tests.says import Says
from tests.simulator.small import fault, ran, scenario_of

TWO = {name: {"latency": {"constant": "10ms"}, "send_threads": 2} for name in ("a", "b")}  # 200/s each


def load(rate, **changes):
    return scenario_of(producers={"count": 10, "threads": 4, "rate": rate}, brokers=TWO, **changes)


def test_a_scenario_that_is_fine_has_no_warning():
    assert warnings_of(scenario_of()) == []


def test_a_fault_and_a_rate_after_the_end_never_happen():
    scenario = scenario_of(producers={"rate_changes": {"3s": "20/s"}}, faults=[fault("hang", "5s", "1s")])
    assert warnings_of(scenario) == [
        Says("warning.fault-after-end", fault=scenario.faults_after_end()[0].title, at="5s", end="2s"),
        Says("warning.rate-after-end", group="producers", rate="20/s", at="3s", end="2s"),
    ]


def test_a_rolling_restart_that_does_not_finish_says_how_far_it_gets():
    rolling = {"at": "1s", "kind": "rolling_restart", "broker": "all", "each": "4s", "pause": "1s"}
    assert warnings_of(scenario_of(duration="10s", faults=[rolling])) == [
        Says("warning.restart-unfinished", at="1s", done=2, brokers=3, needed="14s", given="9s")
    ]
    assert warnings_of(scenario_of(duration="15s", faults=[rolling])) == []


def test_a_broker_that_gets_more_than_it_serves_is_named_with_its_utilisation():
    assert warnings_of(load("50/s")) == [
        Says("warning.overloaded", brokers="a, b", utilisation="1.25", rate=250, threads=2, served=200, when="")
    ]


def test_what_is_enough_is_not_enough_with_one_broker_gone():
    assert warnings_of(load("30/s")) == [
        Says("warning.overloaded-with-one-gone", gone="a", brokers="b", utilisation="1.50", rate=300, served=200)
    ]


def test_the_peak_counts_and_its_moment_is_reported():
    scenario = load("5/s", duration="20s")
    peak = scenario_of(
        duration="20s", brokers=TWO,
        producers={"count": 10, "threads": 4, "rate": "5/s", "rate_changes": {"10s": "60/s", "15s": "5/s"}},
    )  # fmt: skip
    assert warnings_of(scenario) == []
    at_peak = Says("warning.overloaded", brokers="a, b", utilisation="1.50", since="10s", rate=300)
    assert warnings_of(peak)[0] == at_peak


def test_a_group_whose_threads_cannot_send_its_rate_is_named():
    scenario = scenario_of(producers={"threads": 2, "rate": "300/s"}, brokers=TWO | {"c": TWO["a"]})
    assert warnings_of(scenario)[-1] == Says(
        "warning.rate-not-reached", group="producers", utilisation="1.50", rate="300/s", threads=2, most="200.0"
    )


@pytest.mark.parametrize(("rate", "over"), [("18/s", False), ("22/s", True)])
def test_above_a_utilisation_of_1_the_simulated_queue_grows(rate, over):
    brokers = {"a": {"latency": {"constant": "10ms"}, "send_threads": 2, "fast_failure": False}}
    changes = {"producers": {"count": 10, "threads": 50, "rate": rate}, "brokers": brokers, "duration": "20s"}
    assert (broker_utilisation(scenario_of(**changes))["a"].utilisation > 1) is over
    latencies = ran(**changes).column("sends", "latency_us")
    assert bool(latencies[-50:].mean() > 500_000) is over


def test_local_transactions_that_outlast_the_run_are_named_without_a_delay_too():
    longer = {"local": {"constant": "1m"}, "outcome": "commit", "check": "commit"}
    consumers = {"billing": {"topic": "orders", "service": "1ms"}}
    scenario = scenario_of(producers={"rate": "1/min", "transaction": longer}, consumers=consumers)
    assert Says("warning.never-decided", group="producers", end="2s") in warnings_of(scenario)
