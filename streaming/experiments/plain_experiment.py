"""An experiment in this process, one run after the other: the same folder and result, without Spark or Java."""

from __future__ import annotations

import time
from pathlib import Path

from rich.console import Console

from simulator.experiments.experiment_file import LoadedExperiment
from simulator.experiments.result import ExperimentResult
from simulator.experiments.study import RunKey
from streaming.experiments.folder import ExperimentFolder
from streaming.experiments.live_progress import LiveProgress
from streaming.experiments.run_experiment import claimed_experiment
from streaming.texts.experiment_texts import ExperimentTexts


def run_plain_experiment(
    loaded: LoadedExperiment, out: Path, console: Console, *, fresh: bool = False
) -> ExperimentResult:
    """Run what is missing of an experiment; every finished run is stored, and Ctrl-C stops between two.

    Raises InputError (the folder is another's) and EnvironmentProblem (cannot be written).
    """
    with claimed_experiment(loaded, out, console, fresh=fresh) as claim:
        return _run_claimed(claim.result, claim.folder, console)


def _run_claimed(result: ExperimentResult, folder: ExperimentFolder, console: Console) -> ExperimentResult:
    warm_up_us = result.study.loaded.experiment.warm_up_us
    progress = LiveProgress(console, result, ExperimentTexts.COMPILING())
    progress.began = time.monotonic()
    try:
        while keys := result.study.wanted():
            folder.note({key.arm: result.study.scenario(key.arm) for key in keys}, warm_up_us)
            for key in keys:
                progress.add([key], _run(key, result, folder), len(result.study.wanted()))
                progress.show()
    except KeyboardInterrupt:
        result.interrupted = True
    finally:
        progress.close()
    return result


def _run(key: RunKey, result: ExperimentResult, folder: ExperimentFolder) -> int:
    """Run one seed of an arm and store it; its messages."""
    from simulator.experiments.experiment_runner import measured
    from simulator.run.run_totals import total_run

    warm_up_us = result.study.loaded.experiment.warm_up_us
    scenario = result.study.scenario_of_run(key.arm, key.seed)
    totals = total_run(scenario, warm_up_us)
    values = measured(scenario, totals, warm_up_us)
    folder.store([(key.arm, key.seed, values, totals)])
    result.add(key.arm, key.seed, values, totals)
    return int(totals.groups[:, 0].sum())
