"""`sendlab state`: the typed tables of a checkpoint, read through Spark's own state reader."""

from __future__ import annotations

import json
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
from rich.table import Table

from state.packing import LayoutError
from state.row import COLUMNS, StateRow, decode_tables
from state.texts import at, sentence_of
from streaming.commands.jobs.consumer_state import consumer_offsets, has_consumers
from streaming.commands.jobs.state_changes import changes_between
from streaming.errors import InputError
from streaming.files.whole_file import check_writable, write_whole
from streaming.jobs.folders.checkpoint import Checkpoint
from streaming.jobs.reload.change_log import ChangeLog
from streaming.problems import reason
from streaming.spark.session import some_session
from streaming.terminal.output_console import OutputConsole as Console
from streaming.terminal.working import working
from streaming.texts.command_result_texts import CommandResultTexts
from streaming.texts.command_texts import CommandTexts

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SHOWN_ROWS = 40


def read_state(checkpoint: Checkpoint, batch: int | None) -> tuple[int, list[tuple[str, int, StateRow]]]:
    """State rows as (run, cell, row) after a micro-batch, by default the last.

    Raises InputError if the folder is no checkpoint, has no committed micro-batch or not that one.
    """
    checkpoint.manifest()
    checkpoint.check_whole()
    committed = checkpoint.batches()
    if not committed:
        raise InputError(CommandTexts.NO_MICRO_BATCH().at(checkpoint.folder))
    if batch is not None and batch not in committed:
        raise InputError(CommandTexts.BATCH_EXPECTED(first=committed[0], last=committed[-1]).at(f"--batch {batch}"))
    with some_session("local[1]", partitions=1, more=checkpoint.files.spark_settings) as spark:
        while True:
            chosen = checkpoint.batches()[-1] if batch is None else batch
            try:
                return chosen, _state_rows(spark, checkpoint, chosen)
            except InputError:
                there = checkpoint.batches()
                if batch is not None or not there or chosen in there:
                    raise  # else a running job has gone on and removed it: its last one now


def _state_rows(spark: SparkSession, checkpoint: Checkpoint, batch: int) -> list[tuple[str, int, StateRow]]:
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException

    try:
        reader = spark.read.format("statestore").option("batchId", batch).load(checkpoint.files.location)
        rows = reader.select("key.run", "key.cell", "value.groupState.*").collect()
    except (PySparkException, Py4JJavaError) as error:
        raise InputError(CommandTexts.STATE_UNREADABLE(why=reason(error)).at(checkpoint.folder)) from error
    return sorted(
        (row["run"], row["cell"], StateRow(**{name: _plain(row[name]) for name, _, _ in COLUMNS})) for row in rows
    )


def _plain(value: Any) -> Any:
    return bytes(value) if isinstance(value, bytearray) else value


def state_tables(rows: list[tuple[str, int, StateRow]], folder: Path) -> dict[str, pa.Table]:
    """Tables counters and fault_items of all cells, `run` and `cell` in front. Raises InputError if damaged."""
    found: dict[str, list[pa.Table]] = {}
    for run, cell, row in rows:
        try:
            tables = decode_tables(row)
        except LayoutError as error:
            raise InputError(at(folder, sentence_of(error))) from error
        for name, table in tables.items():
            labelled = table.add_column(0, "cell", pa.array([cell] * table.num_rows, pa.int32()))
            labelled = labelled.add_column(0, "run", pa.array([run] * table.num_rows, pa.string()))
            found.setdefault(name, []).append(labelled)
    return {name: pa.concat_tables(parts).unify_dictionaries() for name, parts in found.items()}


def _print(name: str, table: pa.Table, console: Console) -> None:
    shown = Table(title=f"{name} ({table.num_rows:,} rows)", title_justify="left", padding=(0, 1), box=None)
    # What is the same in every row stands above the tables; what is left has to fit in 80 columns.
    columns = [
        column for column in table.column_names if column not in ("run", "cell") or len(table[column].unique()) > 1
    ]
    for column in columns:
        is_key = not pa.types.is_integer(table.schema.field(column).type)
        shown.add_column(column.replace("_", "\n_"), justify="left" if is_key else "right", no_wrap=True)
    for row in table.select(columns).slice(0, SHOWN_ROWS).to_pylist():
        shown.add_row(*("" if value is None else str(value) for value in row.values()))
    console.print(shown)
    if table.num_rows > SHOWN_ROWS:
        console.print(CommandResultTexts.MORE_ROWS(count=table.num_rows - SHOWN_ROWS), style="dim")


def _parquet_file(asked: Path, table: str) -> Path:
    return asked.with_name(f"{asked.stem}-{table}{asked.suffix or '.parquet'}")


def _tables(
    checkpoint: Checkpoint, batch: int | None, since: int | None
) -> tuple[int, list[tuple[str, int, StateRow]], dict[str, pa.Table]]:
    """The micro-batch, its state rows, and their tables, or what changed in them after micro-batch `since`."""
    with ExitStack() as stack:
        if since is not None:
            more = checkpoint.files.spark_settings
            stack.enter_context(some_session("local[1]", partitions=1, more=more))  # for both
        batch, rows = read_state(checkpoint, batch)
        tables = state_tables(rows, checkpoint.folder)
        if since is None:
            tables |= _consumers(checkpoint, rows)
        else:
            if since >= batch:
                raise InputError(CommandTexts.SINCE_EXPECTED(batch=batch).at(f"--since {since}"))
            _, before = read_state(checkpoint, since)
            tables = changes_between(state_tables(before, checkpoint.folder), tables)
    return batch, rows, tables


def _consumers(checkpoint: Checkpoint, rows: list[tuple[str, int, StateRow]]) -> dict[str, pa.Table]:
    """Table consumer_offsets of all cells, nothing without consumers. Raises InputError."""
    found = list[pa.Table]()
    for run, cell, row in rows:
        if not has_consumers(row):
            continue
        try:
            table = consumer_offsets(ChangeLog.of(checkpoint).scenario_of(row), row)
        except LayoutError as error:
            raise InputError(at(checkpoint.folder, sentence_of(error))) from error
        labelled = table.add_column(0, "cell", pa.array([cell] * table.num_rows, pa.int32()))
        found.append(labelled.add_column(0, "run", pa.array([run] * table.num_rows, pa.string())))
    return {"consumer_offsets": pa.concat_tables(found)} if found else {}


def state_command(
    folder: Path, batch: int | None, as_json: bool, parquet: Path | None, console: Console, since: int | None = None
) -> None:
    """Print or write the state tables of a checkpoint folder, or of an output folder's own.

    `since`: only what changed after that micro-batch.

    Raises InputError (no checkpoint, or damaged) and EnvironmentProblem (the file cannot be written).
    """
    if parquet is not None:
        check_writable(parquet)
    checkpoint = Checkpoint.of(folder)
    with working(Console(quiet=True) if as_json else console, CommandResultTexts.READING_STATE()):
        batch, rows, tables = _tables(checkpoint, batch, since)
    scalars = ("version", "digest", "clock_us", "events_in", "events_handled", "events_rejected", "events_skipped")
    cells = [{"run": run, "cell": cell} | {name: getattr(row, name) for name in scalars} for run, cell, row in rows]
    if parquet is not None:
        for name, table in tables.items():
            file = _parquet_file(parquet, name)
            write_whole(file, partial(pq.write_table, table))
            text = CommandResultTexts.ROWS_WRITTEN(rows=table.num_rows, table=name, file=file)
            console.print(text, highlight=False)
    elif as_json:
        print(json.dumps({"batch": batch, "cells": cells} | {n: t.to_pylist() for n, t in tables.items()}))
    else:
        changed = None if since is None else CommandResultTexts.STATE_CHANGED(first=since + 1, last=batch)
        console.print(changed or CommandResultTexts.STATE_AFTER(batch=batch), highlight=False)
        for run, cell, row in rows:
            text = CommandResultTexts.CELL_STATE(
                run=run, cell=cell, clock_s=row.clock_us / 1e6, events=row.events_in, handled=row.events_handled,
                rejected=row.events_rejected,
            )  # fmt: skip
            console.print(text, highlight=False)
        for name, table in tables.items():
            _print(name, table, console)
