"""What was done lies in the folder, is not done again, and is not mixed with another scenario's."""

from __future__ import annotations

import errno
import json
from unittest.mock import Mock

import pyarrow.parquet as pq
import pytest

from simulator.experiments.experiment_runner import cell_totals, experiment, measured
from simulator.experiments.result import ExperimentResult
from simulator.experiments.study import Study
from streaming.errors import EnvironmentProblem, InputError
from streaming.experiments import folder
from streaming.experiments.folder import ExperimentFolder
from streaming.experiments.rounds import Rounds
from streaming.experiments.run_experiment import recall
from streaming.experiments.task_list import TaskFolder, leave, task_of
from tests.says import Says, raises
from tests.simulator.experiments.small import loaded
from tests.streaming.asked import NOBODY


def begun(tmp_path, **keys):
    """Rounds of an experiment in a new folder, that have asked for their first runs."""
    own = loaded(**keys)
    folder = ExperimentFolder(tmp_path)
    folder.claim(own.arms, own.experiment.warm_up_us, fresh=False)
    result = ExperimentResult(Study(own))
    recall(folder, result)
    rounds = Rounds(result, folder, TaskFolder(tmp_path / "tasks"))
    rounds.tasks.clear()
    rounds.ask()
    return rounds


def handed_out(rounds):
    """The tasks of the round that is under way, as its files have them."""
    files = sorted(rounds.tasks.path.glob(f"round-{rounds.tasks.rounds - 1}/*"))
    return [task_of(line) for file in files for line in file.read_text().splitlines()]


def payload_of(rounds, task):
    scenario = rounds.result.study.scenario(task.arm).model_copy(update={"seed": task.seed})
    return cell_totals(scenario, task.cell, task.warm_up_us).packed()


def do(rounds, count=None):
    """Do the first tasks that the rounds ask for, or all until they ask for no more."""
    while rounds.under_way and count != 0:
        task = next(iter(rounds.under_way.values()))
        count = None if count is None else count - 1
        rounds.take([(*task.key, payload_of(rounds, task))])
    rounds.store()


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
    difference = "client.release: 5.3.3 there, 5.1.4 now"
    with raises(InputError, Says("experiment.other-scenario", arm="new", difference=difference)):
        begun(tmp_path, seeds=1, arms={"old": {}, "new": {"client.release": "5.1.4"}})


def test_runs_of_another_model_are_refused(tmp_path, monkeypatch):
    do(begun(tmp_path, seeds=1))
    monkeypatch.setattr(folder, "source_digest", lambda: "another")
    with raises(InputError, Says("experiment.other-version")):
        begun(tmp_path, seeds=2)


def test_another_warm_up_is_refused(tmp_path):
    do(begun(tmp_path, seeds=1))
    with pytest.raises(InputError, match="warm_up: 0s there, 1s now"):
        begun(tmp_path, seeds=1, warm_up="1s")


def test_a_folder_of_somebody_else_is_refused(tmp_path):
    (tmp_path / "thesis.tex").write_text("")
    with raises(InputError, Says("experiment.folder-not-empty")):
        begun(tmp_path)


def test_a_kill_while_the_first_description_was_written_does_not_keep_an_experiment_from_beginning(tmp_path):
    left = tmp_path / f".experiment.json.{NOBODY}"
    left.touch()
    with ExperimentFolder(tmp_path).claimed(loaded(seeds=1).arms, 0, fresh=False):
        assert ((tmp_path / "experiment.json").exists(), left.exists()) == (True, False)


def test_a_folder_in_use_is_left_alone_even_by_a_fresh_start(tmp_path):
    do(begun(tmp_path, seeds=1))
    own, folder, before = loaded(seeds=1), ExperimentFolder(tmp_path), sorted(tmp_path.rglob("*.parquet"))
    in_use = raises(InputError, Says("experiment.folder-in-use", str(tmp_path)))
    with folder.claimed(own.arms, 0, fresh=False), in_use, folder.claimed(own.arms, 0, fresh=True):
        pass
    assert sorted(tmp_path.rglob("*.parquet")) == before


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


def test_what_a_task_left_counts_before_its_round_ends_and_only_once(tmp_path):
    rounds, found = begun(tmp_path, seeds=9), []
    rounds.tell = lambda keys, messages, left: found.append((len(keys), left))
    task = next(iter(rounds.under_way.values()))
    payload = payload_of(rounds, task)
    leave(rounds.tasks.path, task, payload)
    rounds.take_early()
    rounds.take([(*task.key, payload)])
    assert found == [(1, 17), (0, 17)]


def test_runs_that_end_within_two_seconds_make_one_file(tmp_path):
    rounds = begun(tmp_path, seeds=3)
    times = iter((0.0, 0.0, 1.0, 1.9, 2.1, 2.1, *[3.0] * 9))
    rounds.clock = lambda: next(times)
    for task in list(rounds.under_way.values())[:4]:
        rounds.take([(*task.key, payload_of(rounds, task))])
    assert [pq.read_table(file).num_rows for file in sorted((tmp_path / "totals").iterdir())] == [1, 3]


def test_a_round_that_is_cut_short_asks_for_no_more(tmp_path):
    rounds = begun(tmp_path, seeds=9)
    rounds.stop.set()
    task = next(iter(rounds.under_way.values()))
    rounds.end_round([(*task.key, payload_of(rounds, task))])
    assert not rounds.under_way
    assert not rounds.finished.is_set()
    assert recall(rounds.folder, ExperimentResult(Study(loaded(seeds=9)))) == 1


def test_an_experiment_that_has_its_answer_was_not_interrupted(tmp_path):
    rounds = begun(tmp_path, arms={"a": {}}, seeds=1)
    rounds.under_way.clear()
    rounds.result.study.take("a", 1, {"p99_ms": 1.0})
    rounds.stop.set()
    rounds.ask()
    assert rounds.finished.is_set()


def test_measures_whose_totals_did_not_fit_on_the_disk_are_replaced_by_those_of_the_next_time(tmp_path, monkeypatch):
    rounds = begun(tmp_path, seeds=2)
    write, full = ExperimentFolder._write, OSError(errno.ENOSPC, "No space left on device")

    def of_measures_alone(folder, name, *rest):
        if name == "totals":
            raise full
        write(folder, name, *rest)

    monkeypatch.setattr(ExperimentFolder, "_write", of_measures_alone)
    with pytest.raises(OSError, match="No space left"):
        do(rounds)
    monkeypatch.undo()
    do(begun(tmp_path, seeds=2))
    rows = pq.read_table(tmp_path / "runs").to_pandas()
    assert len(rows) == len(rows.drop_duplicates(["arm", "seed", "measure"])) > 0


def test_a_folder_on_a_full_disk_is_refused_as_such(tmp_path, monkeypatch):
    own = loaded(seeds=2)
    monkeypatch.setattr(ExperimentFolder, "note", Mock(side_effect=OSError(errno.ENOSPC, "No space left on device")))
    with raises(EnvironmentProblem, Says("job.disk-full", str(tmp_path / "it"))):
        ExperimentFolder(tmp_path / "it").claim(own.arms, 0, fresh=False)
