"""The streaming query of a job: source -> operator -> sinks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from streaming.flow.run_spec import RunSpec
from streaming.flow.source import POLL_S
from streaming.jobs.claim import Claim
from streaming.jobs.sinks import write_all, written_already
from streaming.jobs.steppers import stepper_of
from streaming.operator.operator import decisions
from streaming.spark.query_settings import set_for_query
from streaming.spark.spark_internals import jvm_pid
from streaming.spark.worker import warm_workers

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.streaming.query import StreamingQuery

POLLING_TRIGGER = f"{POLL_S} seconds"


def start(claim: Claim, spark: SparkSession) -> StreamingQuery:
    """Start the query of a claimed job; the claim must be held until it has ended."""
    job, checkpoint = claim.job, claim.checkpoint
    checkpoint.note_owner(jvm_pid(spark))
    warm_workers(spark, _model_of(job.specs))

    files = claim.files

    def sink(batch: Any, batch_id: int) -> None:
        written = write_all(claim.sinks, batch, batch_id) if files is None else written_already(batch, batch_id)
        claim.progress.add(written, batch_id)

    with set_for_query(spark, claim.partitions, in_folder=checkpoint.files.in_folder):
        found = decisions(claim.source.blocks(spark), job.specs, job.tables, stepper_of, claim.salts, files)
        writer = found.writeStream.foreachBatch(sink)
        writer = writer.outputMode("append").option("checkpointLocation", checkpoint.files.location)
        polled = claim.source.is_polled
        return (writer.trigger(processingTime=POLLING_TRIGGER) if polled else writer.trigger(availableNow=True)).start()


def _model_of(runs: Sequence[RunSpec]) -> Callable[[], None]:
    """What a worker loads before its first cell of these runs."""

    def load() -> None:
        import pyarrow.parquet  # noqa: F401

        stepper_of(runs[0], 0, None, ())

    return load
