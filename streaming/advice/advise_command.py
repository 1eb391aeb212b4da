"""`sendlab advise`: try the settings that a producer team can change, and say which few to choose among."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from simulator.advice.advice import Advice, told
from simulator.advice.candidates import AS_IT_IS
from simulator.advice.standing import CRITERIA
from simulator.advice.trial import WHICH, trial_of
from simulator.plan.compile import slug
from streaming.advice.advice_page import write_advice
from streaming.advice.run_advice import run_advice
from streaming.changes import overrides_of
from streaming.errors import InputError
from streaming.experiments.runs_asked import RunsAsked

NARROW = 80  # columns of a terminal: below, figures are folded


def advise_command(path: Path, *, objectives: Sequence[str], faults: str, seeds: int, asked: RunsAsked) -> int:
    """Run what is missing of the trial, print and write the advice; 1 if no setting is shown to hold the objectives.

    Raises ScenarioError, InputError and EnvironmentProblem, one sentence each, and Interrupted after Ctrl-C.
    """
    if faults not in WHICH:
        raise InputError(f"--faults {faults}: expected one of {', '.join(WHICH)}")
    for objective in objectives:
        _check_objective(objective)
    asked.check(path)
    trial = trial_of(path, faults, given=overrides_of(asked.changes), objectives=objectives, seeds=seeds)
    folder = asked.folder(f"advice-{slug(path.stem)}")
    advice = run_advice(trial, folder, asked)
    written = write_advice(advice, folder, asked.page)
    tell(advice, asked.console)
    return asked.end(written, interrupted=advice.interrupted, holds=advice.holds)


def _check_objective(text: str) -> None:
    from simulator.experiments.experiment_measures import MEASURES, plain
    from simulator.experiments.objective import parse_objective
    from simulator.scenario.reading.scenario_error import not_known

    try:
        measure = parse_objective(text).measure
    except ValueError as error:
        raise InputError(f"--objective {text}: {error}") from None
    if plain(measure) not in MEASURES:
        raise InputError(f"--objective {text}: {not_known('measure', measure, MEASURES)}")


def tell(advice: Advice, console: Console) -> None:
    """Print the few with their figures, the verdict, and what to paste for the first."""
    standing = advice.standing
    table = Table(title=standing.trial.scenario.name, title_justify="left", title_style="bold", box=None)
    table.add_column("setting", overflow="fold")
    for criterion in CRITERIA:
        table.add_column(criterion.title, justify="right", no_wrap=console.width >= NARROW)
    for name in dict.fromkeys((*(pick.name for pick in advice.picks), AS_IT_IS)):
        table.add_row(name, *(told(standing.figure(name, criterion), criterion) for criterion in CRITERIA))
    console.print(table)
    for sentence in advice.verdict:
        console.print(sentence, markup=False, highlight=False, soft_wrap=True)
    if advice.picks and advice.picks[0].name != AS_IT_IS:
        console.print(f"\n{advice.picks[0].java}\n", markup=False, highlight=False, soft_wrap=True)
