"""How often, and after which waits, what failed is begun again. No clock here."""

from __future__ import annotations

FIRST_WAIT_S = 1.0
LONGEST_WAIT_S = 60.0
CALM_S = 600.0  # what ran as long as this was well: its failure is the first again


class Tries:
    """Failures in a row, at most `most` of which are followed by another try; each waits twice as long as the last."""

    def __init__(self, most: int) -> None:
        self.most, self.made = most, 0

    def wait_s(self, ran_s: float) -> float | None:
        """Seconds to wait before what failed after `ran_s` is begun again, None if it is not."""
        self.made = 1 if ran_s >= CALM_S else self.made + 1
        if self.made > self.most:
            return None
        return min(FIRST_WAIT_S * 2.0 ** (self.made - 1), LONGEST_WAIT_S)

    @property
    def of_most(self) -> str:
        """Which try comes next."""
        return f"{self.made} of {self.most}"
