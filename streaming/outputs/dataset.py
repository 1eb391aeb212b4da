"""Reading an output folder, a batch of rows at a time: memory does not grow with the run."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from state.tables import TABLES
from state.texts import Sentence
from streaming.clock import virtual_time
from streaming.errors import InputError
from streaming.texts.output_texts import OutputTexts

BATCH_ROWS = 131_072
BATCH = re.compile(r"b(\d{8})-p\d{4}\.parquet")  # a file of a micro-batch
REQUIRED_KEYS = (
    "run",
    "scenario_name",
    "release",
    "strategy",
    "seed",
    "duration_us",
    "clock_us",
    "window_us",
    "finished",
    "events",
    "brokers",
    "producer_groups",
    "faults",
    "scenario_yaml",
)


class DamagedOutput(InputError):
    """The output folder of a run does not say any more what it is."""


class Reader(Protocol):
    """What is fed with the rows of one table."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns it needs."""

    def add(self, batch: pa.RecordBatch) -> None:
        """Take the next rows, in the order in which they were written."""


@dataclass(frozen=True)
class RunOutput:
    """An output folder: its path and the content of its run.json."""

    path: Path
    about: dict[str, Any]

    @cached_property
    def brokers(self) -> dict[str, int]:
        """Broker name -> position in run.json."""
        return {name: index for index, name in enumerate(self.about["brokers"])}

    @cached_property
    def groups(self) -> dict[str, int]:
        """Producer group name -> position in run.json."""
        return {group["group"]: index for index, group in enumerate(self.about["producer_groups"])}

    @property
    def end_us(self) -> int:
        """Virtual time reached; the planned duration where run.json does not know yet how far the run is."""
        return max(int(self.about["clock_us"]) or int(self.about["duration_us"]), 1)

    @property
    def producers(self) -> int:
        """Number of producers of all groups."""
        return max((group["first"] + group["count"] for group in self.about["producer_groups"]), default=0)

    def has(self, table: str) -> bool:
        """Whether the run has any file of `table`."""
        return bool(self._files(table))

    def is_written(self, table: str) -> bool:
        """Whether the run was asked to write `table`; it may have no rows all the same."""
        return table in self.about.get("tables", TABLES)

    def rows(self, table: str) -> int:
        """Rows of `table` in the files of all runs, without reading them; raises InputError like `batches`."""
        return sum(_rows(file) for file in self._files(table))

    @property
    def has_old_rows_removed(self) -> bool:
        """Whether rows that were too old were removed from its tables, or may be."""
        return bool(self.about.get("keep_us") or self.removed_before_us)

    @cached_property
    def removed_before_us(self) -> int:
        """Virtual time before which rows were removed as too old; 0: none was. Raises InputError like `rows`.

        Earlier versions did not write it: of their runs it is the latest time that it can have been.
        """
        noted, keep_us = int(self.about.get("removed_before_us", 0)), int(self.about.get("keep_us") or 0)
        if noted or not keep_us or next(self._gone_rows(), None) is None:
            return noted
        return max(int(self.about["clock_us"]) - keep_us, 0)

    @property
    def rows_removed(self) -> Sentence:
        """From when on its tables have all rows, of a run whose old rows were removed."""
        return OutputTexts.ROWS_REMOVED(until=virtual_time(self.removed_before_us))

    def _gone_rows(self) -> Iterator[tuple[str, int, int]]:
        """Each table that has fewer rows than were written: its name, how many are gone, and how many they were."""
        written = self.about.get("written") or {"before": {}, "rows": {}}
        for table in {**written["before"], **written["rows"]}:
            was = written["before"].get(table, 0) + written["rows"].get(table, 0)
            lost = was - self.rows(table)
            if lost > 0:
                yield table, lost, was

    def gone(self) -> str | None:
        """The first table that has fewer rows than were written, as a sentence; raises InputError like `rows`."""
        found = None if self.has_old_rows_removed else next(self._gone_rows(), None)
        if found is None:
            return None
        table, lost, was = found
        return OutputTexts.ROWS_GONE(lost=lost, was=was).at(self.path / table)

    def check_complete(self) -> None:
        """Raise InputError if a table has fewer rows than were written."""
        gone = self.gone()
        if gone is not None:
            raise InputError(OutputTexts.TABLES_GONE(gone=gone))

    def check_whole(self) -> None:
        """Raise InputError if a row that was written is gone, or was removed as too old."""
        self.check_complete()
        if self.removed_before_us:
            raise InputError(OutputTexts.WHOLE_RUN_EXPECTED(removed=self.rows_removed).at(self.path))

    def batches(
        self, table: str, columns: Sequence[str], where: ds.Expression | None = None
    ) -> Iterator[pa.RecordBatch]:
        """Rows of `table` of this run in file order, `columns` only; nothing if the table is not there.

        `where`: only those rows; files that can have none are not read.

        Raises InputError if a file cannot be read with the table's schema.
        """
        files = self._files(table)
        if not files:
            return
        run, reading = pa.field("run", pa.string()), files[0]
        try:
            dataset = ds.dataset(
                [str(file) for file in files],
                format="parquet",
                schema=TABLES[table].schema.append(run),
                partitioning=ds.partitioning(pa.schema([run]), flavor="hive"),
                partition_base_dir=str(self.path / table),
            )
            of_run = ds.field("run") == self.about["run"]
            wanted = of_run if where is None else of_run & where
            # A row group at a time: over a file the scanner reads ahead of a slow consumer, and memory grows.
            for fragment in dataset.get_fragments(of_run):
                reading = Path(fragment.path)
                for part in fragment.split_by_row_group(wanted, dataset.schema):
                    yield from part.to_batches(
                        schema=dataset.schema, columns=list(columns), filter=wanted, batch_size=BATCH_ROWS
                    )
        except (pa.ArrowException, OSError) as error:
            raise InputError(_why(error).at(reading)) from error

    def feed(self, table: str, *readers: Reader) -> None:
        """Read `table` once and hand every batch to every reader."""
        columns = sorted({column for reader in readers for column in reader.columns})
        for batch in self.batches(table, columns):
            if batch.num_rows:
                for reader in readers:
                    reader.add(batch)

    def _files(self, table: str) -> list[Path]:
        root = self.path / table
        found = [
            file
            for file in root.rglob("*.parquet")
            if not any(part.startswith(("_", ".")) for part in file.relative_to(root).parts) and self._is_counted(file)
        ]
        # By name: files are numbered by micro-batch, and the rows of a producer must come in order.
        return sorted(found, key=lambda file: (file.name, str(file)))

    def _is_counted(self, file: Path) -> bool:
        """Whether run.json knew of its micro-batch: a job goes on writing while its tables are read one by one."""
        last = (self.about.get("written") or {}).get("batch")
        if self.about.get("finished") or last is None:
            return True
        found = BATCH.fullmatch(file.name)
        return found is None or int(found[1]) <= last


def _rows(file: Path) -> int:
    try:
        return int(pq.read_metadata(file).num_rows)
    except (pa.ArrowException, OSError) as error:
        raise InputError(_why(error).at(file)) from error


def _why(error: Exception) -> Sentence:
    return OutputTexts.TABLE_DAMAGED(why=" ".join(str(error).split()))


def has_tables(folder: Path) -> bool:
    """Whether a run has written tables there."""
    return any(any((folder / name).glob("run=*")) for name in TABLES)


def _kind_of(folder: Path) -> type[InputError]:
    return DamagedOutput if has_tables(folder) else InputError


def open_output(path: str | Path) -> RunOutput:
    """Open the output folder of a run.

    Raises InputError if the folder is missing or is not an output of Sendlab, DamagedOutput if its run.json is damaged.
    """
    folder = Path(path)
    if folder.is_file():
        raise InputError(OutputTexts.A_FILE().at(folder))
    if not folder.is_dir():
        raise InputError(OutputTexts.NO_FOLDER().at(folder))
    file = folder / "run.json"
    if not file.is_file():
        raise _kind_of(folder)(OutputTexts.NO_RUN_JSON().at(folder))
    try:
        about = json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise DamagedOutput(OutputTexts.NOT_JSON(why=error).at(file)) from error
    if not isinstance(about, dict) or "sendlab" not in about:
        raise _kind_of(folder)(OutputTexts.NOT_BY_SENDLAB().at(file))
    if about.get("kind") == "recording":
        raise InputError(OutputTexts.A_REPLAY().at(folder))
    missing = [key for key in REQUIRED_KEYS if key not in about]
    if missing:
        raise DamagedOutput(f"{file}: {', '.join(missing)} missing.")
    return RunOutput(folder, about)


def open_begun(path: str | Path) -> RunOutput:
    """The same of a run that has simulated something. Raises InputError for one that has not: nothing is measured."""
    output = open_output(path)
    if not output.about["clock_us"] and not output.about.get("finished"):
        raise InputError(OutputTexts.NOTHING_SIMULATED().at(output.path))
    return output


def codes(column: pa.Array, names: Mapping[str, int], strict: bool = True) -> np.ndarray:
    """Positions of a column's names in `names`, int64; -1 for null and, unless `strict`, for other names.

    Raises InputError if `strict` and a name is not in `names`.
    """
    encoded = column if pa.types.is_dictionary(column.type) else pc.dictionary_encode(column)
    values = encoded.dictionary.to_pylist()
    # One more entry, so that index -1 (null) finds -1.
    lookup = np.array([*(names.get(value, -1) for value in values), -1], dtype=np.int64)
    indices = pc.fill_null(encoded.indices, -1).to_numpy(zero_copy_only=False)
    found = lookup[indices]
    if strict:
        unknown = found[indices >= 0] < 0
        if unknown.any():
            name = values[indices[indices >= 0][unknown][0]]
            raise InputError(OutputTexts.NAME_NOT_LISTED(name=name))
    return found


def numbers(column: pa.Array) -> np.ndarray:
    """A column of numbers or booleans as a NumPy array; nulls of an integer column become 0."""
    if column.null_count and not pa.types.is_floating(column.type):
        column = pc.fill_null(column, False if pa.types.is_boolean(column.type) else 0)
    return column.to_numpy(zero_copy_only=False)
