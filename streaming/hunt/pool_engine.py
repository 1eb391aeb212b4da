"""The runs of a hunt in processes on all cores of this machine, or in threads of this process."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass

from simulator.hunt.cases.case_causes import causes_of_case
from simulator.hunt.schedule import Schedule
from simulator.hunt.schedule_outcome import HuntOutcome
from streaming.errors import EnvironmentProblem
from streaming.hunt.held_run import run_schedule
from streaming.hunt.hunt_engine import POLL_S, HuntEngine
from streaming.runner.worker_pool import worker_pool
from streaming.texts.hunt_run_texts import HuntRunTexts


@dataclass(frozen=True)
class PoolEngine:
    """Runs in the workers of a pool."""

    pool: ProcessPoolExecutor | ThreadPoolExecutor

    def outcomes(
        self, text: str, wanted: Sequence[str], schedules: Sequence[Schedule], stop: threading.Event
    ) -> Iterator[tuple[Schedule, HuntOutcome]]:
        """What schedules come to, each as it ends. Raises EnvironmentProblem if memory runs out."""
        waiting: dict[Future[HuntOutcome], Schedule] = {}
        try:
            waiting |= {self.pool.submit(run_schedule, text, wanted, one): one for one in schedules}
            while waiting and not stop.is_set():
                done, _ = wait(waiting, timeout=POLL_S, return_when=FIRST_COMPLETED)
                for future in done:
                    yield waiting.pop(future), future.result()
        except (BrokenProcessPool, MemoryError) as error:
            raise EnvironmentProblem(HuntRunTexts.PROCESS_ENDED()) from error
        finally:
            for future in waiting:
                future.cancel()

    def causes(self, text: str, schedules: Sequence[Schedule], stop: threading.Event) -> list[tuple[str, ...]]:
        """What is proven of each of some cases; nothing of those that are not reached. Raises EnvironmentProblem."""
        waiting: list[Future[tuple[str, ...]]] = []
        try:
            waiting += [self.pool.submit(causes_of_case, text, one) for one in schedules]
            while not stop.is_set() and not all(one.done() for one in waiting):
                wait(waiting, timeout=POLL_S)
            return [one.result() if one.done() else () for one in waiting]
        except (BrokenProcessPool, MemoryError) as error:
            raise EnvironmentProblem(HuntRunTexts.PROCESS_ENDED()) from error
        finally:
            for future in waiting:
                future.cancel()


@contextmanager
def pool_of(cores: int | None, *, processes: bool = True) -> Iterator[HuntEngine]:
    """Processes that run the model, or threads; one core needs no other process. They end with the block."""
    count = cores or os.cpu_count() or 1
    if not processes or count == 1:
        threads = ThreadPoolExecutor(count, thread_name_prefix="hunt")
        try:
            yield PoolEngine(threads)
        finally:
            threads.shutdown(cancel_futures=True)
        return
    with worker_pool(count) as pool:
        yield PoolEngine(pool)
