"""A sum over a rolling window of slices, which roll only when somebody looks.

Source: finagle 24.2.0 and util, WindowedAdder: a slice stays open until the first access after its time, so borders
drift with the traffic and a window of sparse traffic is up to twice as long as its name says.
"""

from __future__ import annotations

from typing import Annotated

from simulator.compiled.jit import rule
from simulator.compiled.records import Cells, Record, several

MAX_SLICES = 10


class RollingSum(Record):
    """The open slice and the closed ones."""

    slice_ms: int
    closed_count: int
    opened_at_ms: int
    next_place: int
    open_sum: int
    closed: Annotated[Cells, several(MAX_SLICES - 1)]


@rule()
def start_sum(window: RollingSum, range_ms: int, slices: int, now_ms: int) -> None:
    """Set up an empty window of that range, or empty it."""
    window.slice_ms, window.closed_count = range_ms // slices, slices - 1
    window.open_sum, window.opened_at_ms = 0, now_ms
    for place in range(slices - 1):
        window.closed[place] = 0


@rule()
def roll(window: RollingSum, now_ms: int) -> None:
    """Close the open slice if its time is over; slices that nobody saw were empty."""
    passed_ms = now_ms - window.opened_at_ms
    if passed_ms < window.slice_ms:
        return
    count, place = window.closed_count, window.next_place
    window.closed[place] = window.open_sum
    window.open_sum = 0
    place = (place + 1) % count
    for _ in range(min(passed_ms // window.slice_ms - 1, count)):
        window.closed[place] = 0
        place = (place + 1) % count
    window.next_place = place
    window.opened_at_ms = now_ms


@rule()
def add(window: RollingSum, number: int, now_ms: int) -> None:
    """Add to the open slice."""
    roll(window, now_ms)
    window.open_sum += number


@rule()
def total(window: RollingSum, now_ms: int) -> int:
    """The sum of all slices."""
    roll(window, now_ms)
    found = window.open_sum
    for place in range(window.closed_count):
        found += window.closed[place]
    return found
