"""A whole experiment in this process, without Spark: `simulator.experiment(...)`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from simulator.experiments.experiment_file import LoadedExperiment, load_experiment
from simulator.experiments.experiment_measures import MeasuredRun, measures_of
from simulator.experiments.result import ExperimentResult
from simulator.experiments.study import RunKey, Study
from simulator.plan.compile import compile_scenario
from simulator.run.run_totals import Totals, queue_ids, total_cell, total_run
from simulator.scenario import Scenario
from simulator.scenario.loading.scenario_file import NONE
from simulator.scenario.policy.policy_check import check_policy


def cell_totals(scenario: Scenario, cell: int, warm_up_us: int) -> Totals:
    """What one cell of a run comes to."""
    plan = compile_scenario(scenario)
    return total_cell(plan, plan.cells[cell], queue_ids(scenario), warm_up_us)


def measured(scenario: Scenario, totals: Totals, warm_up_us: int) -> dict[str, float]:
    """The measures of a whole run."""
    return measures_of(MeasuredRun(totals, scenario, warm_up_us))


def experiment(
    source: LoadedExperiment | str | Path,
    *,
    changes: Mapping[str, str] = NONE,
    seeds: int | None = None,
    on_run: Callable[[RunKey, ExperimentResult], None] = lambda key, result: None,
) -> ExperimentResult:
    """Run an experiment (or its file) to its answer, one run after the other.

    `changes` are dotted keys and YAML values for all arms, `seeds` replaces the file's. Raises ScenarioError, also for
    a policy of your own that breaks a rule.
    """
    loaded = source if isinstance(source, LoadedExperiment) else load_experiment(source, changes, seeds)
    for scenario in loaded.arms.values():
        check_policy(scenario.client.policy)
    result, warm_up_us = ExperimentResult(Study(loaded)), loaded.experiment.warm_up_us
    while keys := result.study.wanted():
        for key in keys:
            scenario = result.study.scenario_of_run(key.arm, key.seed)
            totals = total_run(scenario, warm_up_us)
            result.add(key.arm, key.seed, measured(scenario, totals, warm_up_us), totals)
            on_run(key, result)
    return result
