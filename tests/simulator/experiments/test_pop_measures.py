"""What experiments measure of POP groups agrees with the table `pops` of the same run."""

from __future__ import annotations

import pytest

from simulator.experiments.experiment_measures import MeasuredRun, measures_of, why_not_measured
from simulator.experiments.words import of_consumers
from simulator.run.run_totals import total_run
from tests.says import Says
from tests.simulator.small import ran_tables, scenario_of

OWN = {"topic": "orders", "count": 3, "threads": 4, "service": "50ms"}
FROZEN = {
    "duration": "30s", "client": {"release": "5.3.3"}, "producers": {"count": 2, "rate": "20/s"},
    "consumers": {"billing": OWN | {"consume_mode": "POP", "pop_invisible_time": "10s", "fails": 0.05}, "audit": OWN},
    "faults": [{"at": "5s", "for": "20s", "consumer": "billing-2", "kind": "hang"}],
}  # fmt: skip


@pytest.fixture(scope="module")
def measures():
    scenario = scenario_of(**FROZEN)
    return measures_of(MeasuredRun(total_run(scenario), scenario, 0))


@pytest.fixture(scope="module")
def run():
    return ran_tables(**FROZEN)


def test_what_was_not_acknowledged_in_time_is_counted_without_what_failed(measures, run):
    late = run.column("pops", "revived").sum() - run.column("pops", "revived_failed").sum()
    assert measures["revived[billing]"] == late > 0


def test_what_comes_again_is_a_share_of_what_was_popped(measures, run):
    again, popped = (run.column("pops", name).sum() for name in ("revived", "popped"))
    assert measures["redelivered_percent[billing]"] == pytest.approx(100 * again / popped)


def test_what_is_invisible_at_the_end_is_that_of_the_last_window(measures, run):
    last = run.column("pops", "window_start_us") == 29_000_000
    assert measures["invisible_at_end[billing]"] == run.column("pops", "invisible")[last].sum() > 0


def test_a_group_that_pulls_has_none_of_them(measures):
    assert "revived[audit]" not in measures
    assert why_not_measured("revived[audit]", scenario_of(**FROZEN), 0) == Says("measure.pulls", group="audit")


@pytest.mark.parametrize("own", [{"consume_mode": "POP"}, {"message_model": "BROADCASTING"}])
def test_a_group_whose_instances_share_no_queues_passes_no_bound_on_their_owners(own):
    scenario = scenario_of(**FROZEN | {"consumers": {"billing": OWN | own}, "duration": "2s", "faults": []})
    found = measures_of(MeasuredRun(total_run(scenario), scenario, 0))
    for name in ("unowned_s[billing]", "double_owned_s[billing]"):
        assert name not in found
        assert why_not_measured(name, scenario, 0) == Says("measure.shares-no-queues", group="billing")


def test_a_group_that_pulls_has_owners(measures):
    assert measures["unowned_s[audit]"] >= 0
    assert why_not_measured("unowned_s[audit]", scenario_of(**FROZEN), 0) is None


def test_an_arm_is_told_with_what_comes_again():
    said = of_consumers("revived[billing]", 4, 0)
    assert said == Says("difference.revived", group="billing", ours=4, theirs=0)
