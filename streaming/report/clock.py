"""Virtual times, lengths of time and counts as text."""

from __future__ import annotations


def clock(us: float) -> str:
    """Virtual time as m:ss, h:mm:ss or days."""
    seconds = int(us // 1_000_000)
    days, hours, minutes, rest = seconds // 86400, seconds // 3600 % 24, seconds // 60 % 60, seconds % 60
    if days:
        return f"{days} d {hours:02}:{minutes:02}:{rest:02}"
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def length(us: int) -> str:
    """A short length of time: 500 ms, 1 s, 12 s, 2 min."""
    if us < 1_000_000:
        return f"{us / 1000:g} ms"
    return f"{us / 1e6:g} s" if us < 120_000_000 else f"{us / 6e7:g} min"


def some(count: int, noun: str) -> str:
    """A count and its noun, in the plural where that is due."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
