"""The streaming query of a job: source -> operator -> sink."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from streaming.flow.kinds_of_run import feed_of, spelled
from streaming.flow.operator import decisions
from streaming.flow.sinks import SINKS
from streaming.flow.source import SendlabSource, Shape
from streaming.job.claim import Claim
from streaming.spark.session import jvm_pid
from streaming.spark.worker import warm_workers

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.streaming.query import StreamingQuery

PACED_TRIGGER = "1 second"


def start(claim: Claim, spark: SparkSession) -> StreamingQuery:
    """Start the query of a claimed job; the claim must be held until it has ended."""
    job, options, checkpoint = claim.job, claim.options, claim.checkpoint
    checkpoint.note_owner(jvm_pid(spark))
    warm_workers(spark, job.specs)
    spark.dataSource.register(SendlabSource)
    blocks = (
        spark.readStream.format("sendlab")
        .option("runs", spelled(job.specs))
        .option("shape", Shape.of([feed_of(spec) for spec in job.specs]).option)
        .option("maxevents", str(options.max_events))
        .option("speed", str(options.speed))
        .option("stopfile", str(checkpoint.stop_file))
        .load()
    )
    write = SINKS[options.sink]

    def sink(batch: Any, batch_id: int) -> None:
        claim.progress.add(write(batch, options.out, batch_id))

    writer = decisions(blocks, job.specs, job.tables).writeStream.foreachBatch(sink)
    writer = writer.outputMode("append").option("checkpointLocation", str(checkpoint.spark))
    paced = options.speed > 0
    return (writer.trigger(processingTime=PACED_TRIGGER) if paced else writer.trigger(availableNow=True)).start()
