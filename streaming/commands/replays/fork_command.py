"""`sendlab fork DIR|CHECKPOINT --arm ...`: the state of a running job as the start of what-if arms."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.progress import Progress

from simulator.counterfactual.arms_experiment import Changes
from simulator.counterfactual.fork import ForkPoint
from simulator.counterfactual.fork_experiment import Fork
from simulator.experiments.experiment import UNCHANGED
from simulator.experiments.result import ExperimentResult
from simulator.plan.compile import compile_scenario
from simulator.scenario.reading.scenario_error import ScenarioError
from simulator.units import format_duration, parse_duration_us
from state.packing import LayoutError
from state.texts import at, sentence_of
from streaming.commands.jobs.state_command import read_state
from streaming.commands.replays.arms_command import arms_of
from streaming.commands.replays.arms_summary import tell_arms, write_arms
from streaming.errors import InputError
from streaming.experiments.all_cores import all_cores
from streaming.experiments.folder import ExperimentFolder
from streaming.jobs.folders.checkpoint import Checkpoint
from streaming.jobs.reload.change_log import ChangeLog
from streaming.spark.java import require_spark
from streaming.terminal.output_console import OutputConsole as Console
from streaming.terminal.working import working
from streaming.texts.command_result_texts import CommandResultTexts
from streaming.texts.command_texts import CommandTexts


def checkpoint_of(folder: Path) -> Checkpoint:
    """The checkpoint of an output folder, or the folder itself. Raises InputError if it is none."""
    checkpoint = Checkpoint.of(folder)
    checkpoint.manifest()
    return checkpoint


def fork_point(checkpoint: Checkpoint, batch: int | None) -> tuple[int, ForkPoint]:
    """The micro-batch after which it is, and the state. Raises InputError."""
    change_log = ChangeLog.of(checkpoint)
    batch, rows = read_state(checkpoint, batch)
    scenario = change_log.scenario_of(rows[0][2]) if rows else change_log.began
    point = ForkPoint(scenario, tuple(row for _, _, row in rows))
    if not point.rows:
        raise InputError(CommandTexts.JUST_STARTED().at(checkpoint.folder))
    if len(point.rows) != scenario.cells or len({row.next_window for row in point.rows}) != 1:
        raise InputError(CommandTexts.BATCH_UNFINISHED(batch=batch).at(checkpoint.folder))
    if point.rows[0].next_window > compile_scenario(scenario).windows:
        raise InputError(CommandTexts.RUN_HAS_ENDED(batch=batch).at(checkpoint.folder))
    return batch, point


def fork_command(
    folder: Path, given: Sequence[str], *, batch: int | None, length: str, out: Path | None, seeds: int, as_json: bool,
    fresh: bool, console: Console,
) -> int:  # fmt: skip
    """Run the arms and write their page; 0 always. Raises InputError and EnvironmentProblem."""
    quiet = Console(quiet=True) if as_json else console
    result, target = fork_result(
        folder, given, batch=batch, length=length, out=out, seeds=seeds, fresh=fresh, console=quiet, has_page=True
    )
    tell_arms(result, target, console, as_json=as_json)
    return 0


def fork_result(
    folder: Path, given: Sequence[str], *, batch: int | None, length: str, out: Path | None, seeds: int, fresh: bool,
    console: Console, has_page: bool = False,
) -> tuple[ExperimentResult, ExperimentFolder]:  # fmt: skip
    """What the arms come to, and their folder with result.json and, if asked for, the page.

    Raises InputError and EnvironmentProblem.
    """
    arms = arms_of(given, taken=(UNCHANGED,))
    try:
        length_us = parse_duration_us(length)
    except ValueError as error:
        raise InputError(at(f"--for {length}", sentence_of(error))) from None
    checkpoint = checkpoint_of(folder)
    require_spark()
    with working(console, CommandResultTexts.READING_STATE()):
        batch, point = fork_point(checkpoint, batch)
    fork = Fork(point, length_us)
    _check(fork, arms)
    target = ExperimentFolder(out if out is not None else Path("out") / f"fork-{point.plan.name}-{batch}")
    result = fork.result(arms, seeds)
    result.notes = tuple(_notes(fork, arms, batch))
    with target.claimed(result.study.loaded.arms, point.at_us, fresh=fresh):
        _run(fork, result, arms, console)
        write_arms(result, target, has_page=has_page)
    return result, target


def _check(fork: Fork, arms: dict[str, Changes]) -> None:
    for name, changes in arms.items():
        try:
            scenario = fork.arm(changes)
            if why := fork.point.misfit(scenario):
                raise InputError(at(f"--arm {name}", why))
            plan = fork.point.arm_plan(scenario, fork.until_us)
            for number in range(len(plan.cells)):
                fork.point.cell(plan, number, ())
        except ScenarioError as error:
            raise InputError(f"--arm {name}: {str(error).removeprefix('--set ')}") from None
        except (LayoutError, IndexError) as error:
            raise InputError(CommandTexts.STATE_DOES_NOT_FIT(why=error).at(f"--arm {name}")) from None


def _run(fork: Fork, result: ExperimentResult, arms: dict[str, Changes], console: Console) -> None:
    with Progress(console=console, transient=True) as bar, all_cores() as on:
        task = bar.add_task("runs", total=len(result.study.wanted()))
        for _ in fork.run(result, arms, on):
            bar.advance(task)


def _notes(fork: Fork, arms: dict[str, Changes], batch: int) -> list[str]:
    job, begin = fork.point.scenario, format_duration(fork.point.at_us)
    found: list[str] = [CommandResultTexts.FORK_BEGINS(batch=batch, at=begin, seed=job.seed, arm=UNCHANGED)]
    if any(fork.arm(changes).releases != job.releases for changes in arms.values()):
        found.append(CommandResultTexts.FORK_OF_ANOTHER_RELEASE())
    return found
