"""What people see of a running job: a progress bar on a terminal, a line every few seconds elsewhere."""

from __future__ import annotations

from rich.console import Console
from rich.progress import BarColumn, ProgressColumn, Task, TextColumn
from rich.progress import Progress as Bar
from rich.text import Text

from streaming.clock import virtual_time
from streaming.jobs.progress import Progress
from streaming.runner.line_clock import LINE_EVERY_S, LineClock
from streaming.texts.job_texts import JobTexts

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
        return Text(figures(task.fields["progress"], None if task.total is None else int(task.total)))


class LiveLine:
    """Shows a job's progress until it is closed; total_us: None for a job without an end."""

    def __init__(self, console: Console, total_us: int | None, progress: Progress) -> None:
        self.console, self.total_us, self.progress = console, total_us, progress
        self._clock = LineClock(progress.clock_us)
        self._bar: Bar | None = None
        if console.is_terminal:
            columns = [TextColumn("virtual time {task.fields[at]}"), BarColumn(bar_width=24), _Figures()]
            self._bar = Bar(*columns, console=console, transient=True)
            self._task = self._bar.add_task("run", total=total_us, at=self._at(), progress=progress)
            self._bar.start()
            progress.subscribe(self._move)

    def _at(self) -> str:
        clock_us, total_us = self.progress.clock_us, self.total_us
        reached_us = clock_us if total_us is None else min(clock_us, total_us)
        reached = virtual_time(reached_us) if self.progress.cells else "?"
        return reached if total_us is None else JobTexts.REACHED_OF(reached=reached, total=virtual_time(total_us))

    def _move(self, progress: Progress) -> None:
        if self._bar is not None:
            completed = 0 if self.total_us is None else min(progress.clock_us, self.total_us)
            self._bar.update(self._task, completed=completed, at=self._at())

    def show(self) -> None:
        """Print a line where there is no bar, seldom if nothing has moved."""
        moved_s = STILL_EVERY_S if self.total_us is None else LINE_EVERY_S
        if self._bar is None and self._clock.is_due(self.progress.clock_us, moved_s=moved_s, still_s=STILL_EVERY_S):
            text = JobTexts.VIRTUAL_TIME(at=self._at(), figures=figures(self.progress, self.total_us))
            self.console.print(text, highlight=False)

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()
