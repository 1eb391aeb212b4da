"""The sinks by name, and how one micro-batch is given to several."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from streaming.errors import InputError
from streaming.flow.blocks import PROGRESS
from streaming.flow.console_sink import ConsoleSink
from streaming.flow.parquet_sink import ParquetSink
from streaming.flow.row_files import BeginFiles, tell_batch
from streaming.flow.sink import Sink, Written, written_of
from streaming.kafka.brokers.kafka_login import Connection
from streaming.kafka.output.kafka_sink import KafkaSink
from streaming.objects.object_sink import ObjectSink
from streaming.objects.place import Place
from streaming.otlp.collector import Collector
from streaming.otlp.otlp_sink import OtlpSink
from streaming.texts.job_texts import JobTexts

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

SINKS = ("parquet", "console", "kafka", "objects", "otlp")


class KafkaOutput(NamedTuple):
    """Where the Kafka sink writes: a cluster, and what the names of its topics begin with."""

    connection: Connection
    prefix: str


def sink_of(
    name: str, out: Path, kafka: KafkaOutput | None, objects: Place | None, collector: Collector | None
) -> Sink:
    """The sink of that name for a job with that output folder. Raises InputError for one without its place."""
    if name == "parquet":
        return ParquetSink(out)
    if name == "console":
        return ConsoleSink()
    if name == "objects":
        if objects is None:
            raise InputError(JobTexts.OBJECTS_WITHOUT_PLACE())
        return ObjectSink(objects)
    if name == "otlp":
        if collector is None:
            raise InputError(JobTexts.OTLP_WITHOUT_COLLECTOR())
        return OtlpSink(collector)
    if kafka is None:
        raise InputError(JobTexts.KAFKA_WITHOUT_BROKERS())
    return KafkaSink(*kafka)


def files_of(sinks: Sequence[Sink]) -> BeginFiles | None:
    """Files that the operator can write rows to itself; None where blocks are needed, as always for several."""
    return sinks[0].files if len(sinks) == 1 else None


def written_already(given: DataFrame, batch_id: int) -> Written:
    """Run one micro-batch whose operator writes files itself; what it wrote."""
    tell_batch(given.sparkSession, batch_id)
    return written_of(given)


def write_all(sinks: Sequence[Sink], blocks: DataFrame, batch_id: int) -> Written:
    """Give one micro-batch to every sink; what all of them wrote."""
    if sum(sink.passes for sink in sinks) == 1:
        return sinks[0].write(blocks, batch_id)
    blocks.persist()  # every pass over the blocks would step the cells again
    try:
        first, *others = [sink.write(blocks, batch_id) for sink in sinks]
        # Each counts the same rows; what is to be shown only one of them has.
        return first + [part for written in others for part in written if part[0] != PROGRESS and part[2]]
    finally:
        blocks.unpersist()
