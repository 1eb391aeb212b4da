"""How far a figure may be from what is expected: predictions, fits, counterfactuals and incidents judge so."""

from __future__ import annotations

import math

SHARE_POINTS = 5.0  # of a share of attempts, %
_FAILED_PART, _FAILED_MESSAGES = 0.2, 10
_LATENCY_PART, _LATENCY_MS = 0.25, 0.2
_ROUNDING = 1e-9


def of_failed(recorded: float) -> float:
    """Of a number of failed messages."""
    return max(_FAILED_MESSAGES, _FAILED_PART * recorded)


def of_latency_ms(recorded_ms: float, resolution_ms: float = 0.0) -> float:
    """Of a latency that was measured as finely as that."""
    return max(_LATENCY_MS, resolution_ms, _LATENCY_PART * recorded_ms)


def is_near(one: float, other: float, tolerance: float) -> bool:
    """Whether two figures are within the tolerance of each other; two times that never came are."""
    if math.isinf(one) or math.isinf(other):
        return one == other
    return abs(one - other) <= tolerance + _ROUNDING
