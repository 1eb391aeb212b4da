"""Figures of what the consumer groups of a finished run handled, one function each: float from rows in memory."""

from __future__ import annotations

import math

import numpy as np

from simulator.run.simulate import Result
from state.group_table import HANDLED_RESULTS


def never_handled(result: Result) -> float:
    """Messages that were stored and that the group never handled, each counted once."""
    done = np.isin(result.column("consumed", "result"), HANDLED_RESULTS)
    keys = [result.column("consumed", name)[done].astype(np.int64) for name in ("sender", "send_seq")]
    is_own = ~np.char.startswith(result.column("stored", "topic").astype(str), "%RETRY%")
    stored = int(result.column("stored", "appended")[is_own].sum())
    return float(stored - np.unique(np.stack(keys), axis=1).shape[1])


def longest_until_handled(result: Result) -> float:
    """Seconds from the intended send until a message is handled for the first time: longest, nan without any."""
    arrival, end, times = (
        result.column("consumed", name).astype(np.int64) for name in ("arrival_us", "end_us", "times")
    )
    took = (end - arrival)[times == 1]
    return float(took.max()) / 1e6 if len(took) else math.nan
