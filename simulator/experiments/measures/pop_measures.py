"""What is measured of POP groups in a run, from its totals."""

from __future__ import annotations

import math

from simulator.experiments.measures.draining import count
from simulator.run.run_totals import Totals


def revived(totals: Totals, group: int) -> float:
    """Messages that came again as nobody had acknowledged them in time, without failed ones; nan of no pop."""
    again = count(totals, group, "revived")
    return float(again - count(totals, group, "revived_failed")) if again or _popped(totals, group) else math.nan


def invisible_at_end(totals: Totals, group: int) -> float:
    """Messages that are popped and invisible at the end; nan of a group that popped none."""
    invisible = count(totals, group, "invisible")
    return float(invisible) if invisible or _popped(totals, group) else math.nan


def _popped(totals: Totals, group: int) -> int:
    return count(totals, group, "popped")


def redelivered_percent(totals: Totals, group: int) -> float:
    """Messages that came again for any reason, of all that were popped; nan of none."""
    popped = _popped(totals, group)
    return 100 * count(totals, group, "revived") / popped if popped else math.nan
