"""Parquet objects as a task writes them. No Spark here."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from streaming.files.parquet_files import ParquetRows
from streaming.objects.place import opened, put

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass
class ObjectFiles:
    """The Parquet objects of one task, TABLE/run=RUN/NAME.parquet, held until they are whole and then put at once."""

    url: str
    name: str
    rows: dict[str, int] = field(default_factory=dict)
    _writers: dict[str, tuple[pa.BufferOutputStream, ParquetRows]] = field(default_factory=dict)

    def write(self, run: str, table_name: str, table: pa.Table) -> None:
        """Append finished rows to the object of their table."""
        import pyarrow as pa

        key = f"{table_name}/run={run}/{self.name}.parquet"
        if key not in self._writers:
            held = pa.BufferOutputStream()
            self._writers[key] = held, ParquetRows(held, run, table_name, table)
        self._writers[key][1].write(table)
        self.rows[table_name] = self.rows.get(table_name, 0) + table.num_rows

    def close(self) -> None:
        """Put the objects."""
        store, root = opened(self.url)
        for key, (held, writer) in self._writers.items():
            writer.close()
            put(store, f"{root}/{key}", held.getvalue())
