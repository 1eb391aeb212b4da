"""`python -m tests.bench`: measure speed on this machine; exit 1 if a bound is missed."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from tests.bench.measure import Context, Entry, machine

RESULTS = Path(__file__).with_name("results.json")
MEASURES: Mapping[str, str] = {
    "event_mode": "event mode to Parquet against an identity operator",
    "small_batches": "a micro-batch with little to do against an empty one of Spark's",
    "kafka": "a Kafka topic to Parquet against Spark reading the topic",
    "event_loop": "bare event loop against SimPy",
    "before": "event loop, compile and start against the code from before memory had names",
    "parts": "where the time of an attempt goes on its way to Parquet",
    "scaling": "cost of a send from small to large clusters",
    "selection": "select and update against the Java client",
    "own_policy": "a policy of one's own against built-in ones",
    "first_decision": "sendlab run until the first decision",
    "experiments": "sendlab whatif against SimPy, the bare loop and its own growth",
    "large_cluster": "a run with 100,000 producers against one with 10",
    "importing": "sendlab import csv, 1 and 10 million rows",
    "machines": "sendlab whatif on two workers of a cluster against one",
    "peak_memory": "peak memory, ten minutes against two hours",
}


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=MEASURES, metavar="NAME", help=f"any of {', '.join(MEASURES)}")
    parser.add_argument("--quick", action="store_true", help="tiny sizes: does it work? Writes no results.json")
    return parser.parse_args()


def _measured(name: str, quick: bool, scratch: Path, tell: Callable[[str], None]) -> Iterator[Entry]:
    yield from import_module(f"tests.bench.measures.{name}").measure(Context(quick, scratch, tell))


def _table(entries: list[Entry]) -> Table:
    table = Table("measure", "ours", "peer", "ratio", "required", "ok", title=machine(), title_justify="left")
    for entry in entries:
        ok = "[green]yes[/]" if entry.is_met else "[red]no[/]"
        value = f"{entry.value:.2f} {entry.unit}"
        table.add_row(entry.name, entry.ours, entry.peer, value, entry.bound, ok)
    return table


def _store(entries: list[Entry]) -> None:
    """Write the results; a measure that was not run this time keeps its line."""
    lines = {line["name"]: line for line in json.loads(RESULTS.read_text())} if RESULTS.exists() else {}
    lines |= {entry.name: {**entry.as_json(), "machine": machine()} for entry in entries}
    RESULTS.write_text(json.dumps(list(lines.values()), indent=1, ensure_ascii=False) + "\n")


def main() -> int:
    """Run the measures that were asked for."""
    asked = _arguments()
    console = Console()
    entries: list[Entry] = []
    failed = False
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with tempfile.TemporaryDirectory(prefix="sendlab-bench-") as folder, Progress(*columns, console=console) as bar:
        for name in asked.only or MEASURES:
            task = bar.add_task(MEASURES[name])

            def tell(text: str, task: int = task, name: str = name) -> None:
                bar.update(task, description=f"{MEASURES[name]}: {text}")

            try:
                entries += _measured(name, asked.quick, Path(folder), tell)
            except Exception:
                console.print_exception(suppress=[argparse])
                failed = True
            bar.update(task, description=MEASURES[name], total=1, completed=1)
    console.print(_table(entries))
    if asked.quick:
        console.print_json(data=[entry.as_json() for entry in entries])
    else:
        _store(entries)
    return 1 if failed or not all(entry.is_met for entry in entries) else 0


if __name__ == "__main__":
    sys.exit(main())
