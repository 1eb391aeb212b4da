"""Topics as a source: Spark's own Kafka source reads them, Python packs their records into blocks."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from streaming.flow.blocks import IN_SCHEMA, batches_of
from streaming.flow.source import Reached
from streaming.kafka.brokers.kafka_cluster import check_there
from streaming.kafka.brokers.kafka_login import Connection
from streaming.kafka.brokers.spark_connector import with_connector
from streaming.kafka.intake.judging import Vocabulary
from streaming.kafka.intake.kafka_stepper import Intake
from streaming.kafka.intake.record_blocks import blocks_of
from streaming.spark.checkpoint.checkpoint_files import CheckpointFiles

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

ROWS_A_BATCH = 8_192
BYTES_A_BATCH = "4m"
IDLE_US = 30_000_000


def packer(names: Vocabulary) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """A mapInArrow function: columns value, topic, partition, offset of records to the columns of blocks."""

    def pack(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from streaming.spark.worker import settle

        settle()
        yield from batches_of(block for batch in batches for block in blocks_of(batch, names))

    return pack


@dataclass(frozen=True)
class KafkaInput:
    """What a user says of the topics that a job reads. `idle_us`: a partition without news holds the clock so long."""

    connection: Connection
    intake: Intake
    idle_us: int = IDLE_US


@dataclass(frozen=True)
class KafkaSource:
    """Records of topics, and beside them what is known of their partitions."""

    given: KafkaInput
    names: Vocabulary
    stop_file: Path
    checkpoint: CheckpointFiles
    max_events: int

    is_polled = True

    @cached_property
    def spark_settings(self) -> Mapping[str, str]:
        """The connector."""
        return with_connector()

    def blocks(self, spark: SparkSession) -> DataFrame:
        """The blocks of both. Raises InputError if records that come next are gone, and as `kafka_cluster.reached`."""
        from streaming.kafka.intake.partition_clock import PartitionSource, read_so_far  # it needs Spark

        check_there(self.given.connection, read_so_far(self.checkpoint))
        spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", str(ROWS_A_BATCH))
        spark.conf.set("spark.sql.execution.arrow.maxBytesPerBatch", BYTES_A_BATCH)
        connection, topics = self.given.connection, self.given.intake.topics
        options = {
            "kafka.max.poll.records": str(ROWS_A_BATCH),  # Spark asks for a partition's ends at every poll
            **connection.for_spark(),
            "subscribe": ",".join(topics),
            "startingOffsets": "earliest",
            "maxOffsetsPerTrigger": str(self.max_events),
        }
        records = spark.readStream.format("kafka").options(**options).load()
        # A task of Python costs more than many a partition's records.
        few = records.select("value", "topic", "partition", "offset").coalesce(spark.sparkContext.defaultParallelism)
        packed = few.mapInArrow(packer(self.names), IN_SCHEMA)
        spark.dataSource.register(PartitionSource)
        clock = {
            "bootstrap": connection.bootstrap,
            "config": "" if connection.file is None else str(connection.file.resolve()),
            "topics": json.dumps(topics),
            "names": json.dumps(self.names),
            "idleus": str(self.given.idle_us),
            "checkpoint": self.checkpoint.place,
            "stopfile": str(self.stop_file),
        }
        return packed.unionAll(spark.readStream.format(PartitionSource.name()).options(**clock).load())

    def reached(self, offsets: Sequence[str]) -> Reached:
        """Offsets of topics do not tell virtual time, nor whether something follows."""
        for line in offsets:
            json.loads(line)
        return Reached(None, False)
