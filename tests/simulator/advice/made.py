"""Trials of a small scenario whose runs are made up."""

from pathlib import Path

import yaml

from simulator.advice.advice import Advice
from simulator.advice.candidates import AS_IT_IS
from simulator.advice.standing import Standing
from simulator.advice.trial import arm_name, trial_of
from simulator.experiments.study import Study
from tests.simulator.experiments.small import SCENARIO

MEASURED = {"failed_percent": 1.0, "p99_ms": 100.0, "copies_per_message": 1.01, "max_queue_share_percent": 20.0}


def trial(folder: Path, which: str = "usual", objectives=(), seeds=8, **keys):
    """The trial of the small scenario with other keys."""
    file = folder / "small.yaml"
    file.write_text(yaml.safe_dump({**SCENARIO, **keys}))
    return trial_of(file, which, objectives=objectives, seeds=seeds)


def advice(folder: Path, figures, **keys):
    """The advice of a trial in which those candidates measured that, beside the client as it is.

    A list: by seed, again from its begin. A name of an arm, `strategy on | slow`, is of that situation alone.
    """
    found = trial(folder, **keys)
    study = Study(found.experiment())
    named = {name: measured for name, measured in figures.items() if name in found.candidates}
    for name, measured in {AS_IT_IS: {}, **named}.items():
        for situation in found.situations:
            alone = figures.get(arm_name(name, situation.name), {})
            for seed in range(1, found.seeds + 1):
                run = {
                    **MEASURED,
                    **measured,
                    **alone,
                    "lost": 0.0,
                    "lost_unseen": 0.0,
                    "not_stored": 0.0,
                    "messages": 1000.0,
                }
                wobble = 1 + seed / 1000
                own = {
                    key: one[(seed - 1) % len(one)] if isinstance(one, list) else one * wobble
                    for key, one in run.items()
                }
                study.take(arm_name(name, situation.name), seed, own)
    return Advice(Standing(found, study))
