"""The console as a sink: the first attempts of each task, and how many more there are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from streaming.flow.blocks import PROGRESS, decode, encode
from streaming.flow.sink import WRITTEN_SCHEMA, Written, written_batch, written_of
from streaming.texts.flow_texts import FlowTexts

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

SHOWN_ROWS = 10


def keep_progress_and_head(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """A mapInArrow function: progress documents, row counts, and the first attempts of each task as a block."""
    rows: Written = []
    shown = False
    for batch in batches:
        for table_name, count, payload in zip(
            *(batch.column(n).to_pylist() for n in ("tbl", "rows", "payload")), strict=True
        ):
            if table_name == PROGRESS:
                rows.append((PROGRESS, 1, payload))
            elif table_name == "attempts" and not shown:
                shown = True
                rows.append((table_name, count, encode(decode(payload).slice(0, SHOWN_ROWS))))
            else:
                rows.append((table_name, count, b""))
    yield written_batch(rows)


class ConsoleSink:
    """Gives attempts to whoever prints them (`attempt_lines`)."""

    spark_settings: Mapping[str, str] = MappingProxyType({})
    passes = 1
    files = None

    def begin(self) -> None:
        """Nothing is left on a console."""

    def write(self, blocks: DataFrame, batch_id: int) -> Written:
        """The first attempts of each task as a block."""
        return written_of(blocks.mapInArrow(keep_progress_and_head, WRITTEN_SCHEMA))


def attempt_lines(written: Written) -> Iterator[str]:
    """What the console sink gave, a line an attempt, and a line that counts the rest."""
    for table_name, count, payload in written:
        if table_name != "attempts" or not payload:
            continue
        rows = decode(payload).to_pylist()
        for row in rows:
            code = f" {row['response_code']}" if row["response_code"] else ""
            more = ", retried" if row["will_retry"] else ""
            yield FlowTexts.ATTEMPT(
                end_s=row["end_us"] / 1e6, topic=row["topic"], seq=row["send_seq"], producer=row["producer"],
                thread=row["thread"], attempt=row["attempt"], broker=row["broker"], queue=row["queue_id"],
                reason=row["pick_reason"], outcome=row["outcome"], code=code,
                took_ms=row["latency_us"] / 1000, more=more,
            )  # fmt: skip
        if count > len(rows):
            yield f"{'':11}    {FlowTexts.MORE_ATTEMPTS(count=count - len(rows))}"
