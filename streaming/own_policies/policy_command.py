"""`sendlab policy`: a policy file to begin with, and whether one keeps to what it must."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from rich.console import Console

from simulator.scenario.policy.own_policy import is_own
from streaming.errors import InputError
from streaming.files.whole_file import write_text_whole
from streaming.own_policies.policy_trial import tried
from streaming.problems import not_writable
from streaming.texts.command_result_texts import CommandResultTexts
from streaming.texts.command_texts import CommandTexts


def new_command(file: Path, console: Console) -> None:
    """Write a working skeleton. Raises InputError (not a .py, or there already) and EnvironmentProblem."""
    if not is_own(file.name):
        raise InputError(CommandTexts.PYTHON_FILE_EXPECTED().at(file))
    if file.exists():
        raise InputError(CommandTexts.POLICY_THERE_ALREADY(file=file))
    text = (files("streaming.own_policies") / "skeleton.py.txt").read_text("utf-8")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise not_writable(error, file) from error
    write_text_whole(file, text.replace("NAME", file.stem).replace("FILE", file.name))
    console.print(CommandResultTexts.POLICY_WRITTEN(file=file), highlight=False, soft_wrap=True)


def check_command(file: Path, patience_s: float, console: Console) -> int:
    """Try a policy file and say what is wrong with it in a sentence; 1 if something is, else 0."""
    if not file.is_file():
        raise InputError(CommandTexts.NO_SUCH_FILE().at(file))
    console.print(CommandResultTexts.POLICY_TRIED(file=file), style="dim", highlight=False)
    found = tried(file, patience_s)
    if found.problem is not None:
        console.print(found.problem, markup=False, highlight=False, soft_wrap=True)
        return 1
    console.print(
        CommandResultTexts.POLICY_FINE(parts=found.parts).at(file), markup=False, highlight=False, soft_wrap=True
    )
    return 0
