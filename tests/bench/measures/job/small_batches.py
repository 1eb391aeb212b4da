"""A micro-batch that has little to do, against one of Spark's own whose operator does nothing; both state stores."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import pyarrow as pa

from simulator.plan.compile import compile_scenario
from simulator.run.cell import Cell
from simulator.workload import arrivals
from streaming.files.parquet_files import ParquetFiles
from streaming.jobs.claim import claimed
from streaming.jobs.job import Options
from streaming.jobs.query import start
from streaming.jobs.scenario_job import scenario_job
from streaming.spark.query_settings import FILE_MANAGER, ONLY_FOLDERS
from streaming.spark.session import open_session
from tests.bench.cluster import MESSAGES_PER_S, cluster
from tests.bench.measure import Context, Entry, interleaved, median_ratio, scratch_folder
from tests.bench.measures.job.parts import Parts
from tests.bench.peers.empty_batch import start_empty, start_stages

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.streaming.query import StreamingQuery

MASTER = "local[2,4]"
PARTITIONS = 2
MESSAGES = MESSAGES_PER_S  # a micro-batch: a second of virtual time, the least that there is
WARM_BATCHES, BATCHES = 5, 8  # together fewer than the progress reports that a session keeps
STORE = "spark.sql.streaming.stateStore.providerClass"
STORES = {
    "default": "org.apache.spark.sql.execution.streaming.state.HDFSBackedStateStoreProvider",
    "rocksdb": "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider",
}


class Sides:
    """Both queries in one session; each call runs one of them from nothing: ms of its median micro-batch."""

    def __init__(self, spark: SparkSession, folder: Path, batches: int) -> None:
        self.spark, self.folder, self.batches = spark, folder, batches

    @contextmanager
    def _folder(self, store: str) -> Iterator[Path]:
        self.spark.conf.set(STORE, STORES[store])
        self.spark.conf.set(FILE_MANAGER, ONLY_FOLDERS)  # as a job has it, for all sides
        self.spark.conf.set("spark.sql.shuffle.partitions", str(PARTITIONS))
        with scratch_folder(self.folder) as folder:
            yield folder

    def sendlab(self, store: str) -> float:
        """The job: its source, operator and Parquet sink, all tables."""
        job = scenario_job(cluster(MESSAGES * (self.batches + WARM_BATCHES) / MESSAGES_PER_S, cells=PARTITIONS))
        with self._folder(store) as folder, claimed(job, Options(out=folder / "out", max_events=MESSAGES)) as claim:
            query = start(claim, self.spark)
            query.awaitTermination()
            return _median_ms(query)

    def empty(self, store: str) -> float:
        """An operator that gives nothing and remembers a number, of a source with a row a partition."""
        return self._endless(store, start_empty)

    def stages(self, store: str) -> float:
        """The same operator behind a source in Python, and what it gives collected, as of a job."""
        return self._endless(store, start_stages)

    def _endless(self, store: str, begin: Callable[[SparkSession, int, Path], StreamingQuery]) -> float:
        with self._folder(store) as folder:
            query = begin(self.spark, PARTITIONS, folder / "checkpoint")
            while query.isActive and len(query.recentProgress) < self.batches + WARM_BATCHES:
                time.sleep(0.1)
            query.stop()
            return _median_ms(query)


def work_ms(folder: Path, batches: int) -> dict[str, float]:
    """CPU milliseconds of what a micro-batch of the job is for, part by part, in this process alone."""
    plan = compile_scenario(cluster((batches + WARM_BATCHES) * MESSAGES / MESSAGES_PER_S))
    own, each = plan.cells[0], [Parts() for _ in range(plan.windows)]
    cell = Cell(own)
    for window, parts in enumerate(each):
        events = arrivals(own.streams, plan.seed, window, plan.window_us, plan.duration_us)
        rows = parts.take("the loop and its rows", partial(cell.step, events, (window + 1) * plan.window_us))
        parts.take("Parquet", partial(_written, rows, ParquetFiles(folder / "work", f"part-{window}")))
        row = parts.take("state", cell.snapshot)
        cell = parts.take("state", partial(Cell.restore, own, row))
    names = each[0].seconds
    return {name: round(median(one.seconds[name] for one in each[WARM_BATCHES:]) * 1e3, 1) for name in names}


def _written(rows: Mapping[str, list[pa.Table]], files: ParquetFiles) -> None:
    for name, tables in rows.items():
        for table in tables:
            files.write("bench", name, table)
    files.close()


def _median_ms(query: StreamingQuery) -> float:
    took = [each["durationMs"]["triggerExecution"] for each in query.recentProgress if each["numInputRows"]]
    return float(median(took[WARM_BATCHES:]))


def measure(context: Context) -> Iterator[Entry]:
    """The ratio of median micro-batches, that of empty stages of a job, and that of ours with either state store."""
    folder = context.scratch / "small_batches"
    folder.mkdir()
    context.tell("the work of a micro-batch alone")
    work = work_ms(folder, 3 if context.quick else BATCHES)
    spark = open_session(folder, master=MASTER, partitions=PARTITIONS)
    try:
        sides = Sides(spark, folder, 3 if context.quick else BATCHES)
        turns = [
            lambda: sides.sendlab("default"), lambda: sides.empty("default"), lambda: sides.sendlab("rocksdb"),
            lambda: sides.stages("default"),
        ]  # fmt: skip
        context.tell("each once, not counted")
        interleaved(1, *turns)
        context.tell(f"in turn, {sides.batches} micro-batches each")
        ours, peer, rocks, stages = interleaved(1 if context.quick else 3, *turns)
    finally:
        spark.stop()
    yield Entry(
        "small_batch_vs_empty", median_ratio(ours, peer), "x",
        ours=f"{median(ours):,.0f} ms", peer=f"{median(peer):,.0f} ms",
        more={
            "messages_a_batch": MESSAGES, "ours_ms": median(ours), "peer_ms": median(peer),
            "stages_ms": median(stages), "stages_ratio": round(median_ratio(stages, peer), 3),
            "work_ms": work, "rocksdb_ms": median(rocks), "rocksdb_ratio": round(median_ratio(rocks, ours), 3),
        },
    )  # fmt: skip
