"""What a running hunt prints: schedules, runs a minute, cases found so far, and each new case as it is found."""

from __future__ import annotations

import time

from rich.console import Console
from rich.status import Status

from simulator.experiments.words import some
from simulator.hunt.cases.found_case import FoundCase
from simulator.hunt.hunt import Hunt
from streaming.hunt.hunt_runs import HuntRuns
from streaming.runner.line_clock import LineClock


class HuntProgress:
    """One line, in place on a terminal, elsewhere every few seconds; found cases stay."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.began = time.monotonic()
        self._clock = LineClock(0)
        self._status: Status | None = console.status("compiling the model") if console.is_terminal else None
        if self._status is not None:
            self._status.start()
        else:
            console.print("compiling the model", style="dim")

    def found(self, case: FoundCase) -> None:
        """Print a case."""
        again = "again, from the corpus: " if case.from_corpus else ""
        self.console.print(f"found {again}{case.sentence}", highlight=False, markup=False, soft_wrap=True)

    def show(self, hunt: Hunt, runs: HuntRuns) -> None:
        """Show where it stands."""
        if self._status is not None:
            self._status.update(self.line(hunt, runs))
        elif self._clock.is_due(hunt.done):
            self.console.print(self.line(hunt, runs), highlight=False, markup=False, soft_wrap=True)

    def line(self, hunt: Hunt, runs: HuntRuns) -> str:
        """`1,280 schedules, 2,100 runs a minute, 3 cases, 41 states`."""
        spent = max(time.monotonic() - self.began, 1e-3)
        states = f"{len(hunt.search.archive)} combinations of states"
        pace = f"{60 * runs.runs / spent:,.0f} runs a minute"
        return f"{some(hunt.done, 'schedule')}, {pace}, {some(len(hunt.cases), 'case')}, {states}"

    def close(self) -> None:
        """Take the line away."""
        if self._status is not None:
            self._status.stop()
