"""An experiment from its folder's runs to its answer: what is missing goes through Spark, round by round."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from simulator.experiments.experiment_file import LoadedExperiment, load_experiment
from simulator.experiments.result import ExperimentResult
from simulator.experiments.study import Study
from simulator.scenario.loading.scenario_file import NONE
from streaming.errors import EnvironmentProblem
from streaming.experiments.folder import ExperimentFolder
from streaming.experiments.live_progress import LiveProgress
from streaming.experiments.rounds import Rounds
from streaming.experiments.runs_query import start_query
from streaming.experiments.task_list import Row, TaskFolder
from streaming.jobs.folders.checkpoint import Checkpoint
from streaming.problems import disk_problem, explained
from streaming.runner.query_run import run_query
from streaming.runner.stop_signals import StopSignals
from streaming.runner.watched_query import QueryOwner, watch_query
from streaming.spark.session import own_session, session_at_hand
from streaming.spark.spark_internals import jvm_pid
from streaming.terminal.output_console import OutputConsole
from streaming.texts.experiment_texts import ExperimentTexts

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.streaming.query import StreamingQuery


@dataclass(frozen=True)
class _RunsQuery(QueryOwner):
    """The query of an experiment, which takes round after round."""

    rounds: Rounds
    progress: LiveProgress
    poll_s = 0.05

    def look(self, query: StreamingQuery) -> None:
        """Take what has ended, show it, and let no task begin once it was asked to end."""
        self.rounds.take_early()
        self.progress.show()
        if self.rounds.stop.is_set():
            self.rounds.tasks.stop()

    def end_asked(self) -> str | None:
        """For a signal."""
        return ExperimentTexts.STOPPING() if self.rounds.stop.is_set() else None

    def is_over(self) -> bool:
        """A query of files never ends by itself."""
        return self.rounds.finished.is_set() or (self.rounds.stop.is_set() and not self.rounds.under_way)


def recall(folder: ExperimentFolder, result: ExperimentResult) -> int:
    """Take the runs that lie in the folder; how many they are. Raises InputError if one is of another scenario."""
    from simulator.experiments.experiment_runner import measured

    study = result.study
    warm_up_us = study.loaded.experiment.warm_up_us
    find = study.loaded.experiment.find
    names = [*study.loaded.arms, *(study.searched_arm(value) for value in (find.values() if find else ()))]
    arms = {name: study.scenario(name) for name in names if name in folder.known_arms()}
    folder.check_arms(arms, warm_up_us)
    count = 0
    for arm, seed, totals in folder.stored(arms):
        result.add(arm, seed, measured(study.scenario_of_run(arm, seed), totals, warm_up_us), totals)
        count += 1
    return count


@dataclass(frozen=True)
class ClaimedExperiment:
    """An experiment that may run: nobody else writes into its folder, and `result` has the runs that lie there."""

    folder: ExperimentFolder
    checkpoint: Checkpoint
    result: ExperimentResult


@contextmanager
def claimed_experiment(
    loaded: LoadedExperiment, out: Path, console: Console, *, fresh: bool
) -> Iterator[ClaimedExperiment]:
    """Hold the folder of an experiment as long as it runs.

    Raises InputError (the folder is another's, or in use) and EnvironmentProblem (cannot be written, disk full).
    """
    folder = ExperimentFolder(out)
    try:
        checkpoint = Checkpoint(folder.checkpoint)
        with folder.claimed(loaded.arms, loaded.experiment.warm_up_us, fresh=fresh), checkpoint.owned():
            result = ExperimentResult(Study(loaded))
            known = recall(folder, result)
            if known:
                console.print(ExperimentTexts.RUNS_THERE(count=known), style="dim", highlight=False)
            yield ClaimedExperiment(folder, checkpoint, result)
    except OSError as error:
        raise disk_problem(error, out) from error


def run_experiment(
    loaded: LoadedExperiment,
    out: Path,
    console: Console,
    *,
    master: str | None = None,
    fresh: bool = False,
    spark: SparkSession | None = None,
) -> ExperimentResult:
    """Run what is missing of an experiment, and give what is known of it then; Ctrl-C stops it early, in good order.

    Without `spark` it is the session that this process has open already, or one that is closed at the end. Raises
    InputError (the folder is another's), EnvironmentProblem (no Java, disk full, ...).
    """
    with claimed_experiment(loaded, out, console, fresh=fresh) as claim:
        return _run_claimed(claim, console, master, spark or session_at_hand())


def _run_claimed(
    claim: ClaimedExperiment, console: Console, master: str | None, given: SparkSession | None
) -> ExperimentResult:
    folder, checkpoint, result = claim.folder, claim.checkpoint, claim.result
    tasks = TaskFolder(folder.checkpoint / "tasks")
    tasks.clear()
    shutil.rmtree(checkpoint.spark, ignore_errors=True)
    rounds = Rounds(result, folder, tasks, os.cpu_count() or 1)
    rounds.ask()
    if rounds.finished.is_set():
        return result
    progress = LiveProgress(console, result)
    rounds.tell = progress.add
    progress.left = len(result.study.wanted())
    stop = StopSignals()
    rounds.stop = stop.asked
    with stop.listening():
        try:
            with own_session(given, folder.checkpoint, master=master, partitions=1) as spark:
                try:
                    stop.listen()
                    if given is None:  # a JVM that outlives its owner is waited for and ended
                        checkpoint.note_owner(jvm_pid(spark))
                    progress.began = time.monotonic()
                    _run_query(spark, rounds, checkpoint, progress)
                finally:
                    rounds.store()
                    progress.close()
        finally:
            for left in (checkpoint.spark, tasks.path):
                shutil.rmtree(left, ignore_errors=True)
    result.interrupted = not rounds.finished.is_set()
    return result


def _run_query(spark: SparkSession, rounds: Rounds, checkpoint: Checkpoint, progress: LiveProgress) -> None:
    def take(rows: list[Row]) -> None:
        rounds.cores = spark.sparkContext.defaultParallelism  # a cluster's workers come and go
        rounds.end_round(rows)

    def run() -> None:
        query = start_query(spark, rounds.tasks, checkpoint.spark, take)
        watch_query(query, _RunsQuery(rounds, progress), progress.console)

    def failed(error: Exception) -> Exception:
        return explained(error, rounds.folder.path, checkpoint.folder)

    def ended() -> Exception:
        return EnvironmentProblem(ExperimentTexts.JVM_ENDED(log=checkpoint.folder / "jvm.log"))

    run_query(run, failed, ended)


def whatif(
    experiment: LoadedExperiment | str | Path,
    out: str | Path,
    *,
    changes: Mapping[str, str] = NONE,
    seeds: int | None = None,
    spark: SparkSession | None = None,
    fresh: bool = False,
) -> ExperimentResult:
    """Run an experiment (or its file) through Spark; its runs and result.json go to the folder `out`.

    `changes` are dotted keys and YAML values for all arms, `seeds` replaces the file's. Raises ScenarioError,
    InputError and EnvironmentProblem.
    """
    loaded = experiment if isinstance(experiment, LoadedExperiment) else load_experiment(experiment, changes, seeds)
    result = run_experiment(loaded, Path(out), OutputConsole(quiet=True), fresh=fresh, spark=spark)
    ExperimentFolder(Path(out)).write_result(result)
    return result
