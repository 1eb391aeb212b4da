"""Figures of an estimate as texts: no more digits than it is worth."""

from __future__ import annotations

SECONDS = ((2 * 86_400, 86_400, "days"), (2 * 3_600, 3_600, "hours"), (2 * 60, 60, "minutes"))


def rough_duration(seconds: float) -> str:
    """Such as 40 s, 12 minutes, 5 hours, 12 days."""
    for least, unit_s, unit in SECONDS:
        if seconds >= least:
            return f"{seconds / unit_s:,.0f} {unit}"
    return f"{max(seconds, 1):.0f} s"


def rough_rate(per_s: float) -> str:
    """Such as 400/s, 12.5/s, 0.02/s."""
    return f"{per_s:,.0f}/s" if per_s >= 100 else f"{per_s:.3g}/s"


def rough_count(count: float) -> str:
    """Two significant figures, with commas."""
    digits = max(len(str(int(count))) - 2, 0)
    return f"{round(count, -digits):,.0f}"
