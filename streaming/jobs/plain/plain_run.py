"""A scenario run in this process: the tables and run.json of the streaming job, with no Spark, Java or checkpoint."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
from rich.console import Console

from simulator.compiled import jit
from simulator.run.cell import Cell
from simulator.run.driver import drive
from state.texts import Sentence
from streaming.clock import virtual_time
from streaming.errors import InputError, Interrupted
from streaming.files.json_file import read_json
from streaming.files.parquet_files import ParquetFiles
from streaming.flow.blocks import PROGRESS
from streaming.flow.parquet_sink import sweep
from streaming.flow.scenario_feed import plan_of
from streaming.jobs.folders.checkpoint import Checkpoint
from streaming.jobs.folders.folder_lock import held
from streaming.jobs.folders.output_folder import check_output, clear, make_output
from streaming.jobs.folders.run_file import RunFile
from streaming.jobs.job import Job
from streaming.jobs.live_line import LiveLine
from streaming.jobs.progress import Progress
from streaming.operator.cell_progress import document_of
from streaming.options.engine_choice import PLAIN
from streaming.problems import disk_problem
from streaming.runner.stop_signals import StopSignals
from streaming.texts.job_texts import JobTexts

FILE = "b00000000-p{cell:04d}"  # named as what one micro-batch would write
REPORT_EVERY_S = 1.0


class NoCheckpoint(Checkpoint):
    """Stands where the streaming job would have its checkpoint: run.json tells by it which of the two has written."""

    @property
    def identity(self) -> str:
        """The same for every plain run."""
        return PLAIN


def run_plain(job: Job, out: Path, console: Console, *, fresh: bool = False) -> Progress:
    """Run a scenario to its end, cell after cell.

    Ctrl-C keeps what is simulated and raises Interrupted; the same command then starts from the beginning, and gives
    the same files as an undisturbed run. With several cells nothing is kept: they would end at different times.
    Raises InputError (the folder is another run's, the streaming job's or in use), EnvironmentProblem (cannot be
    written), and then nothing in it has changed.
    """
    none = NoCheckpoint(out / "_checkpoint")
    try:
        _check_engine(out, job, fresh=fresh)
        check_output(out, none, job.run, fresh=fresh)
        make_output(out)
        with held(out, JobTexts.FOLDER_IN_USE()):
            if fresh:
                clear(out, none)
            check_output(out, none, job.run, fresh=False)  # again: until now another run could have begun here
            sweep(out)
            return _run_held(job, out, console)
    except OSError as error:
        raise disk_problem(error, out) from error


def _run_held(job: Job, out: Path, console: Console) -> Progress:
    belongs = {"checkpoint": PLAIN, "engine": PLAIN, "sink": "parquet", "tables": list(job.tables)}
    run_file, progress = RunFile(out, {**job.run.about, **belongs}), Progress(job.runs)
    run_file.update(progress)
    line, stop = LiveLine(console, job.duration_us, progress), StopSignals(twice_ends=True)
    if not jit.WAS_COMPILED:
        line.wait(JobTexts.COMPILES_FIRST())
    try:
        with stop.listening():
            _write(job, out, progress, line, stop.asked.is_set)
    finally:
        line.close()
        if stop.asked.is_set():
            run_file.stop()
    run_file.update(progress)
    if stop.asked.is_set():
        raise Interrupted(stopped_at(progress.clock_us, job.duration_us, out))
    return progress


def stopped_at(clock_us: int, duration_us: int, out: Path) -> Sentence:
    """What is left of a run that was stopped. Messages that are on their way at its end take the clock beyond it."""
    if not clock_us:
        return JobTexts.PLAIN_NOT_BEGUN(out=out)
    reached = virtual_time(min(clock_us, duration_us))
    return JobTexts.PLAIN_STOPPED(reached=reached, duration=virtual_time(duration_us), out=out)


def _check_engine(out: Path, job: Job, *, fresh: bool) -> None:
    note = out / "run.json"
    if fresh or not note.exists():
        return
    stored = read_json(note, "output folder's description")
    if stored.get("checkpoint") != PLAIN:
        raise InputError(JobTexts.PLAIN_AFTER_SPARK().at(out))
    if stored.get("digest") == job.run.digest and stored.get("tables") != list(job.tables):
        raise InputError(JobTexts.OTHER_TABLES(tables=", ".join(stored.get("tables", ()))).at(out))


def _write(job: Job, out: Path, progress: Progress, line: LiveLine, stopped: Callable[[], bool]) -> None:
    """Every cell's rows into files of its own, which get their names when all are whole."""
    plan = plan_of(job.run.spec.spec)
    files = [ParquetFiles(out, FILE.format(cell=number)) for number in range(len(plan.cells))]
    try:
        for own, those in zip(plan.cells, files, strict=True):
            cell = Cell(own, [name for name in job.tables if name != "rejects"])
            for name, table in _with_progress(cell, plan.run, drive(plan, cell, stopped), progress, line):
                those.write(plan.run, name, table)
            if stopped() and len(plan.cells) > 1:
                raise KeyboardInterrupt
        for those in files:
            those.end()
        for those in files:
            those.name_them()
        progress.add([(name, rows, b"") for those in files for name, rows in those.rows.items()])
    except BaseException:
        for those in files:
            those.discard()
        raise


def _with_progress(
    cell: Cell, run: str, rows: Iterator[tuple[str, pa.Table]], progress: Progress, line: LiveLine
) -> Iterator[tuple[str, pa.Table]]:
    """The rows, and how far they are once a second."""
    number, reported_s = cell.plan.names.cell, time.monotonic()
    for name, table in rows:
        yield name, table
        if time.monotonic() - reported_s > REPORT_EVERY_S:
            progress.add([(PROGRESS, 1, document_of(cell.snapshot(), run, number))])
            reported_s = time.monotonic()
            line.show()
    progress.add([(PROGRESS, 1, document_of(cell.snapshot(), run, number))])
