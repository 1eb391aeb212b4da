"""`sendlab replay TRACE --arm KEY=VALUE`: what another client would have made of the recorded log."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rich.progress import Progress

from simulator.counterfactual.arms_experiment import (
    MODEL,
    RECORDED,
    Changes,
    ReplayedArms,
    replayed_arms,
    run_arms,
)
from simulator.counterfactual.calibrated_trace import CalibratedTrace, calibrated_trace
from simulator.scenario import load_scenario
from simulator.scenario.reading.scenario_error import ScenarioError
from state.texts import at, sentence_of
from streaming.commands.replays.arms_summary import tell_arms, write_arms
from streaming.commands.replays.calibrate_command import checked_client
from streaming.errors import InputError
from streaming.experiments.all_cores import all_cores
from streaming.experiments.folder import ExperimentFolder
from streaming.experiments.run_experiment import recall
from streaming.fitting.open_trace import open_trace
from streaming.terminal.output_console import OutputConsole as Console
from streaming.terminal.working import working
from streaming.texts.command_result_texts import CommandResultTexts
from streaming.texts.command_texts import CommandTexts

NEXT_KEY = re.compile(r"[\s,]+(?=[A-Za-z_][\w.-]*=)")


def arms_of(given: Sequence[str], taken: Sequence[str] = (RECORDED, MODEL)) -> dict[str, Changes]:
    """The arms of the command line, named as given: keys apart by blanks or commas. Raises InputError.

    `taken`: names that no arm can have.
    """
    arms: dict[str, Changes] = {}
    for text in given:
        changes = {}
        for part in NEXT_KEY.split(text.strip()):
            key, equals, value = part.partition("=")
            if not equals or not key.strip() or not value.strip():
                raise InputError(CommandTexts.ARM_EXPECTED().at(f"--arm {text}"))
            changes[key.strip()] = value.strip()
        if text.strip() in (*arms, *taken):
            raise InputError(CommandTexts.ARM_TWICE().at(f"--arm {text}"))
        arms[text.strip()] = changes
    return arms


def calibrated_trace_at(path: Path, changes: Sequence[str], edited: Path | None = None) -> CalibratedTrace:
    """The calibrated trace of a trace or a recording; `changes`: what the trace does not say of its client.

    `edited`: the scenario that was fitted to it, as somebody changed it. Raises InputError and ScenarioError.
    """
    trace = open_trace(path)
    client, mode = checked_client(trace.about.client, changes, trace.about.name)
    try:
        mode = mode or trace.about.mode or "sync"
        calibrated = calibrated_trace(trace.attempts(), client, mode, trace.about.name, trace.scrapes)
    except ValueError as error:
        raise InputError(at(path, sentence_of(error))) from None
    return calibrated if edited is None else _edited(calibrated, edited)


def _edited(calibrated: CalibratedTrace, file: Path) -> CalibratedTrace:
    scenario, fitted = load_scenario(file), calibrated.fitted
    for what, ours, theirs in (
        ("brokers", scenario.brokers, fitted.brokers),
        ("topics", scenario.topics, fitted.topics),
    ):
        if list(ours) != list(theirs):
            raise InputError(
                CommandTexts.NOT_THE_TRACES(what=what, theirs=", ".join(theirs), ours=", ".join(ours)).at(file)
            )
    return replace(calibrated, text=file.read_text(encoding="utf-8-sig"))


def arms_result(
    path: Path, given: Sequence[str], *, out: Path | None, changes: Sequence[str], seeds: int, fresh: bool,
    console: Console, edited: Path | None = None, has_page: bool = False,
) -> tuple[ReplayedArms, ExperimentFolder]:  # fmt: skip
    """What the arms of a recorded log come to, and the folder of their runs, result.json and, if asked for, the page.

    Raises InputError for a trace, an arm or a folder that cannot be used.
    """
    arms = arms_of(given)
    with working(console, CommandResultTexts.CALIBRATING()):
        calibrated = calibrated_trace_at(path, changes, edited)
    for arm, keys in arms.items():
        try:
            calibrated.with_changes(keys)
        except ScenarioError as error:
            raise InputError(f"--arm {arm}: {str(error).removeprefix('--set ')}") from None
    result = replayed_arms(calibrated, arms, seeds)
    folder = ExperimentFolder(out if out is not None else Path("out") / calibrated.name)
    simulated = {arm: scenario for arm, scenario in result.study.loaded.arms.items() if arm != RECORDED}
    console.print(_release_text(calibrated, edited), highlight=False, markup=False, soft_wrap=True)
    with folder.claimed(simulated, 0, fresh=fresh):
        recall(folder, result)
        _run(calibrated, result, folder, console)
        write_arms(result, folder, has_page=has_page)
    return result, folder


def arms_command(
    path: Path, given: Sequence[str], *, out: Path | None, changes: Sequence[str], seeds: int, as_json: bool,
    fresh: bool, console: Console, edited: Path | None = None,
) -> int:  # fmt: skip
    """Run the arms of a recorded log, write the page and result.json; 0 always: what would have been is an answer.

    Raises InputError as `arms_result` does.
    """
    quiet = Console(quiet=True) if as_json else console
    result, folder = arms_result(
        path,
        given,
        out=out,
        changes=changes,
        seeds=seeds,
        fresh=fresh,
        console=quiet,
        edited=edited,
        has_page=True,
    )
    tell_arms(result, folder, console, as_json=as_json)
    return 0


def _release_text(calibrated: CalibratedTrace, edited: Path | None) -> str:
    """Which release the model runs, and who says so."""
    own, of_trace = calibrated.with_changes({}).releases, calibrated.fitted.releases
    releases = " and ".join(own)
    if edited is None:
        return CommandResultTexts.ARMS_RELEASE(releases=releases)
    if own == of_trace:
        return CommandResultTexts.ARMS_RELEASE_EDITED(releases=releases, edited=edited)
    return CommandResultTexts.ARMS_RELEASE_DIFFERS(releases=releases, edited=edited, fitted=" and ".join(of_trace))


def _run(calibrated: CalibratedTrace, result: ReplayedArms, folder: ExperimentFolder, console: Console) -> None:
    wanted = sum(key.arm != RECORDED for key in result.study.wanted())
    with Progress(console=console, transient=True) as bar, all_cores() as on:
        task = bar.add_task("runs", total=wanted)
        for run in run_arms(calibrated, result, on):
            folder.store([run])
            bar.advance(task)
