"""Running a job from its start to a clean stop, as a command does."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Protocol

from rich.console import Console

from streaming.clock import virtual_time
from streaming.errors import EnvironmentProblem, Interrupted, JvmEnded
from streaming.flow.console_sink import attempt_lines
from streaming.jobs.claim import Claim, claimed
from streaming.jobs.endless.forever import Housekeeping
from streaming.jobs.endless.tries import Tries
from streaming.jobs.job import Job, Options
from streaming.jobs.live_line import LiveLine
from streaming.jobs.progress import Progress
from streaming.jobs.query import start
from streaming.jobs.requested_reloads import RequestedReloads
from streaming.kafka.brokers.kafka_cluster import UNKNOWN_TOPIC, check_not_deleted
from streaming.problems import explained, heap_full, is_heap_full
from streaming.runner.first_batch import doing
from streaming.runner.query_run import run_query
from streaming.runner.stop_signals import StopSignals
from streaming.runner.watched_query import QueryOwner, watch_query
from streaming.spark.jvm_log import JvmLog
from streaming.spark.session import own_session, session_at_hand
from streaming.terminal.working import working
from streaming.texts.job_texts import JobTexts

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.streaming.query import StreamingQuery

DRAIN_S = 5.0


class Onlooker(Protocol):
    """Who wants to see a job while it runs."""

    def begin(self, claim: Claim) -> None:
        """The job's folders are held; nothing has run yet."""

    def look(self, query: StreamingQuery) -> None:
        """The query is running; asked often, between micro-batches and during them."""

    def again(self) -> None:
        """The query failed and begins again."""

    def before_merge(self) -> None:
        """Files of the tables that it has not read yet are about to be merged with files that it has."""


@dataclass(frozen=True)
class _Asked:
    """Who asks a running job for something: to end, or to change."""

    stop: StopSignals
    reloads: RequestedReloads
    cut_short: threading.Event = field(default_factory=threading.Event)  # the query was stopped in a micro-batch

    @property
    def ends_query(self) -> bool:
        """Whether the query has to end after the micro-batch that is running."""
        return self.stop.asked.is_set() or self.reloads.is_asked


@dataclass(frozen=True)
class _JobQueries(QueryOwner):
    """The queries of a job: the first, and one after each change."""

    claim: Claim
    asked: _Asked
    line: LiveLine
    onlookers: Sequence[Onlooker]

    def look(self, query: StreamingQuery) -> None:
        """Show it, to everybody, and see whether a change is asked for."""
        if not self.claim.progress.cells:
            self.line.doing = doing(query)
        self.line.show()
        for onlooker in self.onlookers:
            onlooker.look(query)
        self.asked.reloads.look()

    def end_asked(self) -> str | None:
        """For a signal, or for a change."""
        if not self.asked.ends_query:
            return None
        return JobTexts.STOPPING() if self.asked.stop.asked.is_set() else JobTexts.CHANGING()

    def is_over(self) -> bool:
        """A polled query never ends by itself."""
        return self.claim.source.is_polled and (self.asked.ends_query or self.claim.progress.is_complete)

    def is_overdue(self, asked_for_s: float) -> bool:
        """One that always has something under way; that micro-batch is run again another time."""
        return self.asked.stop.asked.is_set() and asked_for_s > DRAIN_S

    def cut_short(self) -> None:
        """Another sentence at the end."""
        self.asked.cut_short.set()


def run_job(job: Job, options: Options, console: Console, onlookers: Sequence[Onlooker] = ()) -> Progress:
    """Run a job to its end, or until a signal; resumes from the checkpoint if there is one.

    Raises InputError (folders that do not fit), EnvironmentProblem (no Java, disk full, ...), Interrupted after a
    signal, when everything finished is safely stored.
    """
    with claimed(job, options) as claim:
        if claim.reached.is_end:
            claim.run_file.finish()  # if it was killed before it could say so
            console.print(JobTexts.RUN_IS_FINISHED().at(options.out), style="dim", highlight=False)
            return claim.progress
        console.print(where_it_begins(claim), style="dim", highlight=False)
        tell = partial(console.print, style="yellow", markup=False, highlight=False, soft_wrap=True)
        for line in claim.lines:
            tell(line)
        claim.progress.subscribe(lambda progress: _show_attempts(progress, console))
        if options.forever and "parquet" in options.sinks:
            before = partial(_before_merge, onlookers)
            claim.progress.subscribe(Housekeeping(claim.run_file, options.keep_us, tell, before))
        for onlooker in onlookers:
            onlooker.begin(claim)
        stop = StopSignals(claim.checkpoint.ask_to_stop)
        with stop.listening():
            asked = _Asked(stop, RequestedReloads(claim, tell))
            _run_again_and_again(claim, asked, console, onlookers)
        claim.run_file.update(claim.progress)
        if stop.asked.is_set() and not claim.reached.is_end:
            claim.run_file.stop()
            raise Interrupted(JobTexts.CUT_SHORT() if asked.cut_short.is_set() else JobTexts.STOPPED())
        return claim.progress


def _before_merge(onlookers: Sequence[Onlooker]) -> None:
    for onlooker in onlookers:
        onlooker.before_merge()


def _run_again_and_again(claim: Claim, asked: _Asked, console: Console, onlookers: Sequence[Onlooker]) -> None:
    """Run until the end or a signal; what fails begins again after a while, as often in a row as it may."""
    stop, tries = asked.stop, Tries(claim.options.restarts)
    while True:
        began_s = time.monotonic()
        try:
            _run_session(claim, asked, console, onlookers)
            return
        except EnvironmentProblem as problem:
            if stop.asked.is_set() and isinstance(problem, JvmEnded):  # who ends a service may signal all its processes
                claim.run_file.stop()
                raise Interrupted(JobTexts.STOPPED_WITH_JVM()) from problem
            wait_s = tries.wait_s(time.monotonic() - began_s)
            if stop.asked.is_set() or wait_s is None:
                raise
            text = JobTexts.RESTARTING(problem=problem, wait_s=wait_s, tries=tries.of_most)
            console.print(text, style="yellow", highlight=False)
            for onlooker in onlookers:
                onlooker.again()
            if stop.asked.wait(wait_s):
                return


def _run_session(claim: Claim, asked: _Asked, console: Console, onlookers: Sequence[Onlooker]) -> None:
    options, folder = claim.options, claim.checkpoint.folder
    log = JvmLog(folder / "jvm.log")
    session = own_session(
        session_at_hand(), folder, master=options.master, partitions=claim.partitions, memory=claim.memory,
        more=claim.spark_settings,
    )  # fmt: skip
    with ExitStack() as stack:
        with working(console, JobTexts.STARTING_JAVA()):
            spark = stack.enter_context(session)
        line = LiveLine(console, None if options.forever else claim.job.duration_us, claim.progress)
        stack.callback(line.close)
        asked.stop.listen()
        _run_query(spark, _JobQueries(claim, asked, line, onlookers), log)


def where_it_begins(claim: Claim) -> str:
    """What is printed before Spark starts: where the job goes on, and what came before."""
    if not claim.checkpoint.batches():
        return JobTexts.STARTING_SPARK()
    run, counts = claim.job.runs[0], claim.run_file.content["counts"]
    until_us = claim.reached.until_us
    at_us = claim.run_file.content["clock_us"] if until_us is None else min(until_us, run.duration_us)
    counted = ", ".join(f"{number:,} {name}" for name, number in counts.items())
    so_far = JobTexts.SO_FAR(counts=counted) if counted else ""
    total = "" if claim.options.forever else JobTexts.RESUMING_OF(total=virtual_time(run.duration_us))
    return JobTexts.RESUMING(at=virtual_time(at_us), total=total, so_far=so_far)


def _show_attempts(progress: Progress, console: Console) -> None:
    for text in attempt_lines(progress.last):
        console.print(text, markup=False, highlight=False, soft_wrap=True)


def _run_query(spark: SparkSession, queries: _JobQueries, log: JvmLog) -> None:
    claim, asked = queries.claim, queries.asked

    def run() -> None:
        while not asked.stop.asked.is_set():
            watch_query(start(claim, spark), queries, queries.line.console)
            if not asked.reloads.is_asked:
                return
            asked.reloads.take()

    def failed(error: Exception) -> Exception:
        if is_heap_full(str(error)):
            return heap_full(claim.memory)
        problem = explained(error, claim.options.out, claim.checkpoint.folder)
        if claim.job.kafka is not None and UNKNOWN_TOPIC in str(error):
            check_not_deleted(claim.job.kafka.connection, claim.job.kafka.intake.topics)
        return problem

    def ended() -> Exception:
        if is_heap_full(log.since()):
            return heap_full(claim.memory)
        return JvmEnded(JobTexts.JVM_ENDED(log=log.path))

    run_query(run, failed, ended)
