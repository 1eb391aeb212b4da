"""Copies that are stored out of order, as a measure of runs."""

from __future__ import annotations

from simulator.experiments.experiment_measures import MeasuredRun, measures_of
from simulator.run.run_totals import total_run
from tests.simulator.small import fault, scenario_of

TOPICS = {"orders": {"queues": 2, "keys": {"count": 1}, "check_order": True}}


def measured(warm_up_us: int, **keys: object) -> dict[str, float]:
    scenario = scenario_of(
        producers={"mode": "async", **keys}, topics=TOPICS, duration="4s",
        client={"send_latency_fault_enable": False}, faults=[fault("refuse", "200ms", "600ms")],
    )  # fmt: skip
    return measures_of(MeasuredRun(total_run(scenario, warm_up_us), scenario, warm_up_us))


def test_what_is_out_of_order_in_the_warm_up_is_discarded():
    assert [measured(warm_up_us, rate="1900/s")["out_of_order"] > 100 for warm_up_us in (0, 3_000_000)] == [True, False]


def test_without_messages_after_the_warm_up_it_is_not_measured():
    late = {"rate": "1900/s", "rate_changes": {"2s": "0/s"}}
    assert "out_of_order" not in measured(3_000_000, **late)
