"""A table that is still being written: each look reads the files that came since the last."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from state.tables import TABLES
from streaming.outputs.dataset import BATCH_ROWS, Reader

FINISHED = "*.parquet"


class FollowedTable:
    """One table of a run's output folder, read file by file as micro-batches write them.

    from_start: what is there already is read too; else only what comes from now on.
    """

    def __init__(self, out: Path, run: str, table: str, *readers: Reader, from_start: bool) -> None:
        self._folder = out / table / f"run={run}"
        self._schema = TABLES[table].schema
        self._readers = readers
        self._columns = sorted({column for reader in readers for column in reader.columns})
        self._seen: set[str] = set() if from_start else self._names()

    def _names(self) -> set[str]:
        return {file.name for file in self._folder.glob(FINISHED) if not file.name.startswith(".")}

    def catch_up(self) -> int:
        """Hand the new rows to the readers, in the order of their files; how many files they were in."""
        names = self._names()
        new = sorted(names - self._seen)
        for name in new:
            try:
                self._read(self._folder / name)
            except FileNotFoundError:  # removed since it was listed
                continue
            self._seen.add(name)  # at once: what follows may be damaged
        self._seen = names
        return len(new)

    def _read(self, path: Path) -> None:
        with pq.ParquetFile(path) as file:
            wanted = pa.schema([self._schema.field(name) for name in self._columns])
            for batch in file.iter_batches(BATCH_ROWS, columns=self._columns):
                for reader in self._readers:
                    reader.add(batch.cast(wanted))
