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
from streaming.errors import InputError, Interrupted
from streaming.own_policies.settled import settle
from streaming.spark.java import require_java

FORMATS = ("html", "md")


def advise_command(
    path: Path, *, out: Path | None, objectives: Sequence[str], faults: str, seeds: int, changes: Sequence[str],
    master: str | None, page: str, fresh: bool, console: Console,
) -> int:  # fmt: skip
    """Run what is missing of the trial, print and write the advice; 1 if no setting is shown to hold the objectives.

    Raises ScenarioError, InputError and EnvironmentProblem, one sentence each, and Interrupted after Ctrl-C.
    """
    if page not in FORMATS:
        raise InputError(f"--format {page}: expected one of {', '.join(FORMATS)}")
    if faults not in WHICH:
        raise InputError(f"--faults {faults}: expected one of {', '.join(WHICH)}")
    for objective in objectives:
        _check_objective(objective)
    settle(path, changes)
    trial = trial_of(path, faults, given=overrides_of(changes), objectives=objectives, seeds=seeds)
    require_java()
    folder = out if out is not None else Path("out") / f"advice-{slug(path.stem)}"
    advice = run_advice(trial, folder, console, master=master, fresh=fresh)
    written = write_advice(advice, folder, page)
    tell(advice, console)
    console.print(f"page: {written}", highlight=False, soft_wrap=True)
    if advice.interrupted:
        raise Interrupted("stopped between two rounds of runs; the same command goes on from here")
    return 0 if advice.holds else 1


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
        table.add_column(criterion.title, justify="right")
    for name in dict.fromkeys((*(pick.name for pick in advice.picks), AS_IT_IS)):
        table.add_row(name, *(told(standing.figure(name, criterion), criterion) for criterion in CRITERIA))
    console.print(table)
    for sentence in advice.verdict:
        console.print(sentence, markup=False, highlight=False, soft_wrap=True)
    if advice.picks and advice.picks[0].name != AS_IT_IS:
        console.print(f"\n{advice.picks[0].java}\n", markup=False, highlight=False, soft_wrap=True)
