"""A broker's flush thread, step by step: what is on the disk when the power goes."""

from __future__ import annotations

from bisect import bisect_right


def flushed_by(puts_us: list[int], size: int, outage_us: int, phase_us: int, timed: bool, flush_us: int) -> int:
    """How many of the puts of `size` bytes the flush thread has on the disk at `outage_us`.

    `timed`: it looks every 500 ms whatever comes (4.9.1 and later), else it also wakes for a put.
    """
    look_us, thorough_us, covered = phase_us % 500_000 + 1, phase_us - 10_000_000, 0
    before_us, end_us = -1, 0
    while True:
        upcoming = bisect_right(puts_us, before_us)
        if not timed and upcoming < len(puts_us):
            look_us = min(look_us, max(puts_us[upcoming], end_us))
        if look_us >= outage_us:
            return covered
        least = 4
        if look_us >= thorough_us + 10_000_000:
            thorough_us, least = look_us, 0
        written, end_us = bisect_right(puts_us, look_us), look_us
        if written > covered and written * size // 4096 - covered * size // 4096 >= least:
            end_us += flush_us
            if end_us > outage_us:
                return covered
            covered = written
        before_us, look_us = look_us, end_us + 500_000
