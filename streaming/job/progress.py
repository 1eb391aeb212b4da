"""What a running job tells: a live line for people, run.json for programs."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
from rich.text import Text

from streaming.flow.blocks import PROGRESS
from streaming.job.checkpoint import write_json

LINE_EVERY_S = 5.0


def virtual_time(us: float) -> str:
    """h:mm:ss or m:ss of virtual time."""
    seconds = int(us // 1_000_000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{seconds:02d}" if hours else f"{minutes}:{seconds:02d}"


@dataclass
class Tally:
    """Counts of a job since this process began, and the last word of every cell."""

    began: float = field(default_factory=time.monotonic)
    rows: dict[str, int] = field(default_factory=dict)
    cells: dict[int, dict[str, int]] = field(default_factory=dict)
    sends: int = 0
    failures: int = 0
    retries: int = 0
    batches: int = 0
    first_rows_s: float | None = None
    resumed_us: int | None = None  # virtual time after the first micro-batch: before it nothing is known

    def add(self, written: list[tuple[str, int, bytes]]) -> None:
        """Count what the tasks of one micro-batch gave."""
        self.batches += 1
        for table, rows, document in written:
            if table != PROGRESS:
                self.rows[table] = self.rows.get(table, 0) + rows
                continue
            said = json.loads(document)
            for name in ("sends", "failures", "retries"):
                setattr(self, name, getattr(self, name) + said.pop(name))
            self.cells[said.pop("cell")] = said
        if self.resumed_us is None:
            self.resumed_us = self.clock_us
        if self.first_rows_s is None and any(self.rows.values()):
            self.first_rows_s = time.monotonic() - self.began

    @property
    def clock_us(self) -> int:
        """Virtual time that every cell has reached."""
        return min((cell["clock_us"] for cell in self.cells.values()), default=0)

    @property
    def next_step(self) -> int:
        """First step that some cell has not taken."""
        return min((cell["next_window"] for cell in self.cells.values()), default=0)

    def events(self) -> dict[str, int]:
        """Events of all cells since the beginning of the run."""
        kinds = {"generated": "in", "handled": "handled", "rejected": "rejected", "skipped": "skipped"}
        return {name: sum(cell[f"events_{kind}"] for cell in self.cells.values()) for name, kind in kinds.items()}


class Record:
    """run.json of an output folder: what the run is and how far it is."""

    def __init__(self, folder: Path, about: Mapping[str, Any]) -> None:
        self.path = folder / "run.json"
        self.content = {**about, "clock_us": 0, "finished": False, "wall_s": 0.0, "events": {}}
        if self.path.exists():
            self.content |= {k: v for k, v in json.loads(self.path.read_text()).items() if k not in about}
        self._wall_before = float(self.content["wall_s"])

    def update(self, tally: Tally, *, finished: bool = False) -> None:
        """Write how far the run is."""
        if tally.cells:
            self.content["clock_us"] = tally.clock_us
            self.content["events"] = tally.events()
        self.content["finished"] = finished or bool(self.content["finished"])
        self.content["wall_s"] = round(self._wall_before + time.monotonic() - tally.began, 3)
        write_json(self.path, self.content)


class _Rate(ProgressColumn):
    def render(self, task: Task) -> Text:
        """Messages a real second, retries and failures so far, and the time that is left."""
        tally: Tally = task.fields["tally"]
        return Text(_figures(tally, float(task.total or 0), float(task.completed)))


def _figures(tally: Tally, total_us: float, done_us: float) -> str:
    spent = time.monotonic() - tally.began
    text = f"{tally.sends / max(spent, 0.001):,.0f} sends/s  {tally.retries:,} retries  {tally.failures:,} failed"
    if tally.resumed_us is not None and done_us > tally.resumed_us:
        left = spent * (total_us - done_us) / (done_us - tally.resumed_us)
        text += f"  {virtual_time(max(left, 0) * 1e6)} left"
    return text


class LiveLine:
    """A progress bar on a terminal, a line every few seconds elsewhere."""

    def __init__(self, console: Console, total_us: int, tally: Tally) -> None:
        self.console, self.total_us, self.tally = console, total_us, tally
        self._last = time.monotonic()
        self._bar: Progress | None = None
        if console.is_terminal:
            columns = [TextColumn("virtual time {task.fields[at]}"), BarColumn(bar_width=24), _Rate()]
            self._bar = Progress(*columns, console=console, transient=True)
            self._task = self._bar.add_task("run", total=total_us, at="0:00", tally=tally)
            self._bar.start()

    def show(self) -> None:
        """Show the state of the tally."""
        done_us = min(self.tally.clock_us, self.total_us)
        at = f"{virtual_time(done_us)} of {virtual_time(self.total_us)}"
        if self._bar is not None:
            self._bar.update(self._task, completed=done_us, at=at)
        elif time.monotonic() - self._last > LINE_EVERY_S:
            self._last = time.monotonic()
            self.console.print(f"virtual time {at}  {_figures(self.tally, self.total_us, done_us)}", highlight=False)

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()
