"""What runs the schedules of a hunt: the cores of this machine, or Spark. Each gives the same outcomes."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from typing import Protocol

from simulator.hunt.schedule import Schedule
from simulator.hunt.schedule_outcome import HuntOutcome

POLL_S = 0.2  # how soon a stop is seen


class HuntEngine(Protocol):
    """Runs schedules side by side. text: of the scenario, canonical YAML; stop: once set, no further run begins."""

    def outcomes(
        self, text: str, wanted: Sequence[str], schedules: Sequence[Schedule], stop: threading.Event
    ) -> Iterator[tuple[Schedule, HuntOutcome]]:
        """What schedules come to, each as it ends; fewer of them once `stop` is set. wanted: measures.

        Raises EnvironmentProblem.
        """
        ...

    def causes(self, text: str, schedules: Sequence[Schedule], stop: threading.Event) -> list[tuple[str, ...]]:
        """What is proven of each of some cases, in order; nothing of those that are not reached."""
        ...
