"""When a fault began or ended, from the requests that met it: how long a broker takes otherwise bounds both.

A request that a fault held had begun before the fault, by at most the time that the broker ordinarily takes. What was
answered began before the fault. A log cuts times to its resolution, which moves every moment by as much.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from simulator.calibrate.attempts import Ints

BY_CHANCE = 0.001  # of each side: together far below the 5 % that the intervals claim to miss
STEPS = 40  # of the bisection: it ends below a microsecond for waits of hours


@dataclass(frozen=True)
class OrdinaryWaits:
    """Ordinary answers of a broker. took_us: how long they took, sorted. slack_us: how exact the log is."""

    took_us: Ints
    slack_us: int

    @property
    def longest_us(self) -> int:
        """An answer takes longer with probability BY_CHANCE at most; 0 where there is none."""
        if not len(self.took_us):
            return 0
        return int(self.took_us[len(self.took_us) - 1 - int(BY_CHANCE * len(self.took_us))]) + self.slack_us

    def latest_begin_us(self, begin_us: Ints) -> int:
        """The latest begin of a fault that none of these requests was answered before; begins in order, not empty.

        A fault at u leaves a request that began at b unanswered if it takes longer than u - b. Where that has happened
        to all that began before u only BY_CHANCE, it was earlier.
        """
        first = int(begin_us[0])
        low, high = first, first + self.longest_us + 1
        for _ in range(STEPS):
            if high - low <= 1:
                break
            middle = (low + high) // 2
            low, high = (middle, high) if self._unanswered(begin_us, middle) > BY_CHANCE else (low, middle)
        return low

    def _unanswered(self, begin_us: Ints, at_us: int) -> float:
        """How probable it is that no request that began before is answered at that moment."""
        waited_us = at_us - begin_us[: np.searchsorted(begin_us, at_us)]
        longer = len(self.took_us) - np.searchsorted(self.took_us, waited_us)
        return float(np.prod((longer + 1) / (len(self.took_us) + 1)))
