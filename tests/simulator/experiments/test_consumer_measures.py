"""What experiments measure of consumers agrees with the tables of the same run."""

from __future__ import annotations

import math

import pytest

from simulator.experiments.experiment_measures import MeasuredRun, known_measures, measures_of, why_not_measured
from simulator.run.run_totals import total_run
from tests.says import Says
from tests.simulator.small import ran_tables, scenario_of

KILLED = {
    "duration": "60s", "producers": {"count": 4, "rate": "40/s"}, "topics": {"orders": {"queues": 2}},
    "consumers": {"billing": {"topic": "orders", "count": 3, "threads": 4, "service": "50ms", "release": "5.3.3"}},
    "faults": [{"at": "20s", "for": "20s", "consumer": "billing-2", "kind": "kill"}],
}  # fmt: skip


@pytest.fixture(scope="module")
def measures():
    scenario = scenario_of(**KILLED)
    return measures_of(MeasuredRun(total_run(scenario), scenario, 0))


@pytest.fixture(scope="module")
def run():
    return ran_tables(**KILLED)


def test_the_largest_lag_is_that_of_the_table(measures, run):
    lag = run.column("stored", "lag").reshape(60, -1).sum(axis=1)
    assert measures["lag_max[billing]"] == lag.max()


def test_what_is_consumed_twice_is_counted(measures, run):
    again = (run.column("consumed", "times") > 1).sum()
    assert measures["consumed_twice_percent[billing]"] == pytest.approx(
        100 * again / len(run.column("consumed", "times"))
    )


def test_percentiles_are_those_of_first_consumptions(measures, run):
    first = run.column("consumed", "times") == 1
    took = (run.column("consumed", "end_us") - run.column("consumed", "arrival_us"))[first]
    middle = sorted(took)[len(took) // 2] / 1000
    assert measures["end_to_end_p50_ms[billing]"] == pytest.approx(middle, rel=0.02)


def test_a_kill_is_drained_after_it(measures):
    assert 0 <= measures["drain_s[billing]"] < 20 or math.isinf(measures["drain_s[billing]"])


def test_a_measure_of_consumer_groups_is_known_with_its_group_alone():
    scenario = scenario_of(consumers={"billing": {"topic": "orders", "service": "1ms"}})
    assert [name for name in known_measures(scenario) if name.startswith("lag_max")] == ["lag_max[billing]"]


def test_without_consumers_there_is_nothing_to_measure_of_them():
    scenario = scenario_of()
    assert "lag_max" in known_measures(scenario)
    assert why_not_measured("lag_max", scenario, 0) == Says("measure.no-consumers")


QUIET = {
    "duration": "10s", "producers": {"count": 4, "rate": "40/s", "topics": ["orders"]},
    "topics": {"orders": {"queues": 2}, "quiet": {"queues": 2}},
}  # fmt: skip


@pytest.mark.parametrize("mode", ["CONCURRENTLY", "ORDERLY", "POP"])
def test_nothing_is_measured_of_messages_of_a_group_that_got_none(mode):
    own = {"topic": "quiet", "service": "1ms", "release": "5.3.3", "consume_mode": mode}
    scenario = scenario_of(**QUIET | {"consumers": {"audit": own, "billing": own | {"topic": "orders"}}})
    found = measures_of(MeasuredRun(total_run(scenario), scenario, 0))
    of_queues = {"unowned_s[audit]", "double_owned_s[audit]"} if mode != "POP" else set()
    known = {name for name in found if name.endswith("[audit]")}
    assert known == {"instances_mean[audit]", "instances_changed[audit]"} | of_queues
    assert found["missed[billing]"] == found["skipped[billing]"] == 0


def test_a_group_that_filters_everything_out_got_messages():
    own = {"topics": {"orders": "paid"}, "service": "1ms"}
    topics = {"orders": {"queues": 2, "tags": {"new": 1_000_000, "paid": 1}}}
    scenario = scenario_of(**QUIET | {"topics": topics, "consumers": {"audit": own}})
    found = measures_of(MeasuredRun(total_run(scenario), scenario, 0))
    assert (found["missed[audit]"], "consumed_twice_percent[audit]" in found) == (0, False)


STEP = {"rate": "60/s", "rate_changes": {"30s": "20/s"}, "count": 4}


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"faults": []}, Says("measure.neither-edge")),
        (
            {"faults": [{"at": "50s", "for": "20s", "consumer": "billing-2", "kind": "kill"}]},
            Says("measure.edge-after-end"),
        ),
        ({"faults": [], "producers": STEP}, None),
        ({}, None),
    ],
)
def test_a_drain_is_counted_from_a_fault_or_a_step_down_and_never_left_out_without_a_reason(changes, why):
    scenario = scenario_of(**KILLED | changes)
    assert why_not_measured("drain_s[billing]", scenario, 0) == why
    run = measures_of(MeasuredRun(total_run(scenario), scenario, 0))
    assert ("drain_s[billing]" in run) == (why is None)


def test_a_backlog_of_a_load_drains_from_its_step_down():
    slow = {"billing": KILLED["consumers"]["billing"] | {"count": 1, "threads": 9}}
    scenario = scenario_of(**KILLED | {"faults": [], "producers": STEP, "consumers": slow})
    # 240/s come for 30 s and 180/s are consumed: 1,800 are left, and 80/s come from then on
    assert measures_of(MeasuredRun(total_run(scenario), scenario, 0))["drain_s[billing]"] == pytest.approx(17, abs=2)


FAILING = {
    "duration": "60s", "brokers": {"a": {"latency": {"constant": "2ms"}, "message_delay_level": "1s 1s 1s 1s 1s"}},
    "consumers": {"billing": KILLED["consumers"]["billing"] | {"max_reconsume_times": 2}},
    "faults": [{"at": "20s", "for": "10s", "consumer": "billing", "kind": "fail"}],
}  # fmt: skip


def test_dead_letters_and_retries_are_those_of_the_table():
    scenario, run = scenario_of(**FAILING), ran_tables(**FAILING)
    found = measures_of(MeasuredRun(total_run(scenario), scenario, 0))
    result = run.tables["consumed"].column("result").to_pylist()
    assert found["dead_letters[billing]"] == result.count("dead letter") > 50
    assert found["retried_percent[billing]"] == pytest.approx(100 * result.count("sent back") / len(result))


OTHER_KINDS = {
    "in order": {"consume_mode": "ORDERLY", "release": "5.3.3", "max_reconsume_times": 2},
    "pop": {"consume_mode": "POP", "release": "5.3.3"},
    "FIFO": {"consume_mode": "ORDERLY", "grpc": {"release": "5.0.8"}, "max_reconsume_times": 2},
}


def failing(kind, **fails):
    own = {"topic": "orders", "count": 3, "threads": 4, "service": "5ms"} | OTHER_KINDS[kind] | fails
    proxies = {"proxies": {"count": 1}} if "grpc" in own else {}
    return KILLED | {"faults": [], "consumers": {"billing": own}} | proxies


@pytest.mark.parametrize("kind", ["in order", "FIFO"])
def test_dead_letters_are_those_of_the_table_in_order_and_over_grpc(kind):
    changes = failing(kind, fails=0.1, fails_always=0.02)
    result = ran_tables(**changes).tables["consumed"].column("result").to_pylist()
    found = measures_of(MeasuredRun(total_run(scenario_of(**changes)), scenario_of(**changes), 0))
    assert found["dead_letters[billing]"] == result.count("dead letter") > 5


def test_what_comes_again_in_place_is_retried():
    changes = failing("in order", fails=0.1, fails_always=0.02)
    result = ran_tables(**changes).tables["consumed"].column("result").to_pylist()
    found = measures_of(MeasuredRun(total_run(scenario_of(**changes)), scenario_of(**changes), 0))
    again = result.count("again in place")
    assert found["retried_percent[billing]"] == pytest.approx(100 * again / len(result))
    assert again > 50


def test_dead_letters_of_a_fifo_group_are_never_handled():
    scenario = scenario_of(**failing("FIFO", fails_always=0.05))
    found = measures_of(MeasuredRun(total_run(scenario), scenario, 0))
    assert found["end_to_end_p99_ms[billing]"] == math.inf


@pytest.mark.parametrize(
    ("kind", "measure"), [("pop", "retried_percent"), ("FIFO", "retried_percent"), ("pop", "dead_letters")]
)
def test_what_is_not_counted_of_a_group_that_pops_is_refused(kind, measure):
    why = why_not_measured(f"{measure}[billing]", scenario_of(**failing(kind, fails=0.1)), 0)
    assert why == Says("measure.pops", measure=measure, group="billing")


def test_a_warm_up_discards_its_dead_letters():
    scenario = scenario_of(**FAILING)
    found = measures_of(MeasuredRun(total_run(scenario, 40_000_000), scenario, 40_000_000))
    assert found["dead_letters[billing]"] == found["retried_percent[billing]"] == 0


def test_a_group_that_handles_every_message_has_no_count_of_dead_letters(measures):
    assert "dead_letters[billing]" not in measures
    why = why_not_measured("dead_letters[billing]", scenario_of(**KILLED), 0)
    assert why == Says("measure.handles-all", group="billing")
    assert why_not_measured("dead_letters[billing]", scenario_of(**FAILING), 0) is None
