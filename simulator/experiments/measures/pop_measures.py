"""What is measured of POP groups in a run, from its totals."""

from __future__ import annotations

import math

from simulator.experiments.measures.draining import count
from simulator.run.run_totals import Totals


def revived(totals: Totals, group: int) -> float:
    """Messages that came again as nobody had acknowledged them in time, without those that had failed."""
    return float(count(totals, group, "revived") - count(totals, group, "revived_failed"))


def redelivered_percent(totals: Totals, group: int) -> float:
    """Messages that came again for any reason, of all that were popped; nan of none."""
    popped = count(totals, group, "popped")
    return 100 * count(totals, group, "revived") / popped if popped else math.nan
