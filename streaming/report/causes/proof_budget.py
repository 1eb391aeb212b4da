"""How much may be simulated again to prove the causes of a run: `--causes 10s`.

A budget is work, not wall time, so that the same run gets the same answer on every machine, however busy it is.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from math import ceil

from rich.console import Console

from simulator.scenario import Scenario
from simulator.scenario.checks.effort import effort_of
from streaming.report.texts.consequence_texts import ConsequenceTexts

EVENTS_A_SECOND = 1_000_000  # messages sent or consumed; 1 to 2 us each on one core
WINDOW_EVENTS = 10  # what a window takes, in events
SHOWN_AFTER_S, AGAIN_AFTER_S = 2.0, 15.0  # of wall time


def runs_within(scenario: Scenario, budget_s: float) -> int:
    """How many runs of a scenario a budget is enough for; known before any of them begins."""
    return int(budget_s * EVENTS_A_SECOND / _events(scenario))


def budget_for(scenario: Scenario, runs: int) -> int:
    """The whole seconds of work that are enough for so many runs of a scenario."""
    seconds = ceil(runs * _events(scenario) / EVENTS_A_SECOND)
    return seconds if runs_within(scenario, seconds) >= runs else seconds + 1


def _events(scenario: Scenario) -> float:
    effort = effort_of(scenario)
    return max(effort.messages + effort.consumptions + WINDOW_EVENTS * effort.windows, 1.0)


class ProofBudget:
    """Runs that are left, and a line of progress once they take longer than a moment."""

    def __init__(self, runs: int, console: Console | None, now: Callable[[], float] = time.monotonic) -> None:
        self.runs_left, self.now = runs, now
        self.console, self.status = console, None if console is None else console.status("")
        self.is_shown, self.text, self._again_s = False, ConsequenceTexts.PROVES(), now() + SHOWN_AFTER_S

    def show(self) -> None:
        """Show the line of progress when it is time; of no terminal, a line now and then."""
        if self.console is None or self.status is None or self.now() < self._again_s:
            return
        self._again_s = self.now() + AGAIN_AFTER_S
        if not self.console.is_terminal:
            text = self.text if self.is_shown else ConsequenceTexts.PROVES_SINCE(text=self.text)
            self.console.print(text, style="dim", highlight=False)
        elif not self.is_shown:
            self.status.update(self.text)
            self.status.start()
        self.is_shown = True

    def tell(self, done: int, runs: int) -> None:
        """Note how many of the runs that are to be done are done."""
        self.text = ConsequenceTexts.PROVES_RUNS(done=done, runs=runs)
        if self.is_shown and self.status is not None:
            self.status.update(self.text)
        self.show()

    def close(self) -> None:
        """Take the line away."""
        if self.is_shown and self.status is not None:
            self.status.stop()
