"""Parquet files of an output folder as they are written. No Spark here."""

from __future__ import annotations

import re
import uuid
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from state.tables import REPLAY_TABLES, TABLES
from streaming.installation.own_version import sendlab_version

if TYPE_CHECKING:
    import pyarrow as pa

CODEC = "zstd"
GROUP_ROWS = 100_000  # of a row group: each has a dictionary and a header of its own for every column
SPARE_PREFIX = ".part-"
PART = re.compile(r"b\d{8}-p\d{4}\.parquet")  # a file of a micro-batch and a partition
STAGE = "_compact"  # folder in which compaction makes files


def encodings(table: pa.Table) -> dict[str, Any]:
    """How the columns are stored: differences for times and sequence numbers, a dictionary for what repeats.

    What repeats has no least and largest value a row group: that costs a fifth of all writing, and rules nothing out.
    """
    import pyarrow as pa

    rising = [field.name for field in table.schema if field.type == pa.int64()]
    measured = [field.name for field in table.schema if field.type == pa.float64()]
    repeating = [field.name for field in table.schema if field.type not in (pa.int64(), pa.float64(), pa.bool_())]
    return {
        "use_dictionary": repeating,
        "column_encoding": dict.fromkeys(rising, "DELTA_BINARY_PACKED"),
        "write_statistics": [*rising, *measured],
    }


def described(run: str, table_name: str, table: pa.Table) -> pa.Schema:
    """The schema of a file of that table, with Sendlab's version, and run, key and units if state/tables.py has it."""
    known = {**REPLAY_TABLES, **TABLES}.get(table_name)
    if known is None or table.schema.names != known.schema.names:
        return with_version(table.schema)
    return with_version(known.described_schema(run))


def with_version(schema: pa.Schema) -> pa.Schema:
    """The schema of a file that says which Sendlab has written it."""
    return schema.with_metadata({**(schema.metadata or {}), b"sendlab.version": sendlab_version().encode()})


class ParquetRows:
    """The rows of a file as it is written: they wait until there are enough for a row group."""

    def __init__(self, place: Any, run: str, table_name: str, table: pa.Table) -> None:
        import pyarrow.parquet as pq

        self._writer = pq.ParquetWriter(place, described(run, table_name, table), compression=CODEC, **encodings(table))
        self._waiting: list[pa.Table] = []

    def write(self, table: pa.Table) -> None:
        """Append rows."""
        self._waiting.append(table)
        if sum(each.num_rows for each in self._waiting) >= GROUP_ROWS:
            self._write_group()

    def _write_group(self) -> None:
        import pyarrow as pa

        # A column whose texts are numbered otherwise on the way would be stored without its dictionary.
        self._writer.write_table(pa.concat_tables(self._waiting).unify_dictionaries())
        self._waiting = []

    def close(self) -> None:
        """Write what waits, and end the file."""
        if self._waiting:
            self._write_group()
        self._writer.close()

    def discard(self) -> None:
        """End the file without what waits, also where the disk is full."""
        import pyarrow as pa

        with suppress(OSError, pa.ArrowException):
            self._writer.close()
        self._writer.is_open = False  # else it tries again when it is forgotten, and prints why it cannot


class ParquetFiles:
    """The Parquet files of one task, TABLE/run=RUN/NAME.parquet: under another name until they are whole."""

    def __init__(self, out: Path, name: str) -> None:
        self.out, self.name = out, name
        self.rows: dict[str, int] = {}
        self._spares: dict[Path, Path] = {}
        self._writers: dict[Path, ParquetRows] = {}

    def write(self, run: str, table_name: str, table: pa.Table) -> None:
        """Append finished rows to the file of their table."""
        final = self.out / table_name / f"run={run}" / f"{self.name}.parquet"
        if final not in self._writers:
            final.parent.mkdir(parents=True, exist_ok=True)
            spare = final.with_name(f"{SPARE_PREFIX}{self.name}-{uuid.uuid4().hex}")  # a dying task may write, too
            self._spares[final] = spare  # before it is opened: to be taken away, too, if that fails
            self._writers[final] = ParquetRows(spare, run, table_name, table)
        self._writers[final].write(table)
        self.rows[table_name] = self.rows.get(table_name, 0) + table.num_rows

    def close(self) -> None:
        """Give the files their names, once all are whole."""
        self.end()
        self.name_them()

    def end(self) -> None:
        """Make the files whole."""
        for rows in self._writers.values():
            rows.close()

    def name_them(self) -> None:
        """Give whole files their names."""
        for final, spare in self._spares.items():
            spare.replace(final)

    def discard(self) -> None:
        """Leave nothing behind."""
        for rows in self._writers.values():
            rows.discard()
        for spare in self._spares.values():
            spare.unlink(missing_ok=True)
