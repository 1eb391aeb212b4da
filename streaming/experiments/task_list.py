"""The runs that an experiment wants next, as files that Spark's file source takes: a folder a round, a file a task.

A round appears at once, when its folder gets its final name; names that begin with a dot are not looked at.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

FILES_A_ROUND = 256


@dataclass(frozen=True)
class Task:
    """One cell of one run. `scenario`: canonical YAML, whose seed `seed` replaces; `sends`: expected."""

    arm: str
    seed: int
    cell: int
    sends: float
    warm_up_us: int
    scenario: str

    @property
    def line(self) -> str:
        """The line that `task_of` reads back."""
        return json.dumps(asdict(self), separators=(",", ":"))


def task_of(line: str) -> Task:
    """The task of a line."""
    return Task(**json.loads(line))


@dataclass
class TaskFolder:
    """The folder of the rounds. `rounds`: how many there have been."""

    path: Path
    rounds: int = 0

    @property
    def pattern(self) -> str:
        """What the source looks at."""
        return str(self.path / "round-*")

    def clear(self) -> None:
        """Begin anew."""
        shutil.rmtree(self.path, ignore_errors=True)
        self.path.mkdir(parents=True)
        self.rounds = 0

    def put(self, tasks: Sequence[Task]) -> None:
        """Hand out a round. The one before the last is over and is removed."""
        spare = self.path / f".round-{self.rounds}"
        spare.mkdir()
        files = min(len(tasks), FILES_A_ROUND)
        for number in range(files):
            lines = "".join(f"{task.line}\n" for task in tasks[number::files])
            (spare / f"{number:04d}.json").write_text(lines, encoding="utf-8")
        spare.rename(self.path / f"round-{self.rounds}")
        shutil.rmtree(self.path / f"round-{self.rounds - 2}", ignore_errors=True)
        self.rounds += 1
