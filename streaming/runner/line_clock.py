"""When a line is printed of what runs, where no terminal shows it in place."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

LINE_EVERY_S = 5.0


class LineClock:
    """A line is due some seconds after the last; `at`: where things stand, `still_s`: the wait if it is the same."""

    def __init__(self, at: object, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._at, self._last_s = clock, at, clock()

    def is_due(self, at: object, *, moved_s: float = LINE_EVERY_S, still_s: float = math.inf) -> bool:
        """Whether a line is to be printed now; then the next one waits."""
        now_s = self._clock()
        if now_s - self._last_s <= (still_s if at == self._at else moved_s):
            return False
        self._last_s, self._at = now_s, at
        return True
