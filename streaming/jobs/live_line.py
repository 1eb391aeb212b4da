"""What people see of a running job: a progress bar on a terminal, a line every few seconds elsewhere."""

from __future__ import annotations

import time

from rich.console import Console
from rich.progress import BarColumn, ProgressColumn, Task, TextColumn
from rich.progress import Progress as Bar
from rich.text import Text

from streaming.clock import virtual_time
from streaming.jobs.progress import Progress
from streaming.runner.line_clock import LINE_EVERY_S, LineClock
from streaming.texts.job_texts import JobTexts

FIRST_AFTER_S = 2.0  # until the first line of a micro-batch that has put out nothing yet
STILL_EVERY_S = 30.0  # where nothing has moved since the last line


def figures(progress: Progress, total_us: int | None) -> str:
    """Sends a real second, retries and failures so far, and the time that is left; no figure that is not known."""
    if not progress.cells:
        return JobTexts.NO_DECISION_YET()
    counts, left_s = progress.counts(), None if total_us is None else progress.left_s(total_us)
    left = "" if left_s is None else JobTexts.TIME_LEFT(left=virtual_time(left_s * 1e6))
    return JobTexts.PROGRESS(
        per_s=progress.sends_per_s(), retries=counts["retries"], failures=counts["failures"], left=left
    )


class _Figures(ProgressColumn):
    def render(self, task: Task) -> Text:
        """The figures as they are now."""
        line: LiveLine = task.fields["line"]
        return Text(line.figures())


class LiveLine:
    """Shows a job's progress until it is closed; total_us: None for a job without an end.

    doing: what a job does that has no progress yet; None where nobody says. waiting: shown then instead, with no time.
    """

    def __init__(self, console: Console, total_us: int | None, progress: Progress) -> None:
        self.console, self.total_us, self.progress = console, total_us, progress
        self.doing: str | None = None
        self.waiting: str | None = None
        self._began_s = time.monotonic()
        self._clock, self._first_clock = LineClock(progress.clock_us), LineClock(None)
        self._has_line = False
        self._bar: Bar | None = None
        if console.is_terminal:
            columns = [TextColumn("{task.fields[at]}"), BarColumn(bar_width=24), _Figures()]
            self._bar = Bar(*columns, console=console, transient=True)
            self._task = self._bar.add_task("run", total=total_us, at=self._at(), line=self)
            self._bar.start()
            progress.subscribe(self._move)

    def _at(self) -> str:
        if not self.progress.cells:
            return ""
        clock_us, total_us = self.progress.clock_us, self.total_us
        reached = virtual_time(clock_us if total_us is None else min(clock_us, total_us))
        at = reached if total_us is None else JobTexts.REACHED_OF(reached=reached, total=virtual_time(total_us))
        return JobTexts.VIRTUAL_TIME(at=at)

    def figures(self) -> str:
        """Behind the virtual time; before there is one, what the job does and for how long."""
        if not self.progress.cells and self.waiting is not None:
            return self.waiting
        if self.progress.cells or self.doing is None:
            return figures(self.progress, self.total_us)
        return JobTexts.FIRST_BATCH(seconds=time.monotonic() - self._began_s, doing=self.doing)

    def wait(self, text: str) -> None:
        """Show a text until there is progress: on the bar, or in a line of its own."""
        self.waiting = text
        if self._bar is None:
            self.console.print(text, style="dim", highlight=False)

    def _move(self, progress: Progress) -> None:
        if self._bar is not None:
            completed = 0 if self.total_us is None else min(progress.clock_us, self.total_us)
            self._bar.update(self._task, completed=completed, at=self._at())

    def show(self) -> None:
        """Print a line where there is no bar, seldom if nothing has moved."""
        if self._bar is None and self._is_due():
            self._has_line = True
            self.console.print("  ".join(filter(None, (self._at(), self.figures()))), highlight=False)

    def _is_due(self) -> bool:
        if self.progress.cells:
            moved_s = STILL_EVERY_S if self.total_us is None else LINE_EVERY_S
            return self._clock.is_due(self.progress.clock_us, moved_s=moved_s, still_s=STILL_EVERY_S)
        if self._has_line:
            return self._first_clock.is_due(self.doing, still_s=STILL_EVERY_S)
        return self._first_clock.is_due(self.doing, moved_s=FIRST_AFTER_S, still_s=FIRST_AFTER_S)

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()
