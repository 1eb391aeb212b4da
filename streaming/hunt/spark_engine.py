"""The runs of a hunt on a Spark session: a job for each generation of schedules, spread over all its cores."""

from __future__ import annotations

import json
import threading
import uuid
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from simulator.hunt.cases.case_causes import causes_of_case
from simulator.hunt.schedule import Schedule
from simulator.hunt.schedule_outcome import HuntOutcome
from streaming.errors import EnvironmentProblem
from streaming.experiments.runs_query import have_model_loaded
from streaming.hunt.held_run import run_schedule
from streaming.hunt.hunt_engine import POLL_S, HuntEngine
from streaming.problems import explained
from streaming.runner.query_run import run_query
from streaming.spark.session import own_session
from streaming.spark.worker import settle
from streaming.texts.experiment_texts import ExperimentTexts

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import SparkSession

PARTS_A_CORE = 8  # of a job: whichever core is free takes the next, and at the end few wait for the last runs
OUT_SCHEMA = "place long, line string"

Lines = Callable[[Schedule], str]


@dataclass(frozen=True)
class SparkEngine:
    """Runs in the Python workers of a session. folder: where `error.log` goes if a job fails."""

    spark: SparkSession
    folder: Path

    def outcomes(
        self, text: str, wanted: Sequence[str], schedules: Sequence[Schedule], stop: threading.Event
    ) -> Iterator[tuple[Schedule, HuntOutcome]]:
        """What schedules come to; a job that is stopped gives none. Raises InputError and EnvironmentProblem."""
        for place, line in self._job(partial(_outcome_line, text, tuple(wanted)), schedules, stop):
            yield schedules[place], HuntOutcome.of_json(json.loads(line))

    def causes(self, text: str, schedules: Sequence[Schedule], stop: threading.Event) -> list[tuple[str, ...]]:
        """What is proven of each of some cases; nothing if it is stopped."""
        found = dict(self._job(partial(_causes_line, text), schedules, stop))
        return [tuple(json.loads(found[place])) if place in found else () for place in range(len(schedules))]

    def _job(self, lines: Lines, schedules: Sequence[Schedule], stop: threading.Event) -> list[tuple[int, str]]:
        """(place, line) of each schedule, in the order of places; nothing once `stop` is set."""
        if not schedules or stop.is_set():
            return []
        group, context = uuid.uuid4().hex, self.spark.sparkContext
        found: list[tuple[int, str]] = []
        parts = min(len(schedules), PARTS_A_CORE * context.defaultParallelism)

        def collect() -> None:
            context.setJobGroup(group, "hunt")
            rows = self.spark.range(0, len(schedules), 1, parts).mapInArrow(_worker(lines, schedules), OUT_SCHEMA)
            found.extend((int(row.place), str(row.line)) for row in rows.collect())

        def failed(error: Exception) -> Exception:
            return error if stop.is_set() else explained(error, self.folder, self.folder)

        # A thread of its own: one that waits for the JVM does not see signals.
        with ThreadPoolExecutor(1, thread_name_prefix="hunt-job") as waiting:
            job = waiting.submit(run_query, collect, failed, self._ended)
            while not job.done():
                wait([job], timeout=POLL_S)
                if stop.is_set():
                    context.cancelJobGroup(group)
            if stop.is_set():
                return []
            job.result()
        return found

    def _ended(self) -> Exception:
        return EnvironmentProblem(ExperimentTexts.JVM_ENDED(log=self.folder / "jvm.log"))


def _outcome_line(text: str, wanted: Sequence[str], schedule: Schedule) -> str:
    return json.dumps(run_schedule(text, wanted, schedule).as_json())


def _causes_line(text: str, schedule: Schedule) -> str:
    return json.dumps(causes_of_case(text, schedule))


def _worker(
    lines: Lines, schedules: Sequence[Schedule]
) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """A mapInArrow function: places in, a row of OUT_SCHEMA each out."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        import simulator.hunt.schedule_outcome  # noqa: F401

        settle()
        for place in (place for batch in batches for place in batch.column(0).to_pylist()):
            row = [pa.array([place], pa.int64()), pa.array([lines(schedules[place])], pa.string())]
            yield pa.RecordBatch.from_arrays(row, names=["place", "line"])

    return run


@contextmanager
def spark_of(
    given: SparkSession | None, folder: Path, master: str | None, begun: Callable[[], None] = lambda: None
) -> Iterator[HuntEngine]:
    """The given session, or one of its own for as long as the block lasts, its log in `folder`.

    `begun`: called once the session is there, which takes signals over. Raises EnvironmentProblem.
    """
    with own_session(given, folder, master=master, partitions=1) as spark:
        begun()
        have_model_loaded(spark)
        yield SparkEngine(spark, folder)
