"""From a Kafka topic to Parquet, against a plain Spark job that reads and counts the same topic."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from simulator.plan.compile import compile_scenario
from streaming.jobs.claim import claimed
from streaming.jobs.job import Job, Options
from streaming.jobs.query import start
from streaming.jobs.scenario_job import scenario_job
from streaming.kafka.brokers.kafka_login import Connection
from streaming.kafka.brokers.local_broker import LocalBroker
from streaming.kafka.brokers.spark_connector import with_connector
from streaming.kafka.intake.kafka_source import KafkaInput
from streaming.kafka.intake.kafka_stepper import Intake
from streaming.kafka.publishing.delivery import deliver, make_topic
from streaming.kafka.publishing.run_records import records_of
from streaming.spark.session import open_session
from tests.bench.cluster import MESSAGES_PER_S, cluster
from tests.bench.measure import Context, Entry, interleaved, median_ratio

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

TOPIC, PARTITIONS, CELLS = "events", 6, 2
JAVA_OPTIONS = "-Xss16m"  # both compilers for both sides
WARM_BATCHES = 2


class Sides:
    """Both queries on one topic in one session; each call gives events a second of the settled micro-batches."""

    def __init__(self, spark: SparkSession, folder: Path, given: KafkaInput, job: Job, events_a_batch: int) -> None:
        self.spark, self.folder, self.given, self.job = spark, folder, given, job
        self.events_a_batch = events_a_batch
        self.numbers = count()

    def sendlab(self) -> float:
        """The job, from the topic to Parquet."""
        out = self.folder / f"out-{next(self.numbers)}"
        self.spark.conf.set("spark.sql.shuffle.partitions", str(CELLS))
        self.spark.conf.set("spark.sql.codegen.wholeStage", "false")
        with claimed(self.job, Options(out=out, max_events=self.events_a_batch)) as claim:
            query = start(claim, self.spark)
            while query.isActive and not (claim.progress.is_complete and not query.status["isTriggerActive"]):
                time.sleep(0.1)
            speed = self._settled(query)
            query.stop()
        shutil.rmtree(out)
        return speed

    def counting(self) -> float:
        """Reads every record and counts it."""
        self.spark.conf.set("spark.sql.codegen.wholeStage", "true")
        options = {
            **self.given.connection.for_spark(), "subscribe": TOPIC, "startingOffsets": "earliest",
            "maxOffsetsPerTrigger": str(self.events_a_batch),
        }  # fmt: skip
        records = self.spark.readStream.format("kafka").options(**options).load()

        def sink(batch: Any, _: int) -> None:
            batch.selectExpr("sum(length(value))", "count(*)").collect()

        writer = records.writeStream.foreachBatch(sink).trigger(availableNow=True)
        query = writer.option("checkpointLocation", str(self.folder / f"count-{next(self.numbers)}")).start()
        query.awaitTermination()
        return self._settled(query)

    @staticmethod
    def _settled(query: Any) -> float:
        chosen = [batch for batch in query.recentProgress if batch["numInputRows"] > CELLS][WARM_BATCHES:]
        if not chosen:
            raise RuntimeError(f"no settled micro-batch: {query.exception()}")
        events = sum(batch["numInputRows"] for batch in chosen)
        return events / sum(batch["durationMs"]["triggerExecution"] / 1000 for batch in chosen)


def measure(context: Context) -> Iterator[Entry]:
    """The ratio of events a second, topic to Parquet, to what Spark reads and counts."""
    events, batches, repetitions = (20_000, 1, 1) if context.quick else (100_000, 3, 3)
    folder = context.scratch / "kafka"
    folder.mkdir()
    scenario = cluster(events * (batches + WARM_BATCHES) / MESSAGES_PER_S, cells=CELLS)
    with LocalBroker(folder / "broker") as broker:
        connection = Connection(broker.bootstrap)
        make_topic(connection, TOPIC, PARTITIONS)
        context.tell(f"publishing {events * (batches + WARM_BATCHES):,} events")
        deliver(records_of(compile_scenario(scenario)), connection, TOPIC)
        given = KafkaInput(connection, Intake((TOPIC,), 1_000_000))
        job = scenario_job(scenario, ("attempts", "rejects"), given)
        spark = open_session(
            folder, master="local[2,4]", partitions=CELLS, java_options=JAVA_OPTIONS, more=with_connector()
        )
        try:
            sides = Sides(spark, folder, given, job, events)
            context.tell("each once, not counted")
            interleaved(1, sides.sendlab, sides.counting)
            context.tell(f"in turn, {batches} micro-batches of {events:,} events each")
            ours, peer = interleaved(repetitions, sides.sendlab, sides.counting)
        finally:
            spark.stop()
    yield Entry(
        "kafka_vs_reading", median_ratio(ours, peer), "x",
        ours=f"{median(ours) / 1e6:.3f} M events/s", peer=f"{median(peer) / 1e6:.3f} M events/s",
        more={"events_per_s": round(median(ours)), "peer_events_per_s": round(median(peer)), "events_a_batch": events},
    )  # fmt: skip
