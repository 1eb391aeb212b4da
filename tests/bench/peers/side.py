"""One side of a comparison with earlier code: run as a script with the tree to measure on its path, it stands alone.

`side.py loop SCENARIO MODULES`: for every line read, "all" or "windows" (the tables that are put out), answers with
nanoseconds of CPU the loop took for a send. `side.py ready SCENARIO MODULES`: once the loop has run, answers with the
seconds of CPU of this process so far. MODULES: of Cell, of compile_text and of arrivals, separated by commas.
`side.py event FOLDER MODULE,ATTEMPTS,BATCHES`: for every line read, a number of cells, answers with the attempts a
second that the tree's job writes to Parquet in so many micro-batches of so many attempts; MODULE: its benchmark of it.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from time import process_time
from typing import Any

TABLES = {"all": ("attempts", "sends", "fault_items", "windows"), "windows": ("windows",)}


def ns_a_send(plan: Any, cell: Any, arrivals: Any) -> float:
    """Nanoseconds of CPU a send of one cell, from its first window to its last; arrivals are not counted."""
    sends, took = 0, 0.0
    for window in range(plan.windows):
        events = arrivals(plan.cells[0].streams, plan.seed, window, plan.window_us, plan.duration_us)
        began = process_time()
        cell.step(events, (window + 1) * plan.window_us)
        took += process_time() - began
        sends += len(events)
    return took / sends * 1e9


def event_mode(folder: Path, module: str, attempts: int, batches: int) -> None:
    """Answer each line with the attempts a second of the job, all in one session of Spark."""
    bench = import_module(module)
    folder.mkdir()
    options = {"master": bench.MASTER, "partitions": bench.PARTITIONS, "java_options": bench.JAVA_OPTIONS}
    spark = bench.open_session(folder, **options)
    try:
        sides = bench.Sides(spark, folder, attempts, batches)
        for line in sys.stdin:
            print(sides.sendlab(int(line)), flush=True)
    finally:
        spark.stop()


def main() -> None:
    """Measure what the arguments say."""
    what, scenario, names = sys.argv[1:]
    if what == "event":
        module, attempts, batches = names.split(",")
        event_mode(Path(scenario), module, int(attempts), int(batches))
        return
    cells, plans, workload = map(import_module, names.split(","))
    plan = plans.compile_text(Path(scenario).read_text(encoding="utf-8"))
    if what == "ready":
        cells.Cell(plan.cells[0]).drain()
        print(process_time(), flush=True)
        return
    for line in sys.stdin:
        cell = cells.Cell(plan.cells[0], TABLES[line.strip()])
        print(ns_a_send(plan, cell, workload.arrivals), flush=True)


if __name__ == "__main__":
    main()
