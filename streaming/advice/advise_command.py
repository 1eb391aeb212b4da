"""`sendlab advise`: try the settings that a producer team can change, and say which few to choose among."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from simulator.advice.advice import Advice
from simulator.advice.candidates import AS_IT_IS
from simulator.advice.replica_candidates import sets_of
from simulator.advice.standing import Criterion
from simulator.advice.trial import WHICH, Trial, trial_of
from simulator.experiments.words import in_unit
from simulator.plan.compile import slug
from simulator.scenario import ScenarioError
from state.texts import at, listed, without
from streaming.advice.advice_page import write_advice
from streaming.advice.run_advice import run_advice
from streaming.errors import InputError
from streaming.experiments.runs_asked import RunsAsked
from streaming.options.changes import checked_choice, overrides_of
from streaming.page_frame.page_ahead import load_page_ahead
from streaming.pipelines.objective_options import objective_asked
from streaming.texts.command_result_texts import CommandResultTexts

NARROW = 80  # columns of a terminal: below, figures are folded


def advise_command(
    path: Path, *, objectives: Sequence[str], faults: str, seeds: int, asked: RunsAsked, group: str | None = None,
    replicas: bool = False,
) -> int:  # fmt: skip
    """Run what is missing of the trial, print and write the advice; 1 if no setting is shown to hold the objectives.

    Raises ScenarioError, InputError and EnvironmentProblem, one sentence each, and Interrupted after Ctrl-C.
    """
    check_advice(faults, objectives)
    asked.check(path)
    trial = trial_of(
        path, faults, given=overrides_of(asked.changes), objectives=objectives, seeds=seeds, group=group,
        replicas=replicas,
    )  # fmt: skip
    check_measured_in(trial)
    about = "-replicas" if replicas else f"-{slug(group)}" if group else ""
    folder = asked.folder(f"advice-{slug(path.stem)}{about}")
    if asked.page == "html":
        load_page_ahead(write_advice.__module__)
    advice = run_advice(trial, folder, asked)
    written = write_advice(advice, folder, asked.page)
    tell(advice, asked.console)
    return asked.end(written, interrupted=advice.interrupted, holds=advice.holds)


def check_advice(faults: str, objectives: Sequence[str]) -> None:
    """Raise InputError for situations or objectives that do not exist."""
    checked_choice(faults, WHICH, f"--faults {faults}")
    for objective in objectives:
        objective_asked(objective)


def check_measured_in(trial: Trial) -> None:
    """Raise InputError, at its option, for an objective that no run of the trial can measure."""
    try:
        trial.experiment()
    except ScenarioError as error:
        number = re.search(r"objectives\[(\d+)\]$", error.place)
        if number is None:
            raise
        option = f"--objective {trial.objectives[int(number[1])]}"
        raise InputError(at(option, without(error.place, error.sentence))) from None


def _mean(advice: Advice, name: str, criterion: Criterion) -> str:
    found = advice.standing.figure(name, criterion)
    return "-" if found is None else in_unit(found.mean, criterion.unit)


def tell(advice: Advice, console: Console) -> None:
    """Print the few with their figures, the verdict, and what to paste for the first."""
    standing = advice.standing
    table = Table(title=standing.trial.scenario.name, title_justify="left", title_style="bold", box=None)
    table.add_column("setting")
    for criterion in standing.criteria:
        table.add_column(criterion.title, justify="right", no_wrap=console.width >= NARROW)
    for name in dict.fromkeys((*(pick.name for pick in advice.picks), AS_IT_IS)):
        table.add_row(name, *(_mean(advice, name, criterion) for criterion in standing.criteria))
    if advice.picks:
        console.print(table)
        console.print(CommandResultTexts.ADVICE_MEANS(), style="dim")
    for sentence in advice.opening:
        console.print(sentence, style="bold", markup=False, highlight=False)
    for number_of, pick in enumerate(advice.picks, 1):
        console.print(f"\n{number_of}. {pick.name}", style="bold", markup=False, highlight=False)
        said = [listed(pick.best_in), *pick.gains, pick.not_shown_worse, *(f"but {one}" for one in pick.losses)]
        for text in filter(None, said):
            console.print(Padding(Text(text), (0, 0, 0, 3), expand=False))
    console.print()
    for sentence in advice.closing:
        console.print(sentence, markup=False, highlight=False)
    if advice.picks and advice.picks[0].name != AS_IT_IS:
        console.print(f"\n{advice.picks[0].java}\n", markup=False, highlight=False, soft_wrap=True)
    trial = standing.trial
    if trial.group is None and not trial.replicas and sets_of(trial.scenario):
        console.print(CommandResultTexts.REPLICAS_INSTEAD(), markup=False, highlight=False)
