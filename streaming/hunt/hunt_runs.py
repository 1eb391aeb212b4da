"""The runs of a hunt, in processes on all cores; what a schedule came to is remembered, so that hunts can resume."""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import IO

from simulator.hunt.case_causes import proven_causes
from simulator.hunt.schedule import Schedule, scenario_with
from simulator.hunt.schedule_outcome import HuntOutcome, outcome_of, refused
from simulator.scenario import ScenarioError
from streaming.errors import EnvironmentProblem

POLL_S = 0.2
Pool = ProcessPoolExecutor | ThreadPoolExecutor


class HuntStopped(Exception):
    """The runs were stopped before their end."""


def run_schedule(text: str, wanted: Sequence[str], schedule: Schedule) -> HuntOutcome:
    """What a schedule comes to in a scenario's canonical text."""
    try:
        return outcome_of(scenario_with(text, schedule), wanted)
    except ScenarioError as error:
        return refused(error)


def causes_of_case(text: str, schedule: Schedule) -> tuple[str, ...]:
    """What is proven of a case."""
    return proven_causes(scenario_with(text, schedule))


@dataclass
class Remembered:
    """Outcomes by schedule, kept as lines of a file; a line that was cut short by a kill is left out."""

    path: Path | None = None
    known: dict[str, HuntOutcome] = field(default_factory=dict)
    _file: IO[str] | None = None

    def read(self) -> int:
        """Take what lies in the file; how many outcomes there are."""
        if self.path is not None and self.path.exists():
            with self.path.open(encoding="utf-8") as lines:
                for line in lines:
                    try:
                        content = json.loads(line)
                        self.known[str(content["schedule"])] = HuntOutcome.of_json(content)
                    except (ValueError, KeyError, TypeError, AttributeError):
                        continue
        return len(self.known)

    def add(self, schedule: Schedule, outcome: HuntOutcome) -> None:
        """Note an outcome. Raises OSError."""
        self.known[schedule.key] = outcome
        if self.path is None:
            return
        if self._file is None:
            self._file = self.path.open("a", encoding="utf-8")
            self._file.write("\n")  # after what a kill has left
        self._file.write(json.dumps({"schedule": schedule.key, **outcome.as_json()}, ensure_ascii=False) + "\n")

    def flush(self) -> None:
        """Have all of it lie in the file. Raises OSError."""
        if self._file is not None:
            self._file.flush()

    def close(self) -> None:
        """The last that is written. Raises OSError."""
        if self._file is not None:
            self._file.close()
            self._file = None


@dataclass
class HuntRuns:
    """Gives outcomes, of what was run before without a run. stop: once set, HuntStopped is raised.

    runs, messages: done here, without what was remembered.
    """

    text: str
    wanted: Sequence[str]
    memory: Remembered
    stop: threading.Event
    pool: Pool
    runs: int = 0
    messages: int = 0

    def __call__(self, schedules: Sequence[Schedule]) -> list[HuntOutcome]:
        """The outcomes of schedules, in order. Raises HuntStopped and EnvironmentProblem."""
        missing = {one.key: one for one in schedules if one.key not in self.memory.known}
        if missing:
            self._run([*missing.values()])
        return [self.memory.known[one.key] for one in schedules]

    def _run(self, schedules: Sequence[Schedule]) -> None:
        if self.stop.is_set():
            raise HuntStopped
        waiting: dict[Future[HuntOutcome], Schedule] = {
            self.pool.submit(run_schedule, self.text, self.wanted, one): one for one in schedules
        }
        try:
            while waiting:
                done, _ = wait(waiting, timeout=POLL_S, return_when=FIRST_COMPLETED)
                for future in done:
                    self._take(waiting.pop(future), future.result())
                if self.stop.is_set() and waiting:
                    raise HuntStopped
        except BrokenProcessPool as error:
            raise EnvironmentProblem(
                "a process of the hunt ended before its run did, probably for want of memory; "
                "the same command resumes, with --cores for fewer of them"
            ) from error
        finally:
            for future in waiting:
                future.cancel()
            self.memory.flush()

    def _take(self, schedule: Schedule, outcome: HuntOutcome) -> None:
        self.memory.add(schedule, outcome)
        self.runs += 1
        self.messages += outcome.messages

    def causes(self, schedules: Sequence[Schedule]) -> list[tuple[str, ...]]:
        """What is proven of each of some cases; nothing of those that are not reached."""
        waiting = [self.pool.submit(causes_of_case, self.text, one) for one in schedules]
        try:
            while not self.stop.is_set() and not all(one.done() for one in waiting):
                wait(waiting, timeout=POLL_S)
            return [one.result() if one.done() else () for one in waiting]
        finally:
            for future in waiting:
                future.cancel()


@contextmanager
def pool_of(cores: int | None, *, processes: bool = True) -> Iterator[Pool]:
    """Processes that run the model, or threads; one core needs no other process. They end with the block."""
    count = cores or os.cpu_count() or 1
    if not processes or count == 1:
        threads = ThreadPoolExecutor(count, thread_name_prefix="hunt")
        try:
            yield threads
        finally:
            threads.shutdown(cancel_futures=True)
        return
    pool = ProcessPoolExecutor(count, mp_context=get_context("spawn"), initializer=_deaf)
    try:
        yield pool
    finally:
        running = list((pool._processes or {}).values())
        pool.shutdown(wait=False, cancel_futures=True)
        for process in running:
            process.terminate()


def _deaf() -> None:
    """Ctrl-C is for the process that asked."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
