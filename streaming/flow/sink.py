"""What a job asks of its sinks, whatever they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

    from streaming.flow.row_files import BeginFiles

# What the tasks of one micro-batch gave: name of a table, rows, and the document of blocks.PROGRESS or what is to show.
Written = list[tuple[str, int, bytes]]
WRITTEN_SCHEMA = "tbl string, rows bigint, payload binary"


def written_batch(rows: Written) -> pa.RecordBatch:
    """What a task gave as a record batch of WRITTEN_SCHEMA."""
    import pyarrow as pa

    schema = pa.schema([("tbl", pa.string()), ("rows", pa.int64()), ("payload", pa.binary())])
    columns = [[row[i] for row in rows] for i in range(len(schema))]
    arrays = [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def written_of(tasks: DataFrame) -> Written:
    """Run the tasks of a DataFrame of WRITTEN_SCHEMA: what they gave."""
    return [(row.tbl, row.rows, bytes(row.payload)) for row in tasks.collect()]


class Sink(Protocol):
    """Where the decisions of a job go."""

    @property
    def spark_settings(self) -> Mapping[str, str]:
        """What a session must be begun with, beside what every job's is."""
        ...

    @property
    def passes(self) -> int:
        """How often it goes through the blocks of a micro-batch."""
        ...

    @property
    def files(self) -> BeginFiles | None:
        """Begins files that rows can be written to where they are made; None: it takes blocks alone."""
        ...

    def begin(self) -> None:
        """Remove what a killed task left unfinished, before the first micro-batch."""
        ...

    def write(self, blocks: DataFrame, batch_id: int) -> Written:
        """Write one micro-batch of decision blocks, columns as blocks.OUT_SCHEMA; a second try finds the first's."""
        ...
