"""Figures of messages that become readable later: delay levels and transactions, from the tables of the consumers.

A row counts if its window, or its half message, began in the asked stretch of virtual time.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from simulator.proof.incidents.measured_rows import Measured

Column = npt.NDArray[Any]
LATER_TABLES = ("delays", "transactions", "transaction_windows")


def _column(run: Measured, table: str, name: str, begin: str) -> Column:
    at: Column = run.result.column(table, begin)
    until_us = run.until_us if run.until_us is not None else np.iinfo(np.int64).max
    found: Column = run.result.column(table, name)[(at >= run.from_us) & (at < until_us)]
    return found


def _of_windows(run: Measured, name: str) -> Column:
    return _column(run, "transaction_windows", name, "window_start_us")


def most_checks(run: Measured) -> float:
    """Checks of the half message that was counted for most of them."""
    return float(_column(run, "transactions", "checks", "stored_us").max(initial=0))


def check_backs(run: Measured) -> float:
    """Check-backs that brokers sent."""
    return float(_of_windows(run, "checks").sum())


def check_interval(run: Measured) -> float:
    """Seconds between two rounds of checks of a broker: median."""
    asked = _of_windows(run, "checks") > 0
    begins, brokers = _of_windows(run, "window_start_us")[asked], _of_windows(run, "broker")[asked]
    gaps = [np.diff(begins[brokers == broker]) for broker in np.unique(brokers)]
    found = np.concatenate(gaps) if gaps else np.empty(0)
    return float(np.median(found)) / 1e6 if len(found) else math.nan


def given_up_share(run: Measured) -> float:
    """Half messages that went to TRANS_CHECK_MAX_TIME_TOPIC, of all."""
    fates = _column(run, "transactions", "fate", "stored_us")
    return 100.0 * float((fates == "given up").sum()) / len(fates) if len(fates) else math.nan


def delayed_per_s(run: Measured) -> float:
    """Delayed messages that were delivered in a second."""
    delivered = _column(run, "delays", "delivered", "window_start_us")
    begins = np.unique(_column(run, "delays", "window_start_us", "window_start_us"))
    return float(delivered.sum()) / len(begins) if len(begins) else math.nan


def delayed_messages(run: Measured) -> float:
    """Delayed messages that were delivered."""
    return float(_column(run, "delays", "delivered", "window_start_us").sum())


def most_late(run: Measured) -> float:
    """Seconds by which the latest delayed message came late, nan without any."""
    late_ms = _column(run, "delays", "late_max_ms", "window_start_us").astype(float)
    return float(np.nanmax(late_ms)) / 1000 if np.isfinite(late_ms).any() else math.nan


def last_delayed(run: Measured) -> float:
    """Second of virtual time until which delayed messages were delivered, nan without any."""
    delivered = _column(run, "delays", "delivered", "window_start_us") > 0
    ends_us = _column(run, "delays", "window_start_us", "window_start_us") + run.result.scenario.window_us
    return float(ends_us[delivered].max()) / 1e6 if delivered.any() else math.nan
