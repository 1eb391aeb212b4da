"""Virtual times, lengths of time and counts as text."""

from __future__ import annotations


def virtual_time(us: float) -> str:
    """Virtual time as m:ss or h:mm:ss, as options take it."""
    minutes, seconds = divmod(int(us // 1_000_000), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def clock(us: float) -> str:
    """Virtual time as m:ss, h:mm:ss or days."""
    days, rest = divmod(int(us // 1_000_000), 86_400)
    return f"{days} d {rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}" if days else virtual_time(us)


def length(us: int) -> str:
    """A short length of time: 500 ms, 1 s, 12 s, 2 min, 3 min 52.3 s."""
    if us < 1_000_000:
        return f"{us / 1000:g} ms"
    minutes, rest_us = divmod(us, 60_000_000) if us >= 120_000_000 else (0, us)
    return " ".join([*([f"{minutes} min"] if minutes else []), *([f"{rest_us / 1e6:g} s"] if rest_us else [])])
