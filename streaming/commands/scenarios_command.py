"""`sendlab scenarios`: the examples that come with Sendlab, listed, printed or copied to where they can be changed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.table import Table

from simulator.scenario.reading.document import Document
from simulator.scenario.reading.scenario_error import not_known
from streaming.errors import InputError
from streaming.files.whole_file import write_whole
from streaming.installation.conf_files import conf_folder
from streaming.problems import not_writable
from streaming.texts.command_result_texts import CommandResultTexts
from streaming.texts.command_texts import CommandTexts

BESIDE = re.compile(r"[\w./-]+\.(?:py|csv|yaml)\b")  # files that an example may name, as seen from its own folder
ROOMS = {"experiments": "whatif", "traces": "replay"}  # beside the scenarios; which command reads them


@dataclass(frozen=True)
class Example:
    """An example: its file, what else belongs to it, how it is read; its copies keep their path below `root`."""

    file: Path
    root: Path
    command: str
    beside: tuple[Path, ...] = ()

    @property
    def title(self) -> str:
        """What it says of itself."""
        if self.file.suffix != ".yaml":
            return CommandResultTexts.RECORDED_ATTEMPTS()
        return str(Document(self.file.read_text(), str(self.file), "example").value.get("name", ""))

    @property
    def argument(self) -> Path:
        """What its command takes, below `root`."""
        path = self.file.relative_to(self.root)
        return path if path.suffix == ".yaml" else path.with_suffix("")

    def copies(self) -> dict[Path, Path]:
        """Every file that belongs to it, by its path below `root`."""
        names = BESIDE.findall(self.file.read_text()) if self.file.suffix == ".yaml" else []
        named = [(self.file.parent / name).resolve() for name in names]
        files = (self.file, *(file for file in named if file.is_file()), *self.beside)
        return {file.relative_to(self.root): file for file in files}


def examples_in(folder: Path) -> dict[str, Example]:
    """The examples of a folder such as conf, by name."""
    folder, scenarios = folder.resolve(), folder.resolve() / "scenarios"
    found = {
        str(file.relative_to(scenarios).with_suffix("")): Example(file, scenarios, "check")
        for file in sorted(scenarios.rglob("*.yaml"))
    }
    for file in sorted((folder / "experiments").glob("*.yaml")):
        found[f"experiments/{file.stem}"] = Example(file, folder, ROOMS["experiments"])
    for file in sorted((folder / "traces").glob("*.parquet")):
        found[f"traces/{file.stem}"] = Example(file, folder, ROOMS["traces"], (file.with_suffix(".json"),))
    return found


def scenarios_command(names: Sequence[str], to: Path | None, console: Console, folder: Path | None = None) -> None:
    """List all examples, print those named, or copy them to a folder; without names all scenarios.

    Raises InputError for a name that is not there and for files that are already there and differ.
    """
    known = examples_in(folder or conf_folder())
    for name in names:
        if name not in known:
            raise InputError(not_known("scenario", name, known))
    if to is not None:
        _copy([known[name] for name in names or known], to, console)
    elif names:
        for name in names:
            _print(name, known[name], console)
    else:
        _list(known, console)


def _list(known: dict[str, Example], console: Console) -> None:
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, style="bold")
    table.add_column()
    for name, example in known.items():
        table.add_row(name, example.title)
    console.print(table, highlight=False)
    console.print()
    console.print(CommandResultTexts.EXAMPLES_HINT(), style="dim", highlight=False)


def _print(name: str, example: Example, console: Console) -> None:
    if example.file.suffix != ".yaml":
        raise InputError(CommandTexts.RECORDING_IS_NO_TEXT().at(name))
    console.print(example.file.read_text(), end="", markup=False, highlight=False, soft_wrap=True)


def _put(content: bytes, file: Path) -> None:
    file.write_bytes(content)


def _copy(chosen: Sequence[Example], to: Path, console: Console) -> None:
    """Copy examples with the files that they name; all or, if one is in the way, none."""
    contents = {to / path: file.read_bytes() for each in chosen for path, file in each.copies().items()}
    try:
        for target, content in contents.items():
            if target.exists() and target.read_bytes() != content:
                raise InputError(CommandTexts.TARGET_DIFFERS().at(target))
        for target, content in contents.items():
            target.parent.mkdir(parents=True, exist_ok=True)
            write_whole(target, partial(_put, content))
    except OSError as error:
        raise not_writable(error, Path(error.filename or to)) from error
    first = chosen[0]
    text = CommandResultTexts.EXAMPLES_COPIED(
        count=len(contents), to=to, command=first.command, argument=to / first.argument
    )
    console.print(text, highlight=False, soft_wrap=True)


def file_or_example(given: Path) -> Path:
    """The file of a path, or of an example's name such as quickstart. Raises InputError for what is neither."""
    if given.exists() or given.suffix:
        return given
    known = examples_in(conf_folder())
    found = known.get(str(given))
    if found is None:
        names = [name for name, example in known.items() if example.command == "check"]
        raise InputError(CommandTexts.NO_FILE_NOR_EXAMPLE(why=not_known("example", str(given), names)).at(given))
    return found.file
