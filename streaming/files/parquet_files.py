"""Parquet files of an output folder as they are written. No Spark here."""

from __future__ import annotations

import re
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Any

from state.tables import REPLAY_TABLES, TABLES
from streaming.own_version import sendlab_version

if TYPE_CHECKING:
    import pyarrow as pa

CODEC = "zstd"
SPARE_PREFIX = ".part-"
PART = re.compile(r"b\d{8}-p\d{4}\.parquet")  # a file of a micro-batch and a partition
STAGE = "_compact"  # folder in which compaction makes files


def encodings(table: pa.Table) -> dict[str, Any]:
    """How the columns are stored: differences for times and sequence numbers, a dictionary for what repeats."""
    import pyarrow as pa

    rising = [field.name for field in table.schema if field.type == pa.int64()]
    repeating = [field.name for field in table.schema if field.type not in (pa.int64(), pa.float64(), pa.bool_())]
    return {"use_dictionary": repeating, "column_encoding": dict.fromkeys(rising, "DELTA_BINARY_PACKED")}


def described(run: str, table_name: str, table: pa.Table) -> pa.Schema:
    """The schema of a file of that table, with Sendlab's version, and run, key and units if state/tables.py has it."""
    known = {**REPLAY_TABLES, **TABLES}.get(table_name)
    if known is None or table.schema.names != known.schema.names:
        return with_version(table.schema)
    return with_version(known.described_schema(run))


def with_version(schema: pa.Schema) -> pa.Schema:
    """The schema of a file that says which Sendlab has written it."""
    return schema.with_metadata({**(schema.metadata or {}), b"sendlab.version": sendlab_version().encode()})


class ParquetFiles:
    """The Parquet files of one task, TABLE/run=RUN/NAME.parquet: under another name until they are whole."""

    def __init__(self, out: Path, name: str) -> None:
        self.out, self.name = out, name
        self.rows: dict[str, int] = {}
        self._writers: dict[Path, tuple[Path, Any]] = {}

    def write(self, run: str, table_name: str, table: pa.Table) -> None:
        """Append finished rows to the file of their table."""
        import pyarrow.parquet as pq

        final = self.out / table_name / f"run={run}" / f"{self.name}.parquet"
        if final not in self._writers:
            final.parent.mkdir(parents=True, exist_ok=True)
            spare = final.with_name(f"{SPARE_PREFIX}{self.name}-{uuid.uuid4().hex}")  # a dying task may write, too
            self._writers[final] = (
                spare,
                pq.ParquetWriter(spare, described(run, table_name, table), compression=CODEC, **encodings(table)),
            )
        self._writers[final][1].write_table(table)
        self.rows[table_name] = self.rows.get(table_name, 0) + table.num_rows

    def close(self) -> None:
        """Give the files their names."""
        for final, (spare, writer) in self._writers.items():
            writer.close()
            spare.replace(final)

    def discard(self) -> None:
        """Leave nothing behind."""
        for spare, writer in self._writers.values():
            writer.close()
            spare.unlink(missing_ok=True)
