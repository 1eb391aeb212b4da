"""`python -m tests.bench`: measure speed on this machine; exit 1 if a bound is missed, 3 if the machine is busy."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from tests.bench.bounds import is_met, lines, text_of_bound
from tests.bench.catalogue import MEASURES
from tests.bench.measure import ROOT, Entry, machine
from tests.bench.results import QUIET_AT_MOST_PERCENT, SO_FAR, OtherRun, SoFar, busy_percent, store

BUSY_CODE = 3  # exit code: the environment
CALM_S = 60.0  # how long a measure waits for the work before it to end


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=MEASURES, metavar="NAME", help=f"any of {', '.join(MEASURES)}")
    parser.add_argument("--quick", action="store_true", help="tiny sizes: checks that each measure works")
    parser.add_argument("--busy", action="store_true", help="measure although other work takes the machine's cores")
    parser.add_argument("--resume", action="store_true", help="take what a run lacks, or measured beside other work")
    return parser.parse_args()


def measured(name: str, *, quick: bool, show: Callable[[str], None]) -> list[Entry]:
    """The figures of one measure, taken in a process of its own. Raises RuntimeError with its output if it fails."""
    command = [sys.executable, "-m", "tests.bench.one", name, *(["--quick"] if quick else [])]
    # Where bytecode may not be written, every process compiles every module.
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    entries, other = [], []
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            try:
                (kind, value), *_ = json.loads(line).items()
            except (ValueError, AttributeError):
                other.append(line)
                continue
            if kind == "entry":
                entries.append(Entry(**value))
            else:
                show(value)
    if process.returncode != 0 or not entries:
        raise RuntimeError("".join(other[-30:]))
    return entries


def _table(measured: Sequence[Mapping[str, Any]]) -> Table:
    table = Table("measure", "ours", "peer", "value", "held", "ok", title=machine(), title_justify="left")
    for line in measured:
        ok = "[green]yes[/]" if is_met(line) else "[red]no[/]"
        value = f"{line['value']:.2f} {line['unit']}"
        held = text_of_bound(lines()[line["name"]].required, line["unit"])
        table.add_row(line["name"], line["ours"], line.get("peer", ""), value, held, ok)
    return table


def _calm() -> float:
    """Percent of all cores that other work takes, once it is quiet or has had its time."""
    began, busy = time.monotonic(), busy_percent()
    while busy > QUIET_AT_MOST_PERCENT and time.monotonic() - began < CALM_S:
        busy = busy_percent()
    return busy


def _is_quiet(console: Console) -> bool:
    busy = _calm()
    if busy <= QUIET_AT_MOST_PERCENT:
        return True
    console.print(
        f"Other work takes {busy:.0f} % of this machine's cores; figures need {QUIET_AT_MOST_PERCENT:.0f} % or less."
        " Stop it, or measure anyway with --busy: such figures are marked."
    )
    return False


def minutes_left(names: Sequence[str]) -> int:
    """Minutes that these measures take on a quiet machine, rounded up."""
    return -(-sum(MEASURES[name].seconds for name in names) // 60)


def _take(asked: argparse.Namespace, so_far: SoFar, names: Sequence[str], console: Console, *, keeps: bool) -> set[str]:
    """Take these measures one after the other; which of them failed. What finds no quiet machine is left out."""
    failed: set[str] = set()
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        for number, name in enumerate(names):
            about = MEASURES[name].about
            task = bar.add_task(about)

            def show(text: str, task: Any = task, about: str = about) -> None:
                bar.update(task, description=f"{about}: {text}")

            busy, began = 0.0 if asked.quick else _calm(), time.monotonic()
            if busy > QUIET_AT_MOST_PERCENT and not asked.busy:
                bar.remove_task(task)
                console.print(f"{name}: left out, other work takes {busy:.0f} % of the cores", highlight=False)
                continue
            try:
                entries = measured(name, quick=asked.quick, show=show)
            except RuntimeError as error:
                console.print(f"{name} failed:\n{error}", markup=False)
                failed.add(name)
            else:
                took = time.monotonic() - began
                busy = busy if asked.quick else max(busy, busy_percent())  # what began meanwhile
                so_far.add(name, [entry.as_json() for entry in entries], busy, took)
                if keeps:
                    so_far.keep()
            bar.remove_task(task)
            mark = f", other work took {busy:.0f} % of the cores" if busy > QUIET_AT_MOST_PERCENT else ""
            left = "" if asked.quick else f"; about {minutes_left(names[number + 1 :])} min left"
            console.print(f"{name}: {time.monotonic() - began:.0f} s{mark}{left}", highlight=False)
    return failed


def main() -> int:
    """Run the measures that were asked for; a whole run is stored in results.json."""
    asked = _arguments()
    console = Console()
    if not (asked.quick or asked.busy) and not _is_quiet(console):
        return BUSY_CODE
    whole = not (asked.only or asked.quick)
    try:
        so_far = SoFar.resumed() if asked.resume else SoFar.begun()
    except OtherRun as error:
        console.print(str(error))
        return 2
    names = [name for name in asked.only or MEASURES if name not in so_far.lines]
    failed = _take(asked, so_far, names, console, keeps=whole)
    found = so_far.in_order(list(MEASURES))
    console.print(_table(found))
    missed = [line["name"] for line in found if not is_met(line)]
    if failed or missed:
        console.print(f"Failed: {', '.join(sorted(failed)) or 'none'}. Missed: {', '.join(missed) or 'none'}.")
    if whole and set(so_far.lines) == set(MEASURES):
        store(so_far.run(list(MEASURES)), found)
        SO_FAR.unlink(missing_ok=True)
        console.print("Stored in tests/bench/results.json; write the page: python -m tests.bench.page")
    elif whole:
        lacking = ", ".join(name for name in MEASURES if name not in so_far.lines)
        console.print(f"Not stored: {lacking} failed or found no quiet machine. Then: python -m tests.bench --resume")
    elif not asked.quick:
        console.print("Not stored: only a whole run is.")
    if failed:
        return 1
    return 0 if asked.quick or not missed else 1


if __name__ == "__main__":
    sys.exit(main())
