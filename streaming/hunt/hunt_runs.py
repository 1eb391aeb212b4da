"""The runs of a hunt, on whatever engine; what a schedule came to is remembered, so that hunts can resume."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from simulator.hunt.schedule import Schedule
from simulator.hunt.schedule_outcome import HuntOutcome
from streaming.hunt.hunt_engine import HuntEngine


class HuntStopped(Exception):
    """The runs were stopped before their end."""


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
            self._file = self.path.open("a", buffering=1, encoding="utf-8")  # a kill loses no line that is whole
            self._file.write("\n")  # after what a kill has left
        self._file.write(json.dumps({"schedule": schedule.key, **outcome.as_json()}, ensure_ascii=False) + "\n")

    def close(self) -> None:
        """The last that is written. Raises OSError."""
        if self._file is not None:
            self._file.close()
            self._file = None


@dataclass
class HuntRuns:
    """Gives outcomes, of what was run before without a run. stop: once set, HuntStopped is raised.

    text: the scenario's canonical YAML; wanted: measures; runs, messages: done here, without what was remembered.
    """

    text: str
    wanted: Sequence[str]
    memory: Remembered
    stop: threading.Event
    engine: HuntEngine
    runs: int = 0
    messages: int = 0

    def __call__(self, schedules: Sequence[Schedule]) -> list[HuntOutcome]:
        """The outcomes of schedules, in order. Raises HuntStopped and EnvironmentProblem."""
        missing = {one.key: one for one in schedules if one.key not in self.memory.known}
        if missing:
            self._run([*missing.values()])
        return [self.memory.known[one.key] for one in schedules]

    def _run(self, schedules: Sequence[Schedule]) -> None:
        left = len(schedules)
        if not self.stop.is_set():
            for schedule, outcome in self.engine.outcomes(self.text, self.wanted, schedules, self.stop):
                self._take(schedule, outcome)
                left -= 1
        if left:
            raise HuntStopped

    def _take(self, schedule: Schedule, outcome: HuntOutcome) -> None:
        self.memory.add(schedule, outcome)
        self.runs += 1
        self.messages += outcome.messages

    def causes(self, schedules: Sequence[Schedule]) -> list[tuple[str, ...]]:
        """What is proven of each of some cases; nothing of those that are not reached."""
        return self.engine.causes(self.text, schedules, self.stop)
