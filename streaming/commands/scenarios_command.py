"""`sendlab scenarios`: the examples that come with it, listed, printed or copied to where they can be changed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.table import Table

from simulator.scenario.reading.document import Document
from simulator.scenario.reading.scenario_error import not_known
from streaming.conf_files import conf_folder
from streaming.errors import EnvironmentProblem, InputError
from streaming.results.whole_file import write_whole

BESIDE = re.compile(r"[\w-]+\.(?:py|csv)\b")  # files that a scenario may name, in its own folder


def scenarios_command(names: Sequence[str], to: Path | None, console: Console, folder: Path | None = None) -> None:
    """List all scenarios, print those named, or copy them to a folder.

    Raises InputError for a name that is not there and for files that are already there and differ.
    """
    folder = folder or conf_folder() / "scenarios"
    known = {str(file.relative_to(folder).with_suffix("")): file for file in sorted(folder.rglob("*.yaml"))}
    for name in names:
        if name not in known:
            raise InputError(not_known("scenario", name, known))
    chosen = [known[name] for name in names] or list(known.values())
    if to is not None:
        _copy(chosen, folder, to, console)
    elif names:
        for file in chosen:
            console.print(file.read_text(), end="", markup=False, highlight=False, soft_wrap=True)
    else:
        _list(known, console)


def _list(known: dict[str, Path], console: Console) -> None:
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, style="bold")
    table.add_column()
    for name, file in known.items():
        table.add_row(name, str(Document(file.read_text(), str(file)).value.get("name", "")))
    console.print(table, highlight=False)
    console.print("\nsendlab scenarios NAME prints one, with --to DIR copies it", style="dim", highlight=False)


def _put(content: bytes, file: Path) -> None:
    file.write_bytes(content)


def _copy(chosen: Sequence[Path], folder: Path, to: Path, console: Console) -> None:
    """Copy scenarios with the files that they name; all or, if one is in the way, none."""
    named = [file.parent / beside for file in chosen for beside in BESIDE.findall(file.read_text())]
    contents = {to / file.relative_to(folder): file.read_bytes() for file in (*chosen, *named) if file.is_file()}
    try:
        for target, content in contents.items():
            if target.exists() and target.read_bytes() != content:
                raise InputError(f"{target}: is there already and differs; choose another --to")
        for target, content in contents.items():
            target.parent.mkdir(parents=True, exist_ok=True)
            write_whole(target, partial(_put, content))
    except OSError as error:
        raise EnvironmentProblem(f"{error.filename or to}: cannot be written: {error.strerror or error}") from error
    console.print(
        f"{len(contents)} file{'s' * (len(contents) != 1)} in {to}; try: sendlab check {next(iter(contents))}",
        highlight=False,
    )
