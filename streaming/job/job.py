"""The job: source -> operator -> sink with its checkpoint, from start to a clean stop."""

from __future__ import annotations

import os
import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from state.tables import TABLES
from streaming.errors import EnvironmentProblem, Interrupted
from streaming.flow.sinks import SINKS, attempt_lines, sweep
from streaming.flow.source import MAX_EVENTS, SendlabSource, Shape
from streaming.job.checkpoint import Checkpoint, manifest_of
from streaming.job.output_folder import prepare_output
from streaming.job.problems import disk_problem, explained
from streaming.job.progress import LiveLine, Record, Tally
from streaming.spark.session import close_session, jvm_pid, open_session
from streaming.spark.worker import warm_workers

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.streaming.query import StreamingQuery

POLL_S = 0.1
PACED_TRIGGER = "1 second"
START_TRIES = 2
SIGNALS = (signal.SIGINT, signal.SIGTERM)
WORKER_DID_NOT_CONNECT = "failed to connect back"


@dataclass(frozen=True)
class Job:
    """What is to run. `spec`: what the source and the operator rebuild it from; `about`: for run.json."""

    kind: str
    spec: str
    digest: str
    settings: Mapping[str, Any]
    steps: int
    cells: int
    duration_us: int
    about: Mapping[str, Any]
    tables: tuple[str, ...] = tuple(TABLES)


@dataclass(frozen=True)
class Options:
    """How it is to run. `speed`: virtual seconds a real second, 0 = as fast as it can."""

    out: Path
    checkpoint: Path | None = None
    sink: str = "parquet"
    speed: float = 0.0
    master: str | None = None
    partitions: int | None = None
    max_events: int = MAX_EVENTS
    fresh: bool = False

    @property
    def checkpoint_folder(self) -> Path:
        """The checkpoint's folder, by default in the output folder where no reader looks."""
        return self.checkpoint or self.out / "_checkpoint"

    def partitions_for(self, cells: int) -> int:
        """State partitions: those of the checkpoint, in a new one as many as there are cores and cells for."""
        checkpoint = Checkpoint(self.checkpoint_folder)
        kept = checkpoint.manifest().get("partitions") if checkpoint.exists and not self.fresh else None
        return self.partitions or kept or max(1, min(os.cpu_count() or 1, cells))


def start_query(
    spark: SparkSession, job: Job, options: Options, on_batch: Callable[[list[tuple[str, int, bytes]]], None]
) -> StreamingQuery:
    """Start the streaming query; `on_batch` gets what the sink's tasks gave, in the callback's thread."""
    from streaming.flow.kinds_of_run import feed_of
    from streaming.flow.operator import decisions

    warm_workers(spark, job.kind, job.spec)
    checkpoint = Checkpoint(options.checkpoint_folder)
    spark.dataSource.register(SendlabSource)
    blocks = (
        spark.readStream.format("sendlab")
        .option("kind", job.kind)
        .option("spec", job.spec)
        .option("shape", Shape.of(feed_of(job.kind, job.spec)).option)
        .option("maxevents", str(options.max_events))
        .option("speed", str(options.speed))
        .option("stopfile", str(checkpoint.stop_file))
        .load()
    )
    write = SINKS[options.sink]

    def sink(batch: Any, batch_id: int) -> None:
        on_batch(write(batch, options.out, batch_id))

    writer = decisions(blocks, job.kind, job.spec, job.tables).writeStream.foreachBatch(sink)
    writer = writer.outputMode("append").option("checkpointLocation", str(checkpoint.spark))
    paced = options.speed > 0
    return (writer.trigger(processingTime=PACED_TRIGGER) if paced else writer.trigger(availableNow=True)).start()


@dataclass
class _Stop:
    """Set by Ctrl-C and SIGTERM: the job ends after the micro-batch that is running."""

    on_ask: Callable[[], None]
    asked: threading.Event = field(default_factory=threading.Event)

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Take the signals over; put back what was there at the end. Only in the main thread."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.getsignal(number) for number in SIGNALS}
        self.listen()
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def listen(self) -> None:
        """Take the signals over, again after a session has begun: pyspark puts a handler of its own there."""
        if threading.current_thread() is threading.main_thread():
            for number in SIGNALS:
                signal.signal(number, self._ask)

    def _ask(self, _number: int, _frame: object) -> None:
        self.asked.set()
        self.on_ask()


def _watch(query: StreamingQuery, job: Job, options: Options, tally: Tally, line: LiveLine, stop: _Stop) -> None:
    told = False
    while query.isActive:
        time.sleep(POLL_S)
        line.show()
        if stop.asked.is_set() and not told:
            told = True
            line.console.print("stopping after the micro-batch that is under way", style="dim")
        if options.speed > 0 and (stop.asked.is_set() or tally.next_step >= job.steps):
            # A paced query never ends by itself: stop it where nothing is under way.
            status = query.status
            if not status["isTriggerActive"] and not status["isDataAvailable"]:
                query.stop()
    failure = query.exception()
    if failure is not None:
        raise failure


def run_job(job: Job, options: Options, console: Console) -> Tally:
    """Run a job to its end, or until a signal; resumes from the checkpoint if there is one.

    Raises InputError (folders that do not fit), EnvironmentProblem (no Java, disk full, ...), Interrupted after a
    signal, when everything finished is safely stored.
    """
    checkpoint = Checkpoint(options.checkpoint_folder)
    try:
        prepare_output(options.out, checkpoint, job.about["run"], job.digest, fresh=options.fresh)
        partitions = options.partitions_for(job.cells)
        manifest = manifest_of(job.kind, job.digest, job.settings, partitions, list(job.tables), options.sink)
        checkpoint.check_fits(manifest)
        with checkpoint.owned():
            checkpoint.begin(manifest)
            sweep(options.out)
            shutil.rmtree(checkpoint.folder / "tmp", ignore_errors=True)
            return _run_owned(job, options, checkpoint, partitions, console)
    except OSError as error:
        raise disk_problem(error, options.out) from error


def _run_owned(job: Job, options: Options, checkpoint: Checkpoint, partitions: int, console: Console) -> Tally:
    tally = Tally()
    belongs = {"checkpoint": checkpoint.identity, "sink": options.sink, "tables": list(job.tables)}
    record = Record(options.out, {**job.about, **belongs})
    record.update(tally)

    def on_batch(written: list[tuple[str, int, bytes]]) -> None:
        tally.add(written)
        record.update(tally)
        for text in attempt_lines(written):
            console.print(text, markup=False, highlight=False, soft_wrap=True)

    if checkpoint.committed_step() >= job.steps:  # killed after the last micro-batch, before it could say so
        record.update(tally, finished=True)
        return tally
    console.print("resuming from the checkpoint" if checkpoint.batches() else "starting Spark", style="dim")
    stop = _Stop(checkpoint.ask_to_stop)
    line = LiveLine(console, job.duration_us, tally)
    with stop.listening():
        spark = open_session(checkpoint.folder, master=options.master, partitions=partitions)
        try:
            stop.listen()
            checkpoint.note_owner(jvm_pid(spark))
            _run_query(spark, job, options, tally, line, stop, on_batch)
        finally:
            line.close()
            close_session(spark)
            shutil.rmtree(checkpoint.folder / "tmp", ignore_errors=True)
        finished = checkpoint.committed_step() >= job.steps
        record.update(tally, finished=finished)
    if stop.asked.is_set() and not finished:
        raise Interrupted("stopped between two micro-batches; the same command goes on from here")
    return tally


def _run_query(
    spark: SparkSession,
    job: Job,
    options: Options,
    tally: Tally,
    line: LiveLine,
    stop: _Stop,
    on_batch: Callable[[list[tuple[str, int, bytes]]], None],
) -> None:
    from py4j.protocol import Py4JError, Py4JJavaError
    from pyspark.errors import PySparkException

    for attempt in range(1, START_TRIES + 1):
        if stop.asked.is_set():
            return
        try:
            query = start_query(spark, job, options, on_batch)
            _watch(query, job, options, tally, line, stop)
            return
        except (PySparkException, Py4JJavaError) as error:
            # The source's worker has ten seconds to start, which a busy machine may not give it.
            if WORKER_DID_NOT_CONNECT in str(error) and attempt < START_TRIES:
                continue
            raise explained(error, options.out, options.checkpoint_folder) from error
        except (Py4JError, ConnectionError) as error:
            raise EnvironmentProblem(
                f"Spark's JVM ended while the job ran; the same command goes on from the last micro-batch; "
                f"its log is {options.checkpoint_folder / 'jvm.log'}"
            ) from error
