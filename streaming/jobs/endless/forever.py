"""A job without an end: how long its scenario is taken to be, the wall clock, and how its output is kept small."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from simulator.scenario import Scenario
from streaming.errors import EnvironmentProblem, InputError
from streaming.files.json_file import read_json, write_json
from streaming.flow.source import POLL_S
from streaming.jobs.folders.checkpoint import PACE, Checkpoint
from streaming.spark.worker import give_back
from streaming.texts.job_texts import JobTexts

if TYPE_CHECKING:
    from streaming.jobs.folders.run_file import RunFile
    from streaming.jobs.progress import Progress

COMPACT_EVERY = 300  # micro-batches
MOST_REPETITIONS = 5_000  # of a fault: each is planned ahead


def check_endless(scenario: Scenario) -> None:
    """Raise InputError for a scenario that cannot be planned for so long."""
    for number, fault in enumerate(scenario.faults):
        times = len(fault.starts_us(scenario.duration_us))
        if times > MOST_REPETITIONS:
            raise InputError(JobTexts.COMES_BACK_TOO_OFTEN(times=times, most=MOST_REPETITIONS).at(f"faults.{number}"))


def due_since_s(checkpoint: Checkpoint, speed: float, reached_us: int) -> float:
    """When virtual time 0 was due, in seconds of the wall clock since 1970; noted in the checkpoint at first.

    As long as the pace stays the same, time that passes without the job is made up for when it goes on. With another
    pace it goes on from where it is. Windows of a second become due as the source is asked: else each would wait for
    the next question, by the same part of a second for as long as the job runs.
    """
    file = checkpoint.folder / PACE
    if file.exists():
        noted = read_json(file, "note of the job's pace")
        if noted.get("speed") == speed and isinstance(noted.get("due_since_s"), float):
            return float(noted["due_since_s"])
    since_s = time.time() // POLL_S * POLL_S - reached_us / 1e6 / speed
    write_json(file, {"speed": speed, "due_since_s": since_s})
    return since_s


class Housekeeping:
    """Compacts the tables of a job between two of its micro-batches, when nothing else writes; see `compact`.

    Where the file system cannot do it, or a file is damaged, that is reported once, and not tried again. before:
    called each time, as files that have not been read one by one by then are merged with others.
    """

    def __init__(
        self, run_file: RunFile, keep_us: int, tell: Callable[[str], None], before: Callable[[], None],
        every: int = COMPACT_EVERY,
    ) -> None:  # fmt: skip
        self.run_file, self.keep_us, self.every = run_file, keep_us, every
        self._tell, self._before, self._can = tell, before, True
        self.batches = 0

    def __call__(self, progress: Progress) -> None:
        """Take note of a micro-batch that was written."""
        from streaming.outputs.compaction import compact_noted

        self.batches += 1
        if self.batches % self.every or not self._can:
            return
        oldest_us = progress.clock_us - self.keep_us if self.keep_us else 0
        self._before()
        try:
            compact_noted(
                self.run_file.path.parent, self.run_file.content, self.run_file.tell,
                is_finished=False, oldest_us=oldest_us,
            )  # fmt: skip
        except (EnvironmentProblem, InputError) as problem:
            self._can = False
            self._tell(JobTexts.NOT_MERGED(problem=problem))
        give_back()  # else each time leaves some of the memory that merging needs
