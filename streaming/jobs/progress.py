"""How far a job is: what its cells have counted, reported to subscribers after each micro-batch."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from streaming.flow.blocks import PROGRESS
from streaming.flow.sink import Written
from streaming.operator.cell_progress import CellProgress

if TYPE_CHECKING:
    from streaming.jobs.job import Run

COUNTS = ("sends", "failures", "retries")
EVENTS = {"generated": "in", "handled": "handled", "rejected": "rejected", "skipped": "skipped"}


class Progress:
    """The last word of every (run, cell), and what this process has seen since it began.

    base_sends, base_us, base_s: where this process took the job up, to tell how fast it is.
    """

    def __init__(self, runs: Iterable[Run], *, resumed: bool = False) -> None:
        self.began = self.base_s = time.monotonic()
        self.steps = {(run.spec.run, cell): run.steps for run in runs for cell in range(run.cells)}
        self.cells: dict[tuple[str, int], CellProgress] = {}
        self.base_sends, self.base_us = 0, 0
        self.first_rows_s: float | None = None
        self.batch: int | None = None  # the last one's number
        self.last: Written = []  # what it put out
        self._waits_for_base = resumed
        self._observers: list[Callable[[Progress], None]] = []

    def subscribe(self, observer: Callable[[Progress], None]) -> None:
        """Call `observer` after each micro-batch, in Spark's thread."""
        self._observers.append(observer)

    def add(self, written: Written, batch: int = 0) -> None:
        """Take what the tasks of one micro-batch gave, and tell it."""
        self.batch = batch
        self.last = [part for part in written if part[0] != PROGRESS]
        for table, rows, document in written:
            if table == PROGRESS:
                said = json.loads(document)
                place = said.pop("run"), said.pop("cell")
                self.cells[place] = CellProgress(**said)
            elif rows and self.first_rows_s is None:
                self.first_rows_s = time.monotonic() - self.began
        if self._waits_for_base:  # what the checkpoint held is known only now
            self._waits_for_base = False
            self.base_s, self.base_sends, self.base_us = time.monotonic(), self.total("sends"), self.clock_us
        for observer in self._observers:
            observer(self)

    def total(self, name: str, run: str | None = None) -> int:
        """A count of all cells, or of those of one run."""
        return sum(getattr(cell, name) for (of, _), cell in self.cells.items() if run in (None, of))

    @property
    def clock_us(self) -> int:
        """Virtual time that every cell has reached; the last that each reported."""
        return min((cell.clock_us for cell in self.cells.values()), default=0)

    @property
    def is_complete(self) -> bool:
        """Whether every cell has taken its last step."""
        return self.steps.keys() <= self.cells.keys() and all(
            self.cells[place].next_window >= steps for place, steps in self.steps.items()
        )

    def events(self, run: str | None = None) -> dict[str, int]:
        """Events of all cells since the beginning of the run."""
        return {name: self.total(f"events_{kind}", run) for name, kind in EVENTS.items()}

    def counts(self, run: str | None = None) -> dict[str, int]:
        """Sends that ended, of those that failed, and their retries."""
        return {name: self.total(name, run) for name in COUNTS}

    def rows(self) -> dict[str, int]:
        """Rows that the last micro-batch put out, by table."""
        found: Counter[str] = Counter()
        for table, rows, _ in self.last:
            found[table] += rows
        return dict(found)

    def sends_per_s(self) -> float:
        """Sends a real second, since this process took the job up."""
        return (self.total("sends") - self.base_sends) / max(time.monotonic() - self.base_s, 0.001)

    def left_s(self, total_us: int) -> float | None:
        """Real seconds until `total_us` of virtual time, None where it is not known yet."""
        done = self.clock_us - self.base_us
        return (time.monotonic() - self.base_s) * max(total_us - self.clock_us, 0) / done if done > 0 else None
