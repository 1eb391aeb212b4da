"""What a running experiment tells: runs done, sends a second, the first objective's interval, and the time left."""

from __future__ import annotations

import time

from rich.console import Console
from rich.status import Status

from simulator.experiments.result import ExperimentResult
from simulator.experiments.study import RunKey
from simulator.experiments.words import plus_minus
from streaming.runner.line_clock import LineClock
from streaming.texts.experiment_texts import ExperimentTexts
from streaming.texts.job_texts import JobTexts


def in_millions(count: float) -> str:
    """`4.13 M`, or `2,300` where millions would read as nothing."""
    return f"{count / 1e6:,.2f} M" if count >= 1e5 else f"{count:,.0f}"


class LiveProgress:
    """One line, in place on a terminal, elsewhere when runs have ended since the last; search steps stay."""

    def __init__(self, console: Console, result: ExperimentResult, first: str = "") -> None:
        first = first or JobTexts.STARTING_SPARK()
        self.console, self.result = console, result
        self.began = time.monotonic()
        self.runs = self.messages = 0
        self._clock = LineClock(self.runs)
        self.left = 0
        self._printed: set[str] = set()
        self._status: Status | None = console.status(first) if console.is_terminal else None
        if self._status is not None:
            self._status.start()
        else:
            console.print(first, style="dim")

    def add(self, keys: list[RunKey], messages: int, left: int) -> None:
        """Count finished runs; `left` are known to be wanted still."""
        self.runs += len(keys)
        self.messages += messages
        self.left = left

    def show(self) -> None:
        """Show where it stands."""
        self._steps()
        if self._status is not None:
            self._status.update(self.line())
        elif self._clock.is_due(self.runs):
            self.console.print(self.line(), highlight=False, markup=False, soft_wrap=True)

    def line(self) -> str:
        """`12 of 40 runs, 4.1 M sends/s, p99_ms 4.9.8: 31 ms ± 2, 8 s left`."""
        spent = max(time.monotonic() - self.began, 1e-3)
        parts: list[str] = [ExperimentTexts.RUNS_DONE(done=self.runs, total=self.runs + self.left)]
        if self.runs:
            parts += [f"{in_millions(self.messages / spent)} sends/s", *self._narrowing()]
            parts.append(ExperimentTexts.TIME_LEFT(seconds=spent * self.left / self.runs))
        return ", ".join(parts)

    def _narrowing(self) -> list[str]:
        study = self.result.study
        experiment = study.loaded.experiment
        asked = experiment.objectives or (experiment.find.such_that if experiment.find else ())
        measure = asked[0].measure if asked else "p99_ms"
        arms = [arm for arm in study.all_arms() if study.runs_of(arm)]
        found = study.interval(arms[-1], measure) if arms else None
        return [] if found is None else [f"{arms[-1]}: {measure} {plus_minus(found, measure)}"]

    def _steps(self) -> None:
        for step in self.result.search_steps():
            if step.value in self._printed:
                continue
            self._printed.add(step.value)
            held = {True: "holds", False: "does not hold", None: "undecided"}[step.holds]
            figures = ", ".join(f"{name} {plus_minus(one, name)}" for name, one in step.measures.items())
            line = f"  {step.value}: {held} ({figures})"
            self.console.print(line, highlight=False, markup=False, soft_wrap=True)

    def close(self) -> None:
        """Take the line away."""
        self._steps()
        if self._status is not None:
            self._status.stop()
