"""Where the time of an attempt goes on its way from the source to Parquet: CPU of each part, and of the whole job."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time
from typing import Any

import psutil
import pyarrow as pa

from simulator.plan.compile import compile_scenario
from simulator.run.cell import Cell
from simulator.workload import arrivals
from streaming.files.parquet_files import ParquetFiles
from streaming.flow.blocks import Block, decode
from streaming.flow.scenario_feed import ScenarioFeed
from streaming.spark.session import open_session
from tests.bench.cluster import MESSAGES_PER_S, cluster
from tests.bench.measure import Context, Entry
from tests.bench.measures.job.event_mode import JAVA_OPTIONS, MASTER, PARTITIONS, WARM_BATCHES, Sides

COUNTED = 4  # micro-batches of the job


class Parts:
    """Seconds of CPU by part."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def take(self, part: str, work: Callable[[], Any]) -> Any:
        """What `work` gives, its CPU (of all threads) counted to `part`."""
        began = process_time()
        result = work()
        self.seconds[part] = self.seconds.get(part, 0.0) + process_time() - began
        return result


def in_parts(attempts: int, folder: Path) -> dict[str, float]:
    """Nanoseconds of CPU an attempt of each part, one after the other in this process."""
    plan = compile_scenario(cluster(attempts / MESSAGES_PER_S))
    feed, parts, windows = ScenarioFeed(plan), Parts(), plan.windows
    own = plan.cells[0]
    cell = Cell(own, ("attempts",))
    blocks = parts.take("arrivals, drawn and encoded", lambda: list(feed.blocks(0, 0, windows)))
    events = [arrivals(own.streams, plan.seed, window, plan.window_us, plan.duration_us) for window in range(windows)]
    parts.take("arrivals, decoded", lambda: _decoded(blocks))
    tables: list[pa.Table] = []
    for window, arriving in enumerate(events):
        found = parts.take("the loop and its rows", lambda a=arriving, w=window: cell.step(a, (w + 1) * plan.window_us))
        tables += found["attempts"]
    files = ParquetFiles(folder / "parts", "part-0")

    def write() -> None:
        for table in tables:
            files.write("bench", "attempts", table)
        files.close()

    parts.take("Parquet", write)
    rows = sum(table.num_rows for table in tables)
    return {part: seconds / rows * 1e9 for part, seconds in parts.seconds.items()}


def _decoded(blocks: list[Block]) -> None:
    for block in blocks:
        if block.payload:
            decode(block.payload)


def cpu_of_all_s() -> float:
    """CPU of this process and all below it so far; of those that have ended, too."""
    members = [psutil.Process(), *psutil.Process().children(recursive=True)]
    times = [member.cpu_times() for member in members]
    return sum(t.user + t.system + t.children_user + t.children_system for t in times)


def whole(context: Context, attempts: int) -> float:
    """Nanoseconds of CPU an attempt of the job, all its processes, in settled micro-batches."""
    folder = context.scratch / "whole"
    folder.mkdir()
    spark = open_session(folder, master=MASTER, partitions=PARTITIONS, java_options=JAVA_OPTIONS)
    try:
        spent = []
        for batches in (1, 1, 1 + COUNTED):  # the first compiles what is hot in the JVM
            before = cpu_of_all_s()
            Sides(spark, folder, attempts, batches).sendlab(1)
            spent.append(cpu_of_all_s() - before)
    finally:
        spark.stop()
    return (spent[2] - spent[1]) / (attempts * COUNTED) * 1e9


def measure(context: Context) -> Iterator[Entry]:
    """How much of an attempt's CPU the model, the encodings and Parquet take, and what is Spark's."""
    attempts = 100_000 if context.quick else 1_000_000
    context.tell("part by part")
    in_parts(attempts // 10, context.scratch / "warm")
    parts = {name: round(ns) for name, ns in in_parts(attempts, context.scratch).items()}
    context.tell(f"the job, {WARM_BATCHES + 1 + COUNTED} micro-batches of {attempts:,} attempts, all its processes")
    total = whole(context, attempts)
    found = ", ".join(f"{name} {ns}" for name, ns in parts.items())
    yield Entry(
        "event_mode_parts", sum(parts.values()) / total, "of the whole",
        ours=f"{found}; Spark's own {round(total - sum(parts.values()))}", peer=f"{total:.0f} ns of CPU an attempt",
        more={"parts_ns": parts, "whole_ns": round(total), "cores": os.cpu_count()},
    )  # fmt: skip
