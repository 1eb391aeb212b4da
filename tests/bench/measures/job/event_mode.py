"""Event mode, source -> operator -> Parquet, against an identity `applyInPandasWithState` on one row an attempt."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from streaming.jobs.claim import claimed
from streaming.jobs.job import Options
from streaming.jobs.progress import Progress
from streaming.jobs.query import start
from streaming.jobs.scenario_job import scenario_job
from streaming.spark.query_settings import BLOCKS_A_BATCH, BYTES_A_BATCH
from streaming.spark.session import open_session
from tests.bench.cluster import MESSAGES_PER_S, cluster
from tests.bench.measure import Context, Entry, interleaved, median_ratio, scratch_folder
from tests.bench.peers.identity import prepare_rows, start_identity

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.streaming.query import StreamingQuery

MASTER = "local[2,4]"
PARTITIONS = 2
JAVA_OPTIONS = "-Xss16m"  # both compilers for both sides: the peer's rows pass through compiled Java code
SPARKS_BYTES_A_BATCH = "64m"  # its default, for the peer
WARM_BATCHES = 2  # the first is small and starts the workers, the second lets them settle
CELLS = (2, 1)  # the first is the figure that the bound is for


class Sides:
    """Both queries in one session; each call runs one of them from nothing and gives attempts a second."""

    def __init__(self, spark: SparkSession, folder: Path, attempts_a_batch: int, batches: int) -> None:
        self.spark, self.folder, self.batches = spark, folder, batches
        self.attempts_a_batch = attempts_a_batch

    def sendlab(self, cells: int, keep: Path | None = None) -> float:
        """Attempts a second of the job's own pieces in its settled micro-batches."""
        windows = self.attempts_a_batch * (self.batches + WARM_BATCHES) / MESSAGES_PER_S
        job = scenario_job(cluster(windows, cells=cells), ("attempts", "rejects"))
        written: list[int] = []

        def count(progress: Progress) -> None:
            written.append(sum(n for table, n, _ in progress.last if table == "attempts"))

        self.spark.conf.set("spark.sql.shuffle.partitions", str(min(PARTITIONS, cells)))
        self.spark.conf.set("spark.sql.codegen.wholeStage", "false")
        self.spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", str(BLOCKS_A_BATCH))
        self.spark.conf.set("spark.sql.execution.arrow.maxBytesPerBatch", BYTES_A_BATCH)
        with scratch_folder(self.folder) as folder:
            options = Options(out=folder / "out", max_events=self.attempts_a_batch)
            with claimed(job, options) as claim:
                claim.progress.subscribe(count)
                spent = _seconds(start(claim, self.spark))
            if keep is not None:
                shutil.move(folder / "out" / "attempts", keep)
        return _settled(written, spent, self.batches)

    def identity(self, rows: Path) -> float:
        """Attempts a second of the peer in as many micro-batches."""
        self.spark.conf.set("spark.sql.shuffle.partitions", str(PARTITIONS))
        self.spark.conf.set("spark.sql.codegen.wholeStage", "true")
        self.spark.conf.set("spark.sql.execution.arrow.maxBytesPerBatch", SPARKS_BYTES_A_BATCH)
        with scratch_folder(self.folder) as folder:
            spent = _seconds(start_identity(self.spark, rows, folder / "out", folder / "checkpoint"))
        return _settled([self.attempts_a_batch] * len(spent), spent, self.batches)


def _seconds(query: StreamingQuery) -> list[float]:
    """How long each micro-batch took, from its trigger to its commit."""
    query.awaitTermination()
    return [p["durationMs"]["triggerExecution"] / 1000 for p in query.recentProgress]


def _settled(attempts: list[int], seconds: list[float], batches: int) -> float:
    chosen = slice(WARM_BATCHES, WARM_BATCHES + batches)
    if len(attempts[chosen]) < batches or len(seconds) < WARM_BATCHES + batches:
        raise RuntimeError(f"expected {WARM_BATCHES + batches} micro-batches, got {len(seconds)}")
    return sum(attempts[chosen]) / sum(seconds[chosen])


def measure(context: Context) -> Iterator[Entry]:
    """The ratio of attempts a second, source to Parquet, steady micro-batches."""
    attempts = 100_000 if context.quick else 1_000_000
    batches, repetitions = (1, 1) if context.quick else (2, 3)
    folder = context.scratch / "event_mode"
    folder.mkdir()
    spark = open_session(folder, master=MASTER, partitions=PARTITIONS, java_options=JAVA_OPTIONS)
    try:
        sides = Sides(spark, folder, attempts, batches)
        context.tell("a first run, whose attempts become the peer's rows")
        sides.sendlab(2, keep=folder / "attempts")
        rows = folder / "rows"
        prepare_rows(folder / "attempts", rows, attempts, batches + WARM_BATCHES)
        turns = [*(lambda cells=cells: sides.sendlab(cells) for cells in CELLS), lambda: sides.identity(rows)]
        context.tell("each once, not counted, until the JVM has compiled what is hot")
        interleaved(1, *turns)
        context.tell(f"in turn, {batches} micro-batches of {attempts:,} attempts each")
        ours, one_cell, peer = interleaved(repetitions, *turns)
    finally:
        spark.stop()
    yield Entry(
        "event_mode_vs_identity", median_ratio(ours, peer), "x",
        ours=f"{median(ours) / 1e6:.2f} M attempts/s", peer=f"{median(peer) / 1e6:.2f} M attempts/s",
        more={
            "attempts_per_s": round(median(ours)), "peer_attempts_per_s": round(median(peer)), "cells": CELLS[0],
            "one_cell_attempts_per_s": round(median(one_cell)),
            "one_cell_ratio": round(median_ratio(one_cell, peer), 3),
            "attempts_a_batch": attempts, "repetitions": repetitions,
        },
    )  # fmt: skip
