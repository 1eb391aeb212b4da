"""What a running hunt prints: schedules, runs a minute, cases found so far, and each new case as it is found."""

from __future__ import annotations

import time

from rich.console import Console
from rich.status import Status

from simulator.hunt.cases.found_case import FoundCase
from simulator.hunt.hunt import Hunt
from simulator.units import some
from streaming.hunt.hunt_runs import HuntRuns
from streaming.runner.line_clock import LineClock
from streaming.texts.experiment_texts import ExperimentTexts
from streaming.texts.hunt_run_texts import HuntRunTexts


class HuntProgress:
    """One line, in place on a terminal, elsewhere every few seconds; found cases stay."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.began = time.monotonic()
        self._clock = LineClock(0)
        self._status: Status | None = console.status(ExperimentTexts.COMPILING()) if console.is_terminal else None
        if self._status is not None:
            self._status.start()
        else:
            console.print(ExperimentTexts.COMPILING(), style="dim")

    def found(self, case: FoundCase) -> None:
        """Print a case."""
        found = HuntRunTexts.AGAIN_FROM_THE_CORPUS if case.from_corpus else HuntRunTexts.FOUND
        self.console.print(found(case=case.sentence), highlight=False, markup=False, soft_wrap=True)

    def show(self, hunt: Hunt, runs: HuntRuns) -> None:
        """Show where it stands."""
        if self._status is not None:
            self._status.update(self.line(hunt, runs))
        elif self._clock.is_due(hunt.done):
            self.console.print(self.line(hunt, runs), highlight=False, markup=False, soft_wrap=True)

    def line(self, hunt: Hunt, runs: HuntRuns) -> str:
        """`1,280 schedules, 2,100 runs a minute, 3 cases, 41 combinations of states`."""
        spent = max(time.monotonic() - self.began, 1e-3)
        return HuntRunTexts.PROGRESS(
            schedules=some(hunt.done, "schedule"), per_minute=60 * runs.runs / spent,
            cases=some(len(hunt.cases), "case"), states=len(hunt.search.archive),
        )  # fmt: skip

    def close(self) -> None:
        """Take the line away."""
        if self._status is not None:
            self._status.stop()
