"""A job on the session that every Spark test shares: all of it, or its first micro-batches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pyspark.errors import PySparkException

from streaming.jobs.claim import Claim, claimed
from streaming.jobs.job import Job, Options
from streaming.jobs.query import start
from streaming.problems import WORKER_DID_NOT_CONNECT
from streaming.runner.query_run import START_TRIES

PATIENCE_S = 240


def run_shared(
    spark: Any, job: Job, out: Path, *, partitions: int = 2, events: int = 500_000, stop_after: int = 0, **more: Any
) -> Any:
    """Run or resume the job, up to `stop_after` more micro-batches (0: to its end); the query's exception or None.

    `more`: further options of the job.

    As a command does, it starts the query again if the machine was too busy to start a worker of Spark's.
    """
    spark.conf.set("spark.sql.shuffle.partitions", partitions)
    with claimed(job, Options(out=out, partitions=partitions, max_events=events, **more)) as claim:
        done = []

        def count(progress: Any) -> None:
            done.append(progress.last)
            if len(done) == stop_after:
                claim.checkpoint.ask_to_stop()

        claim.progress.subscribe(count)
        for _ in range(START_TRIES):
            error = _ended(claim, spark)
            if WORKER_DID_NOT_CONNECT not in str(error):
                break
    return error


def _ended(claim: Claim, spark: Any) -> Exception | None:
    """The exception that the query of a claimed job ends with, if any."""
    try:
        query = start(claim, spark)
    except Exception as error:
        return error
    try:
        assert query.awaitTermination(PATIENCE_S), "the query did not end in time"
    except PySparkException as error:
        return error
    finally:
        query.stop()
    return None
