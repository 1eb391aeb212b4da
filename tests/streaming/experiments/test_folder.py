"""What was done lies in the folder, is not done again, and is not mixed with another scenario's."""

from __future__ import annotations

import json

import pytest

from simulator.experiments.experiment_runner import cell_totals, experiment, measured
from simulator.experiments.result import ExperimentResult
from simulator.experiments.study import Study
from streaming.errors import InputError
from streaming.experiments import run_experiment
from streaming.experiments.folder import ExperimentFolder
from streaming.experiments.run_experiment import Rounds, recall
from streaming.experiments.task_list import TaskFolder, task_of
from tests.simulator.experiments.small import loaded


def begun(tmp_path, cores=1, **keys):
    """Rounds of an experiment in a new folder, that have asked for their first runs."""
    own = loaded(**keys)
    folder = ExperimentFolder(tmp_path)
    folder.claim(own.arms, own.experiment.warm_up_us, fresh=False)
    result = ExperimentResult(Study(own))
    recall(folder, result)
    rounds = Rounds(result, folder, TaskFolder(tmp_path / "tasks"), cores)
    rounds.tasks.clear()
    rounds.ask()
    return rounds


def handed_out(rounds):
    """The tasks of the round that is under way, as its files have them."""
    files = sorted(rounds.tasks.path.glob(f"round-{rounds.tasks.rounds - 1}/*"))
    return [task_of(line) for file in files for line in file.read_text().splitlines()]


def do(rounds, count=None):
    """Do the first tasks that the rounds ask for, or all until they ask for no more."""
    while rounds.under_way and count != 0:
        task = next(iter(rounds.under_way.values()))
        count = None if count is None else count - 1
        scenario = rounds.result.study.scenario(task.arm).model_copy(update={"seed": task.seed})
        payload = cell_totals(scenario, task.cell, task.warm_up_us).packed()
        rounds.take([(task.arm, task.seed, task.cell, payload)])


def test_the_rounds_give_what_the_experiment_gives_in_one_process(tmp_path):
    rounds = begun(tmp_path, seeds=2)
    do(rounds)
    assert rounds.finished.is_set()
    assert rounds.result.as_json() == experiment(loaded(seeds=2)).as_json()


def test_an_interrupted_experiment_goes_on_where_it_was(tmp_path):
    do(begun(tmp_path, seeds=2), 3)
    again = begun(tmp_path, seeds=2)
    assert [(task.arm, task.seed) for task in handed_out(again)] == [("new", 2)]
    do(again)
    assert again.result.as_json() == experiment(loaded(seeds=2)).as_json()


def test_more_seeds_and_arms_run_only_what_is_new(tmp_path):
    do(begun(tmp_path, seeds=1, arms={"old": {}}))
    more = begun(tmp_path, seeds=2, arms={"old": {}, "new": {"client.release": "5.3.3"}})
    assert [(task.arm, task.seed) for task in handed_out(more)] == [("new", 1), ("old", 2), ("new", 2)]


def test_the_cells_of_a_run_make_one_run(tmp_path):
    rounds = begun(tmp_path, seeds=1, arms={"split": {"cells": 2}})
    do(rounds, 1)
    assert rounds.result.study.values == {}
    do(rounds)
    scenario = rounds.result.study.scenario("split")
    assert rounds.result.study.values["split"][1] == measured(scenario, rounds.result.totals["split"], 0)


def test_a_changed_scenario_is_refused_by_name(tmp_path):
    do(begun(tmp_path, seeds=1))
    told = r"the runs of arm new there are of another scenario \(client\.release: 5\.3\.3 there, 5\.1\.4 now\)"
    with pytest.raises(InputError, match=told):
        begun(tmp_path, seeds=1, arms={"old": {}, "new": {"client.release": "5.1.4"}})


def test_another_warm_up_is_refused(tmp_path):
    do(begun(tmp_path, seeds=1))
    with pytest.raises(InputError, match="warm_up: 0s there, 1s now"):
        begun(tmp_path, seeds=1, warm_up="1s")


def test_a_folder_of_somebody_else_is_refused(tmp_path):
    (tmp_path / "thesis.tex").write_text("")
    with pytest.raises(InputError, match="not empty and not an experiment's"):
        begun(tmp_path)


def test_fresh_removes_the_runs_and_nothing_else(tmp_path):
    do(begun(tmp_path, seeds=1))
    (tmp_path / "notes.txt").write_text("mine")
    own = loaded(seeds=1)
    ExperimentFolder(tmp_path).claim(own.arms, 0, fresh=True)
    assert recall(ExperimentFolder(tmp_path), ExperimentResult(Study(own))) == 0
    assert (tmp_path / "notes.txt").exists()


def test_the_result_is_written_as_json(tmp_path):
    rounds = begun(tmp_path, seeds=1)
    do(rounds)
    rounds.folder.write_result(rounds.result)
    assert json.loads((tmp_path / "result.json").read_text())["verdict"] == rounds.result.verdict


def test_a_round_gives_every_core_as_many_runs(tmp_path, monkeypatch):
    monkeypatch.setattr(run_experiment, "SENDS_A_ROUND", 2_000.0)  # of which the first has 1,000: 2.5 runs of 400
    assert len(handed_out(begun(tmp_path, cores=2, seeds=9))) == 4


def test_an_experiment_that_has_its_answer_was_not_interrupted(tmp_path):
    rounds = begun(tmp_path, arms={"a": {}}, seeds=1)
    rounds.under_way.clear()
    rounds.result.study.take("a", 1, {"p99_ms": 1.0})
    rounds.stop.set()
    rounds.ask()
    assert rounds.finished.is_set()
