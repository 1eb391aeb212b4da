"""Numbers as they stand in tables of the terminal and the report."""

from __future__ import annotations


def number(value: float | None, digits: int = 0) -> str:
    """A number as people read it: thousands separated, a dash for None."""
    return "-" if value is None else f"{value:,.{digits}f}"


def latency(value: float | None) -> str:
    """Milliseconds with three significant digits below 100."""
    return "-" if value is None else number(value, 0 if value >= 100 else 1 if value >= 10 else 2)


def percent(value: float | None) -> str:
    """A percentage that says 100 only where it is all, and 0 only where it is nothing; a dash for None."""
    if value is None:
        return "-"
    text = f"{value:.2f}"
    if text == "0.00" and value > 0:
        return "under 0.01"
    return "99.99" if text == "100.00" and value < 100 else text
