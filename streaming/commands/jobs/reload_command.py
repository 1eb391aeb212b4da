"""`sendlab reload`: another scenario for a job that has begun, from its next micro-batch on."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from simulator.scenario import Scenario, load_scenario
from simulator.scenario.reading.scenario_error import ScenarioError
from simulator.units import format_duration
from state.texts import at, sentence_of
from streaming.errors import EnvironmentProblem, InputError
from streaming.jobs.folders.checkpoint import Checkpoint
from streaming.jobs.folders.folder_lock import holder_of
from streaming.jobs.job import FOREVER
from streaming.jobs.reload.change_log import ChangeLog, Reload
from streaming.jobs.reload.reload_request import ReloadAnswer, Request, answered, ask, asked, withdraw
from streaming.jobs.reload.restart import change_lines
from streaming.options.changes import overrides_of
from streaming.texts.command_result_texts import CommandResultTexts
from streaming.texts.command_texts import CommandTexts

PATIENCE_S = 600.0
POLL_S = 0.1


def reload_command(folder: Path, file: Path, changes: Sequence[str], *, from_now: bool, console: Console) -> int:
    """Have a job go on as the scenario says: 0. Raises ScenarioError, InputError, EnvironmentProblem."""
    checkpoint = Checkpoint.of(folder)
    for run in checkpoint.manifest()["runs"].values():
        if run.get("kind") == "kafka":
            raise InputError(CommandTexts.EVENTS_FROM_KAFKA().at(folder))
    change_log = ChangeLog.of(checkpoint)
    wanted = _wanted(file, changes, change_log.began, console)
    try:
        planned = change_log.changed(wanted, change_log.planned_us, from_now=from_now)
    except ScenarioError as error:
        raise InputError(at(file, sentence_of(error))) from None
    if planned is None:
        console.print(CommandResultTexts.NO_CHANGE(), highlight=False)
        return 0
    request = Request(wanted.to_yaml(), from_now)
    if holder_of(checkpoint.folder) is None:
        made: Reload | None = _store(checkpoint, request)
        console.print(CommandResultTexts.CHANGE_ON_RESUMING(), style="dim", highlight=False)
    else:
        made = _asked_for(checkpoint, request, file, console)
    for line in () if made is None else change_lines(made):
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    return 0


def _wanted(file: Path, changes: Sequence[str], began: Scenario, console: Console) -> Scenario:
    """The scenario of the file with the job's seed and length; what else the file says of these is printed."""
    own = load_scenario(file, overrides_of(changes))
    for key, there, here in (
        ("seed", str(began.seed), str(own.seed)),
        ("duration", format_duration(began.duration_us), format_duration(own.duration_us)),
    ):
        if there == FOREVER and key == "duration":
            continue  # a job without an end: a file's duration is not about it
        if there != here:
            text = CommandResultTexts.KEY_STAYS(key=key, there=there, file=file, here=here)
            console.print(text, style="dim", highlight=False, soft_wrap=True)
    stays = {"seed": str(began.seed), "duration": format_duration(began.duration_us)}
    return load_scenario(file, overrides_of(changes) | stays)


def _store(checkpoint: Checkpoint, request: Request) -> Reload | None:
    """The change of a job that does not run, made."""
    with checkpoint.owned():
        checkpoint.check_whole()
        change_log = ChangeLog.of(checkpoint)
        reload = change_log.changed(request.wanted, change_log.planned_us, request.id, from_now=request.from_now)
        if reload is not None:
            change_log.having(reload).store()
        return reload


def _asked_for(checkpoint: Checkpoint, request: Request, file: Path, console: Console) -> Reload | None:
    """The change that the running job made. Raises InputError if it refuses, EnvironmentProblem if it says nothing."""
    until_s = time.monotonic() + PATIENCE_S
    ask(checkpoint, request)
    try:
        with console.status(CommandResultTexts.WAITING_FOR_MICRO_BATCH()):
            while True:
                is_lost = asked(checkpoint) is None  # a job that starts removes what others asked for before it
                found = answered(checkpoint, request)
                if found is not None:
                    break
                if is_lost:
                    ask(checkpoint, request)
                if holder_of(checkpoint.folder) is None or time.monotonic() > until_s:
                    return _made_before_it_ended(checkpoint, request)
                time.sleep(POLL_S)
    finally:
        withdraw(checkpoint)
    if found.refused:
        raise InputError(f"{file}: {found.refused}")
    return _made(found, request)


def _made(found: ReloadAnswer, request: Request) -> Reload | None:
    return Reload(found.at_us, "", request.scenario, found.changes, request.id) if found.changes else None


def _made_before_it_ended(checkpoint: Checkpoint, request: Request) -> Reload:
    for reload in ChangeLog.of(checkpoint).reloads:
        if reload.id == request.id:
            return reload
    raise EnvironmentProblem(CommandTexts.NOT_ANSWERED().at(checkpoint.folder))
