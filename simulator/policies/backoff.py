"""How long an endpoint stays marked dead: the next duration of a growing series.

Source: finagle 24.2.0, Backoff. A series is exhausted after `left` durations; failure accrual then goes on with 300 s.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Record

CONSTANT, LINEAR, EXPONENTIAL, EQUAL_JITTERED, EXPONENTIAL_JITTERED, DECORRELATED_JITTERED = range(6)
ENDLESS = 2**62  # durations of a series that is never exhausted; as a maximum: none
MAX_SHIFT = 62
NOT_DRAWN = 0


class Backoff(Record):
    """A series, where it is now, and from where it restarts. Times in ns."""

    kind: int
    start_ns: int
    maximum_ns: int
    length: int
    now_ns: int  # the duration that comes next
    steps: int  # taken so far
    settled: int  # 1: constant from here on


@rule()
def restart(backoff: Backoff) -> None:
    """Restart the series."""
    backoff.now_ns = backoff.start_ns
    backoff.steps = 0
    backoff.settled = 1 if backoff.kind == CONSTANT else 0
    if backoff.kind != CONSTANT and backoff.start_ns >= backoff.maximum_ns:
        settle(backoff)


@rule()
def settle(backoff: Backoff) -> None:
    """Stay at the maximum."""
    backoff.now_ns = backoff.maximum_ns
    backoff.settled = 1


@rule()
def doubled(backoff: Backoff, of_ns: int, times: int) -> int:
    """A duration doubled so many times, at most the maximum."""
    shift = 1 << min(times, MAX_SHIFT)
    return backoff.maximum_ns if of_ns >= backoff.maximum_ns // shift else of_ns * shift


@rule()
def range_of_draw(backoff: Backoff) -> int:
    """Below what the random number of the next step lies; NOT_DRAWN: the step draws none."""
    if backoff.settled:
        return NOT_DRAWN
    if backoff.kind == EQUAL_JITTERED:
        return doubled(backoff, backoff.start_ns, backoff.steps)
    if backoff.kind == EXPONENTIAL_JITTERED:
        upper_ns = doubled(backoff, backoff.now_ns, backoff.steps + 1)
        return NOT_DRAWN if upper_ns == backoff.maximum_ns else upper_ns
    if backoff.kind == DECORRELATED_JITTERED:
        now_ns, maximum_ns = backoff.now_ns, backoff.maximum_ns
        upper_ns = maximum_ns if now_ns >= maximum_ns // 3 else now_ns * 3
        return abs(upper_ns - now_ns)
    return NOT_DRAWN


@rule()
def step_equal_jittered(backoff: Backoff, drawn: int) -> None:
    """Half of the exponential growth, and a part of as much."""
    half_ns = doubled(backoff, backoff.start_ns, backoff.steps)
    if half_ns == backoff.maximum_ns or half_ns >= backoff.maximum_ns - drawn:
        settle(backoff)
    else:
        backoff.now_ns = half_ns + drawn


@rule()
def step(backoff: Backoff, drawn: int) -> None:
    """Move on to the next duration with a random number in [0, range_of_draw)."""
    now_ns, maximum_ns, kind = backoff.now_ns, backoff.maximum_ns, backoff.kind
    if backoff.settled:
        pass
    elif kind == EQUAL_JITTERED:
        step_equal_jittered(backoff, drawn)
    elif kind == EXPONENTIAL_JITTERED:
        if doubled(backoff, now_ns, backoff.steps + 1) == maximum_ns:
            settle(backoff)
        else:
            backoff.now_ns = drawn
    elif kind == DECORRELATED_JITTERED:
        backoff.now_ns = now_ns + drawn
        backoff.settled = 1 if backoff.now_ns == maximum_ns else 0
    elif kind == LINEAR:
        if now_ns >= maximum_ns - backoff.start_ns:
            settle(backoff)
        else:
            backoff.now_ns = now_ns + backoff.start_ns
    elif now_ns >= maximum_ns // 2:
        settle(backoff)
    else:
        backoff.now_ns = now_ns * 2
    backoff.steps += 1


@rule()
def is_exhausted(backoff: Backoff) -> bool:
    """Whether the series has no duration left."""
    return backoff.steps >= backoff.length
