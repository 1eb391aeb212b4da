"""The runs that an experiment wants next, as files that Spark's file source takes: a folder a round, some files in it.

A round appears at once, when its folder gets its final name; names that begin with a dot are not looked at. What a task
came to is left beside the rounds as soon as it is there, for whoever watches; all of it is in the micro-batch, too.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

Row = tuple[str, int, int, bytes]  # arm, seed, cell, packed totals

LEFT = "left-"
STOP = "stop"
PARTS_MAX = 512
PART_SENDS = 10e6  # expected, of a part with several tasks at most: who has to begin it again loses seconds
SHARE = 2  # a part takes one so-many-th of what is left for each core: large ones first, nobody waits long at the end


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
    def key(self) -> tuple[str, int, int]:
        """What it is of."""
        return self.arm, self.seed, self.cell

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
        """What the source looks at: a pattern of Hadoop's, in which the folder's own name means itself."""
        return re.sub(r"([][{}*?\\])", r"\\\1", str(self.path)) + "/round-*"

    def clear(self) -> None:
        """Start over."""
        shutil.rmtree(self.path, ignore_errors=True)
        self.path.mkdir(parents=True)
        self.rounds = 0

    def left(self) -> list[Row]:
        """Take away what tasks have left since."""
        found = []
        for file in sorted(self.path.glob(f"{LEFT}*")):
            head, _, payload = file.read_bytes().partition(b"\n")
            arm, seed, cell = json.loads(head)
            found.append((arm, seed, cell, payload))
            file.unlink()
        return found

    def stop(self) -> None:
        """Let no further task of the round begin."""
        (self.path / STOP).touch()

    def put(self, tasks: Sequence[Task], cores: int = 1) -> None:
        """Hand out a round. The one before the last is over and is removed."""
        spare = self.path / f".round-{self.rounds}"
        spare.mkdir()
        for number, part in enumerate(parts_of(tasks, cores)):
            (spare / f"{number:04d}.json").write_text("".join(f"{task.line}\n" for task in part), encoding="utf-8")
        spare.rename(self.path / f"round-{self.rounds}")
        shutil.rmtree(self.path / f"round-{self.rounds - 2}", ignore_errors=True)
        self.rounds += 1


def leave(folder: Path, task: Task, payload: bytes) -> None:
    """Leave what a task came to in the folder of the rounds, whole or not at all; where it cannot be, nobody waits."""
    name = hashlib.sha256(json.dumps(task.key).encode()).hexdigest()[:32]
    with suppress(OSError):
        spare = folder / f".{name}"
        spare.write_bytes(json.dumps(task.key).encode() + b"\n" + payload)
        spare.rename(folder / f"{LEFT}{name}")


def parts_of(tasks: Sequence[Task], cores: int) -> Iterator[list[Task]]:
    """The tasks in order, in parts that get smaller (guided self-scheduling, Polychronopoulos and Kuck 1987).

    Whoever is free takes the next: few parts, and at the end nobody waits for more than a task.
    """
    left = sum(task.sends for task in tasks)
    most = max(PART_SENDS, left / PARTS_MAX)
    waiting = list(reversed(tasks))
    while waiting:
        part, share = [waiting.pop()], min(left / (SHARE * cores), most)
        sends = part[0].sends
        while waiting and sends + waiting[-1].sends <= share:
            part.append(waiting.pop())
            sends += part[-1].sends
        left -= sends
        yield part
