"""A collector of traces as a sink: messages and attempts, at least once, with the same ids if they come again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from streaming.flow.blocks import PROGRESS, decode
from streaming.flow.sink import WRITTEN_SCHEMA, Written, written_batch, written_of
from streaming.otlp.collector import Collector
from streaming.otlp.trace_spans import SPANS, requests

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

SPANS_A_REQUEST = 512


def exporting(collector: Collector) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """A mapInArrow function: decision blocks to the collector; rows of each block, and the progress documents."""

    def export(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            columns = [batch.column(name).to_pylist() for name in ("run", "tbl", "rows", "payload")]
            written: Written = []
            for run, table, count, payload in zip(*columns, strict=True):
                if table in SPANS:
                    for request in requests(run, table, decode(payload), collector.zero_ns, SPANS_A_REQUEST):
                        collector.take(request)
                if table in SPANS or table == PROGRESS:
                    written.append((table, count, payload if table == PROGRESS else b""))
            yield written_batch(written)

    return export


class OtlpSink:
    """Sends a trace for each message."""

    spark_settings: Mapping[str, str] = MappingProxyType({})
    passes = 1
    files = None

    def __init__(self, collector: Collector) -> None:
        self.collector = collector

    def begin(self) -> None:
        """Find the collector there. Raises EnvironmentProblem."""
        self.collector.check()

    def write(self, blocks: DataFrame, batch_id: int) -> Written:
        """Send one micro-batch."""
        return written_of(blocks.mapInArrow(exporting(self.collector), WRITTEN_SCHEMA))
