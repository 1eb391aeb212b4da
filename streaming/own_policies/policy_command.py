"""`sendlab policy`: a policy file to begin with, and whether one keeps to what it must."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from rich.console import Console

from simulator.scenario.policy.own_policy import is_own
from streaming.errors import EnvironmentProblem, InputError
from streaming.files.whole_file import write_text_whole
from streaming.own_policies.policy_trial import tried


def new_command(file: Path, console: Console) -> None:
    """Write a working skeleton. Raises InputError (not a .py, or there already) and EnvironmentProblem."""
    if not is_own(file.name):
        raise InputError(f"{file}: expected the name of a Python file such as my_policy.py")
    if file.exists():
        raise InputError(f"{file} is there already; choose another name")
    text = (files("streaming.own_policies") / "skeleton.py.txt").read_text("utf-8")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EnvironmentProblem(f"{file}: cannot be written: {error.strerror or error}") from error
    write_text_whole(file, text.replace("NAME", file.stem).replace("FILE", file.name))
    console.print(f"{file}: change it, then: sendlab policy check {file}", highlight=False, soft_wrap=True)


def check_command(file: Path, patience_s: float, console: Console) -> int:
    """Try a policy file and say what is wrong with it in a sentence; 1 if something is, else 0."""
    if not file.is_file():
        raise InputError(f"{file}: no such file")
    console.print(f"compiling {file} and asking it drawn questions", style="dim", highlight=False)
    found = tried(file, patience_s)
    if found.problem is not None:
        console.print(found.problem, markup=False, highlight=False, soft_wrap=True)
        return 1
    what = "deterministic, restored exactly, within the list, no index outside its memory"
    console.print(f"{file}: fine: {found.parts}; {what}", markup=False, highlight=False, soft_wrap=True)
    return 0
