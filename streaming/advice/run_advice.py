"""A trial from its folder's runs to the advice: two rounds of one experiment, and the files that say what came out."""

from __future__ import annotations

from pathlib import Path

from simulator.advice.advice import Advice
from simulator.advice.standing import Standing
from simulator.advice.trial import Trial
from simulator.units import some
from streaming.experiments.live_progress import in_millions
from streaming.experiments.runs_asked import RunsAsked
from streaming.files.json_file import write_json
from streaming.files.whole_file import write_text_whole
from streaming.installation.own_version import sendlab_version

RESULT, EXPERIMENT = "advice.json", "experiment.yaml"


def run_advice(trial: Trial, out: Path, asked: RunsAsked) -> Advice:
    """Run what is missing of a trial: every candidate alone, then pairs of those that are unbeaten.

    Ctrl-C stops it early, in good order. Raises ScenarioError, InputError and EnvironmentProblem.
    """
    advice = _round(trial, out, asked, fresh=asked.fresh)
    if not advice.interrupted and trial.add(advice.next_round()):
        advice = _round(trial, out, asked, fresh=False)
    write_json(out / RESULT, {"sendlab": sendlab_version(), **advice.as_json()})
    write_text_whole(out / EXPERIMENT, trial.text(out))
    return advice


def _round(trial: Trial, out: Path, asked: RunsAsked, *, fresh: bool) -> Advice:
    loaded = trial.experiment()
    sends = sum(scenario.expected_messages for scenario in loaded.arms.values()) * trial.seeds
    tried = f"{some(len(trial.candidates), 'setting')} in {some(len(trial.situations), 'situation')}"
    runs = some(len(loaded.arms) * trial.seeds, "run")
    asked.console.print(f"{tried}, {trial.seeds} seeds: {runs}, {in_millions(sends)} sends", highlight=False)
    result = asked.run(loaded, out, fresh=fresh)
    return Advice(Standing(trial, result.study), result.interrupted)
