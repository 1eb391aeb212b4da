"""A job on the session that every Spark test shares: all of it, or its first micro-batches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pyspark.errors import PySparkException

from streaming.job.checkpoint import Checkpoint, manifest_of
from streaming.job.job import Job, Options, start_query

PATIENCE_S = 240


def run_shared(
    spark: Any, job: Job, out: Path, *, partitions: int = 2, events: int = 500_000, stop_after: int = 0
) -> Any:
    """Run or resume the job, up to `stop_after` more micro-batches (0: to its end); the query's exception or None."""
    spark.conf.set("spark.sql.shuffle.partitions", partitions)
    options = Options(out=out, max_events=events)
    checkpoint = Checkpoint(options.checkpoint_folder)
    checkpoint.folder.mkdir(parents=True, exist_ok=True)
    checkpoint.begin(manifest_of(job.kind, job.digest, job.settings, partitions, list(job.tables)))
    done = []

    def on_batch(written: list[tuple[str, int, bytes]]) -> None:
        done.append(written)
        if len(done) == stop_after:
            checkpoint.ask_to_stop()

    try:
        query = start_query(spark, job, options, on_batch)
    except Exception as error:
        return error
    try:
        assert query.awaitTermination(PATIENCE_S), "the query did not end in time"
    except PySparkException as error:
        return error
    finally:
        query.stop()
    return None
