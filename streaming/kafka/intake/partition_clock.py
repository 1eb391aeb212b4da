"""The streaming data source `sendlab-partitions`: which partitions the topics have, and which of them are quiet.

Spark's own Kafka source tells a task what it reads and nothing of partitions in which nothing is. This one goes beside
it in the same query. Options: bootstrap, config (a file or empty), topics and names (JSON), idleus, checkpoint
(where Spark logs what it has read), stopfile.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyspark.sql.datasource import DataSource, DataSourceStreamReader, InputPartition
from pyspark.sql.streaming.datasource import ReadAllAvailable, ReadLimit

from streaming.flow.blocks import IN_SCHEMA
from streaming.objects.stored_checkpoint import files_at
from streaming.spark.checkpoint.checkpoint_files import OFFSETS, CheckpointFiles, offsets_at

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql.types import StructType

ASK_EVERY_S = 1.0
PATIENCE_MS = 5_000
Heads = dict[str, int]  # "topic/partition": where its next record goes


class PartitionMarks(InputPartition):
    """What is to tell each cell."""

    def __init__(self, payload: str) -> None:
        super().__init__(payload)
        self.payload = payload


class PartitionReader(DataSourceStreamReader):
    """Offsets are {"known": ["topic/partition"], "quiet": {"topic/partition": end}}."""

    def __init__(self, options: dict[str, str]) -> None:
        self.options = options
        self.topics = json.loads(options["topics"])
        self.idle_s = int(options["idleus"]) / 1e6
        self._consumer: Any = None
        self._asked = float("-inf")
        self._since: dict[str, tuple[int, float]] = {}

    def initialOffset(self) -> dict[str, Any]:
        """Nothing is known."""
        return {"known": [], "quiet": {}}

    def getDefaultReadLimit(self) -> ReadLimit:
        """There is nothing to limit."""
        return ReadAllAvailable()

    def latestOffset(self, start: dict[str, Any], limit: ReadLimit) -> dict[str, Any]:
        """What is known now; `start` itself if that is no news, or if no broker answers."""
        now = time.monotonic()
        if now - self._asked < ASK_EVERY_S or Path(self.options["stopfile"]).exists():
            return start
        self._asked = now
        heads = self._heads()
        if heads is None:
            return start
        read = read_so_far(files_at(self.options["checkpoint"]))
        quiet = {}
        for place, head in heads.items():
            was, since = self._since.get(place, (-1, now))
            self._since[place] = (head, since if was == head else now)
            waited = now - self._since[place][1] >= self.idle_s
            if start["quiet"].get(place) == head or (waited and read.get(place, 0) >= head):
                quiet[place] = head
        return {"known": sorted(heads), "quiet": quiet}

    def _heads(self) -> Heads | None:
        from kafka import KafkaConsumer, TopicPartition
        from kafka.errors import KafkaError

        from streaming.kafka.brokers.kafka_cluster import quiet
        from streaming.kafka.brokers.kafka_login import Connection

        with quiet():
            try:
                if self._consumer is None:
                    file = self.options["config"]
                    connection = Connection(self.options["bootstrap"], Path(file) if file else None)
                    self._consumer = KafkaConsumer(
                        **connection.for_python(), enable_auto_commit=False, request_timeout_ms=PATIENCE_MS,
                        bootstrap_timeout_ms=PATIENCE_MS,
                    )  # fmt: skip
                found = {topic: self._consumer.partitions_for_topic(topic) for topic in self.topics}
                if not all(found.values()):
                    return None  # what is not known of one topic must not pass for all there is
                places = [TopicPartition(topic, partition) for topic, own in found.items() for partition in own]
                ends = self._consumer.end_offsets(places)
            except KafkaError:
                return None
        return {f"{place.topic}/{place.partition}": end for place, end in ends.items()}

    def partitions(self, start: dict[str, Any], end: dict[str, Any]) -> Sequence[InputPartition]:
        """One, which tells every cell."""
        marks = []
        for place in end["known"]:
            topic, _, partition = place.rpartition("/")
            marks.append([topic, int(partition), place in end["quiet"]])
        return [PartitionMarks(json.dumps(marks))] if start != end else []

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:  # type: ignore[override]
        """A block a cell."""
        assert isinstance(partition, PartitionMarks)
        from streaming.flow.blocks import batches_of
        from streaming.kafka.intake.judging import Vocabulary
        from streaming.kafka.intake.record_blocks import every_cell

        names = Vocabulary(*json.loads(self.options["names"]))
        return batches_of(every_cell(names, partition.payload.encode()))


def read_so_far(checkpoint: CheckpointFiles) -> Heads:
    """Up to where each partition is read in the last micro-batch that was planned, as Spark logs its Kafka source."""
    numbers = checkpoint.numbers(OFFSETS)
    if not numbers:
        return {}
    found: Heads = {}
    for line in offsets_at(checkpoint, numbers[-1]):
        said = _document(line)
        for topic, ends in said.items():
            if isinstance(ends, dict):
                found |= {f"{topic}/{partition}": end for partition, end in ends.items() if isinstance(end, int)}
    return found


def _document(line: str) -> dict[str, Any]:
    try:
        said = json.loads(line)
    except ValueError:
        return {}
    return said if isinstance(said, dict) and "known" not in said else {}


class PartitionSource(DataSource):
    """`spark.readStream.format("sendlab-partitions")`."""

    @classmethod
    def name(cls) -> str:
        """Name of the format."""
        return "sendlab-partitions"

    def schema(self) -> str:
        """Columns of a block."""
        return IN_SCHEMA

    def streamReader(self, schema: StructType) -> DataSourceStreamReader:
        """The reader of these options."""
        return PartitionReader(dict(self.options))
