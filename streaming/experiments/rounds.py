"""What an experiment wants next, handed out in rounds: a round of tasks is a micro-batch."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import TYPE_CHECKING

from simulator.experiments.result import ExperimentResult
from simulator.experiments.study import RunKey
from simulator.scenario import Scenario
from streaming.experiments.folder import ExperimentFolder
from streaming.experiments.task_list import Row, Task, TaskFolder

if TYPE_CHECKING:
    from simulator.run.run_totals import Totals

    FinishedRun = tuple[str, int, dict[str, float], Totals]  # arm, seed, measures

STORE_EVERY_S = 2.0  # runs that end meanwhile make one file


@dataclass
class Rounds:
    """Turns what the experiment wants into rounds of tasks, and finished tasks into runs.

    under_way: tasks of the round that was handed out.  finished: the experiment wants no more.
    stop: once set, no further round is handed out. What is taken may be reported twice, and by two threads.
    """

    result: ExperimentResult
    folder: ExperimentFolder
    tasks: TaskFolder
    cores: int = 1
    tell: Callable[[list[RunKey], int, int], None] = lambda keys, messages, left: None
    clock: Callable[[], float] = time.monotonic
    under_way: dict[tuple[str, int, int], Task] = field(default_factory=dict)
    finished: threading.Event = field(default_factory=threading.Event)
    stop: threading.Event = field(default_factory=threading.Event)
    _asked: set[RunKey] = field(default_factory=set)
    _cells: dict[RunKey, dict[int, Totals]] = field(default_factory=dict)
    _unstored: list[FinishedRun] = field(default_factory=list)
    _stored_s: float = -math.inf
    _one_at_a_time: threading.RLock = field(default_factory=threading.RLock)

    def ask(self) -> None:
        """Hand out the next round, if none is under way."""
        if self.under_way:
            return
        study = self.result.study
        wanted = study.wanted()
        if self.stop.is_set() and wanted:
            return
        new = [key for key in wanted if key not in self._asked]
        arms = {key.arm: study.scenario(key.arm) for key in new}
        if arms:
            self.folder.note(arms, study.loaded.experiment.warm_up_us)
        texts = {arm: scenario.to_yaml() for arm, scenario in arms.items()}
        tasks = [task for key in new for task in self._tasks(key, arms[key.arm], texts[key.arm])]
        self._asked.update(new)
        if tasks:
            self.under_way = {task.key: task for task in tasks}
            self.tasks.put(tasks, self.cores)
        elif not wanted:
            self.finished.set()

    def _tasks(self, key: RunKey, scenario: Scenario, text: str) -> list[Task]:
        sends, warm_up_us = scenario.expected_messages / scenario.cells, self.result.study.loaded.experiment.warm_up_us
        return [Task(key.arm, key.seed, cell, sends, warm_up_us, text) for cell in range(scenario.cells)]

    def take_early(self) -> None:
        """Take what tasks of the round that is under way have left."""
        with self._one_at_a_time:
            rows = self.tasks.left()
            if rows:
                self.take(rows)

    def end_round(self, rows: Sequence[Row]) -> None:
        """Take what the whole round gave; one that was cut short gives no more."""
        with self._one_at_a_time:
            if self.stop.is_set():
                self.under_way = {key: task for key, task in self.under_way.items() if key in {row[:3] for row in rows}}
            self.take(rows)
            self.store()

    def take(self, rows: Sequence[Row]) -> None:
        """Take finished tasks, and ask for what is wanted now."""
        with self._one_at_a_time:
            study, done = self.result.study, []
            for arm, seed, cell, payload in rows:
                if self.under_way.pop((arm, seed, cell), None) is not None:
                    done += self._whole(arm, seed, cell, payload)
            for run in done:
                self.result.add(*run)
            self._unstored += done
            if not self.under_way or self.clock() - self._stored_s > STORE_EVERY_S:
                self.store()
            self.ask()
            messages = sum(int(totals.groups[:, 0].sum()) for *_, totals in done)
            self.tell([RunKey(arm, seed) for arm, seed, *_ in done], messages, len(study.wanted()))

    def _whole(self, arm: str, seed: int, cell: int, payload: bytes) -> list[FinishedRun]:
        """The run, if that was the last of its cells."""
        from simulator.experiments.experiment_runner import measured
        from simulator.run.run_totals import Totals

        study = self.result.study
        key, scenario = RunKey(arm, seed), study.scenario_of_run(arm, seed)
        cells = self._cells.setdefault(key, {})
        cells[cell] = Totals.unpacked(payload, len(scenario.topics), len(scenario.brokers))
        if len(cells) < scenario.cells:
            return []
        totals = reduce(Totals.plus, (cells[number] for number in sorted(cells)))
        del self._cells[key]
        return [(arm, seed, measured(scenario, totals, study.loaded.experiment.warm_up_us), totals)]

    def store(self) -> None:
        """Have what has ended lie in the folder."""
        if self._unstored:
            self.folder.store(self._unstored)
        self._unstored, self._stored_s = [], self.clock()
