"""`sendlab replay DIR --from-batch N`: a run again from a micro-batch that its checkpoint keeps: the same rows?"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from rich.progress import Progress

from state.tables import TABLES
from state.texts import at
from streaming.commands.jobs.state_command import read_state
from streaming.commands.replays.fork_command import checkpoint_of
from streaming.errors import InputError
from streaming.experiments.runs_asked import CANNOT_TELL
from streaming.flow.feeds import feed_of
from streaming.jobs.folders.checkpoint import Checkpoint
from streaming.jobs.reload.change_log import ChangeLog
from streaming.jobs.steppers import stepper_of
from streaming.outputs.dataset import open_output
from streaming.spark.java import require_spark
from streaming.terminal.output_console import OutputConsole as Console
from streaming.texts.command_result_texts import CommandResultTexts
from streaming.texts.command_texts import CommandTexts


@dataclass(frozen=True)
class Again:
    """What came of one micro-batch run again: rows by table, and the first that differs, in words."""

    batch: int
    rows: dict[str, int]
    difference: str | None


def from_batch_command(folder: Path, batch: int, *, as_json: bool, console: Console) -> int:
    """Run every micro-batch after `batch` again from the state kept of it: exit code 0 if every row is the same, 1 if
    one is not, 4 if there was none to compare.

    Raises InputError for a folder that is no output of a run with a checkpoint, or a micro-batch that is not kept.
    """
    about = open_output(folder).about
    checkpoint = checkpoint_of(folder)
    last_merged = int(about.get("compacted_before", 0)) - 1
    if batch < last_merged:
        merged = CommandTexts.BATCHES_MERGED(last=last_merged)
        if last_merged >= max(checkpoint.batches(), default=0):
            merged = CommandTexts.ALL_BATCHES_MERGED()
        raise InputError(merged.at(f"--from-batch {batch}"))
    if "parquet" not in str(about.get("sink")).split():
        raise InputError(CommandTexts.NO_FILES_TO_COMPARE(sink=about.get("sink")).at(folder))
    require_spark()
    committed = checkpoint.batches()
    done: list[Again] = []
    with Progress(console=Console(quiet=True) if as_json else console, transient=True) as bar:
        task = bar.add_task("micro-batches", total=None)
        for again in run_again(folder, checkpoint, batch):
            done.append(again)
            bar.update(task, total=max(committed[-1] - batch, 1), advance=1)
            if again.difference is not None:
                break
    rows = sum(sum(one.rows.values()) for one in done)
    wrong = next((one for one in done if one.difference is not None), None)
    if as_json:
        document = {"batches": [one.batch for one in done], "rows": rows, "same": wrong is None if done else None}
        print(json.dumps(document | {"difference": None if wrong is None else wrong.difference}, indent=1))
    elif not done:
        console.print(CommandResultTexts.BATCH_IS_THE_LAST(batch=batch), highlight=False)
    elif wrong is None:
        text = CommandResultTexts.BATCHES_SAME(first=done[0].batch, last=done[-1].batch, rows=rows)
        console.print(text, style="bold green", highlight=False, soft_wrap=True)
    else:
        text = CommandResultTexts.BATCH_DIFFERS(batch=wrong.batch, difference=wrong.difference)
        console.print(text, style="bold red", highlight=False, soft_wrap=True)
    if not done:
        return CANNOT_TELL
    return 0 if wrong is None else 1


def run_again(folder: Path, checkpoint: Checkpoint, batch: int) -> Iterator[Again]:
    """Micro-batch by micro-batch; of the state only the first is read. Raises InputError."""
    spec = ChangeLog.of(checkpoint).spec
    tables = [name for name in checkpoint.manifest()["tables"] if name in TABLES]
    batch, states = read_state(checkpoint, batch)
    feed, last = feed_of(spec), checkpoint.batches()[-1]
    steppers = {cell: stepper_of(spec, cell, row, tables) for _, cell, row in states}
    first = states[0][2].next_window
    for number in range(batch + 1, last + 1):
        until = _end_step(checkpoint, number)
        made: dict[str, list[pa.Table]] = {name: [] for name in tables}
        for cell, stepper in steppers.items():
            for name, rows in stepper.run(feed.blocks(cell, first, until)):
                if name in made:
                    made[name].append(rows)
        yield _held_against(folder, spec.run, number, made)
        first = until


def _end_step(checkpoint: Checkpoint, batch: int) -> int:
    try:
        return int(json.loads(checkpoint.offsets_at(batch)[-1])["step"])
    except (ValueError, LookupError, TypeError) as error:
        raise InputError(CommandTexts.OFFSETS_UNREADABLE(batch=batch, why=error).at(checkpoint.folder)) from error


def _held_against(folder: Path, run: str, batch: int, made: dict[str, list[pa.Table]]) -> Again:
    rows: dict[str, int] = {}
    for name, parts in made.items():
        files = sorted((folder / name / f"run={run}").glob(f"b{batch:08d}-p*.parquet"))
        schema = TABLES[name].schema
        stored = [pq.read_table(file, partitioning=None).select(schema.names) for file in files]
        ours, theirs = (
            _sorted(name, pa.concat_tables(some) if some else schema.empty_table()) for some in (parts, stored)
        )
        rows[name] = ours.num_rows
        if ours.num_rows != theirs.num_rows:
            counts = CommandResultTexts.ROW_COUNTS_DIFFER(table=name, now=ours.num_rows, before=theirs.num_rows)
            return Again(batch, rows, counts)
        if not ours.equals(theirs):
            return Again(batch, rows, at(name, _first_apart(ours, theirs)))
    return Again(batch, rows, None)


def _sorted(name: str, table: pa.Table) -> pa.Table:
    """The rows in the order of their key, names as plain text."""
    fields = [field.with_type(pa.string()) if pa.types.is_dictionary(field.type) else field for field in table.schema]
    plain = table.cast(pa.schema([pa.field(field.name, field.type) for field in fields]))
    keys = [key for key in TABLES[name].key if key in plain.column_names] or plain.column_names
    return plain.sort_by([(key, "ascending") for key in keys]).combine_chunks()


def _first_apart(ours: pa.Table, theirs: pa.Table) -> str:
    for column in ours.column_names:
        pairs = zip(ours.column(column).to_pylist(), theirs.column(column).to_pylist(), strict=True)
        for number, (one, other) in enumerate(pairs):
            if one != other:
                return CommandResultTexts.ROW_DIFFERS(row=number, column=column, now=one, before=other)
    return CommandResultTexts.COLUMNS_DIFFER()
