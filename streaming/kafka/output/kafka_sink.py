"""Topics as a sink: attempts, sends and fault changes, at least once, each row with an id."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from streaming.flow.blocks import PROGRESS, decode
from streaming.flow.sink import WRITTEN_SCHEMA, Written, written_batch, written_of
from streaming.kafka.brokers.kafka_login import Connection
from streaming.kafka.brokers.spark_connector import with_connector
from streaming.kafka.output.decision_records import SPARK_SCHEMA, WRITTEN, records_of, topic_of
from streaming.kafka.publishing.delivery import make_topic

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

ROWS_A_BATCH = 4_096
PARTITIONS = 6  # of a topic that has to be made


def spelling(prefix: str) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """A mapInArrow function: decision blocks to records."""

    def spell(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            columns = [batch.column(name).to_pylist() for name in ("run", "tbl", "payload")]
            for run, table, payload in zip(*columns, strict=True):
                if table in WRITTEN:
                    rows = decode(payload)
                    for first in range(0, rows.num_rows, ROWS_A_BATCH):
                        yield records_of(prefix, run, table, rows.slice(first, ROWS_A_BATCH))

    return spell


def counting(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """A mapInArrow function: rows of each block that were written, and the progress documents."""
    for batch in batches:
        names, counts, payloads = (batch.column(name).to_pylist() for name in ("tbl", "rows", "payload"))
        counted = [(n, c, p if n == PROGRESS else b"") for n, c, p in zip(names, counts, payloads, strict=True)]
        yield written_batch([part for part in counted if part[0] in (PROGRESS, *WRITTEN)])


@dataclass(frozen=True)
class KafkaSink:
    """Writes a topic a table, PREFIX-TABLE, through Spark's own Kafka sink."""

    connection: Connection
    prefix: str

    passes = 2
    files = None

    @cached_property
    def spark_settings(self) -> Mapping[str, str]:
        """The connector."""
        return with_connector()

    def begin(self) -> None:
        """Make topics that are not there. What a killed task left stays there for good: its ids tell."""
        for table in WRITTEN:
            make_topic(self.connection, topic_of(self.prefix, table), PARTITIONS)

    def write(self, blocks: DataFrame, batch_id: int) -> Written:
        """Write one micro-batch, and then count it."""
        records = blocks.mapInArrow(spelling(self.prefix), SPARK_SCHEMA)
        records.write.format("kafka").options(**self.connection.for_spark()).option("includeHeaders", "true").save()
        return written_of(blocks.mapInArrow(counting, WRITTEN_SCHEMA))
