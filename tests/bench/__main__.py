"""`python -m tests.bench`: measure speed on this machine; exit 1 if a bound is missed, 3 if the machine is busy."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Mapping

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from tests.bench.measure import ROOT, Entry, machine
from tests.bench.results import QUIET_AT_MOST_PERCENT, busy_percent, store, this_run

MEASURES: Mapping[str, str] = {
    "event_mode": "event mode to Parquet against an identity operator",
    "small_batches": "a micro-batch with little to do against an empty one of Spark's",
    "kafka": "a Kafka topic to Parquet against Spark reading the topic",
    "event_loop": "bare event loop against SimPy",
    "floor": "what this machine takes for a line of memory and a branch",
    "before": "event loop, compile and start against an earlier commit",
    "parts": "where the time of an attempt goes on its way to Parquet",
    "spark_settings": "event mode under Spark's own settings",
    "scaling": "cost of a send from small to large clusters",
    "consumers": "consumers against SimPy, and what a consumption costs as groups and backlogs grow",
    "selection": "select and update against the Java client",
    "own_policy": "your own policy against built-in ones",
    "commands": "short commands, and the quickstart without Spark",
    "pace": "when a decision can be read with --pace 1x",
    "first_decision": "sendlab run until the first decision",
    "experiments": "sendlab whatif against SimPy, the bare loop and its own growth",
    "experiment_parts": "where the time of an experiment goes",
    "large_cluster": "a run with 100,000 producers against one with 10",
    "importing": "sendlab import csv, 1 and 10 million rows",
    "machines": "sendlab whatif on two workers of a cluster against one",
    "peak_memory": "peak memory, ten minutes against two hours",
}
BUSY_CODE = 3  # exit code: the environment


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=MEASURES, metavar="NAME", help=f"any of {', '.join(MEASURES)}")
    parser.add_argument("--quick", action="store_true", help="tiny sizes: checks that each measure works")
    parser.add_argument("--busy", action="store_true", help="measure although other work takes the machine's cores")
    return parser.parse_args()


def measured(name: str, *, quick: bool, show: Callable[[str], None]) -> list[Entry]:
    """The figures of one measure, taken in a process of its own. Raises RuntimeError with its output if it fails."""
    command = [sys.executable, "-m", "tests.bench.one", name, *(["--quick"] if quick else [])]
    entries, other = [], []
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
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


def _table(entries: list[Entry]) -> Table:
    table = Table("measure", "ours", "peer", "ratio", "required", "ok", title=machine(), title_justify="left")
    for entry in entries:
        ok = "[green]yes[/]" if entry.is_met else "[red]no[/]"
        value = f"{entry.value:.2f} {entry.unit}"
        table.add_row(entry.name, entry.ours, entry.peer, value, entry.bound, ok)
    return table


def _is_quiet(console: Console) -> bool:
    busy = busy_percent()
    if busy <= QUIET_AT_MOST_PERCENT:
        return True
    console.print(
        f"Other work takes {busy:.0f} % of this machine's cores; figures need {QUIET_AT_MOST_PERCENT:.0f} % or less."
        " Stop it, or measure anyway with --busy: nothing is stored then."
    )
    return False


def main() -> int:
    """Run the measures that were asked for; a whole run on a quiet machine is stored in results.json."""
    asked = _arguments()
    console = Console()
    if not (asked.quick or asked.busy) and not _is_quiet(console):
        return BUSY_CODE
    entries: list[Entry] = []
    busy: dict[str, float] = {}
    failed: list[str] = []
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=console) as bar:
        for name in asked.only or MEASURES:
            task = bar.add_task(MEASURES[name])

            def show(text: str, task: int = task, name: str = name) -> None:
                bar.update(task, description=f"{MEASURES[name]}: {text}")

            busy[name] = 0.0 if asked.quick else busy_percent()
            try:
                entries += measured(name, quick=asked.quick, show=show)
            except RuntimeError as error:
                console.print(f"{name} failed:\n{error}", markup=False)
                failed.append(name)
            bar.update(task, description=MEASURES[name], total=1, completed=1)
    console.print(_table(entries))
    missed = [entry.name for entry in entries if not entry.is_met]
    if failed or missed:
        console.print(f"Failed: {', '.join(failed) or 'none'}. Missed: {', '.join(missed) or 'none'}.")
    quiet = max(busy.values()) <= QUIET_AT_MOST_PERCENT
    if not (asked.only or asked.quick or asked.busy or failed) and quiet:
        store(this_run(busy), entries)
        console.print("Stored in tests/bench/results.json; write the page: python -m tests.bench.page")
    elif not asked.quick:
        console.print("Not stored: only a whole run, each measure on a quiet machine, is.")
    if failed:
        return 1
    return 0 if asked.quick or not missed else 1


if __name__ == "__main__":
    sys.exit(main())
