"""Send attempts that the applications want to make: any window of virtual time, in any order, gives the same rows.

A window is generated on its own: a Poisson stream draws how many arrivals fall in it and where, a regular
stream is a grid with a phase. Nothing is carried from window to window.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from simulator.compiled.jit import rule
from simulator.kernel.randomness import (
    ARRIVAL_COUNT,
    ARRIVAL_LATENCY,
    ARRIVAL_PHASE,
    ARRIVAL_TIME,
    ARRIVAL_TOPIC,
    below,
    hash3,
    hash4,
)

POISSON = 0
UNIFORM = 1
STEADY = 2
# The threads of a closed loop make their messages in the event loop: a Poisson stream of none.
ARRIVAL_KINDS = {"poisson": POISSON, "uniform": UNIFORM, "steady": STEADY, "closed": POISSON}

FEW = 3  # arrivals in a window that are looked for one by one: most streams of very many have no more
TOGETHER = 512  # streams whose random words are made together: several at a time by the processor, and all stay near

Ints = npt.NDArray[np.int64]


class Streams(NamedTuple):
    """One arrival stream for each sender thread of a cell; all arrays int64.

    stream: number of the thread in the whole run, the key of its randomness; kind: POISSON, UNIFORM or STEADY;
    interval_p / interval_q: mean gap in microseconds as a fraction; group: row of `counts` and `topics`.
    counts: int64[groups, n] thresholds of the Poisson distribution of arrivals a window, over 2**62.
    topics: int64[groups, topics] upper thresholds of the topic choice, over 2**31.
    """

    stream: Ints
    kind: Ints
    interval_p: Ints
    interval_q: Ints
    group: Ints
    counts: Ints
    topics: Ints


class Window(NamedTuple):
    """Which window of virtual time, and the seed of the run; nothing arrives at or after until_us."""

    seed: int
    number: int
    length_us: int
    until_us: int


class Grid(NamedTuple):
    """A regular stream: its number, its phase, its mean gap as a fraction of microseconds, whether gaps differ."""

    stream: int
    phase: int
    p: int
    q: int
    jittered: bool


@dataclass(frozen=True)
class Arrivals:
    """Arrivals in time order, ties by thread: at_us, thread (of the cell), topic (number), draw; int64 each.

    `draw` is the message's latency draw: it decides the rank in the chosen broker's latency table.
    """

    at_us: Ints
    thread: Ints
    topic: Ints
    draw: Ints

    def __len__(self) -> int:
        return len(self.at_us)

    def between(self, from_us: int, until_us: int) -> Arrivals:
        """Those at or after `from_us` and before `until_us`."""
        first, last = np.searchsorted(self.at_us, (from_us, until_us)).tolist()
        return Arrivals(*(column[first:last] for column in (self.at_us, self.thread, self.topic, self.draw)))

    def taken(self, places: Ints | npt.NDArray[np.bool_]) -> Arrivals:
        """Those at some places."""
        return Arrivals(*(column[places] for column in (self.at_us, self.thread, self.topic, self.draw)))


NO_ARRIVALS = Arrivals(*(np.empty(0, np.int64) for _ in range(4)))


def poisson_thresholds(mean: float) -> Ints:
    """Thresholds t with P(N <= k) = t[k] / 2**62 for a Poisson count of that mean, at least 0.

    Built outwards from the mode, so no term underflows; int64, so the draw compares integers only.
    """
    spread = int(mean + 12 * mean**0.5 + 30)
    mode = int(mean)
    weights = np.zeros(spread + 1)
    weights[mode] = 1.0
    for k in range(mode, 0, -1):
        weights[k - 1] = weights[k] * k / mean
    for k in range(mode, spread):
        weights[k + 1] = weights[k] * mean / (k + 1)
    below_or_at = np.cumsum(weights) / weights.sum()
    thresholds: Ints = np.minimum(below_or_at * 2.0**62, 2.0**62).astype(np.int64)
    return thresholds


@rule()
def grid_time(grid: Grid, k: int, seed: int) -> int:
    """Time in microseconds of the k-th arrival of a regular stream; gaps within 0.5..1.5 of the mean if jittered."""
    at = grid.phase + k * grid.p // grid.q
    if grid.jittered:
        quarter = grid.p // (4 * grid.q)
        at += below(hash4(seed, ARRIVAL_TIME, grid.stream, k), 2 * quarter + 1) - quarter
    return at


@rule(allocates=True)
def _most_arrivals(streams: Streams, t: int, window: Window, word: int) -> int:
    if streams.kind[t] == POISSON:
        for few in range(FEW):
            if word < streams.counts[streams.group[t], few]:
                return few
        return int(np.searchsorted(streams.counts[streams.group[t]], word, side="right"))
    return int(window.length_us * streams.interval_q[t] // streams.interval_p[t] + 4)


@rule(allocates=True)
def _expected(streams: Streams, window: Window) -> tuple[Ints, Ints]:
    """The streams of which something may arrive, and how much of each at most: of very many, few."""
    count = streams.stream.shape[0]
    busy, most, words = np.empty(count, np.int64), np.empty(count, np.int64), np.empty(TOGETHER, np.int64)
    n = 0
    for first in range(0, count, TOGETHER):
        numbers = streams.stream[first : first + TOGETHER]
        for i in range(numbers.shape[0]):
            words[i] = np.int64(hash4(window.seed, ARRIVAL_COUNT, numbers[i], window.number) >> np.uint64(2))
        for i in range(numbers.shape[0]):  # without a branch, which would often be guessed wrong
            t = first + i
            busy[n] = t
            most[n] = words[i]
            n += (words[i] >= streams.counts[streams.group[t], 0]) | (streams.kind[t] != POISSON)
    for i in range(n):
        most[i] = _most_arrivals(streams, busy[i], window, most[i])
    return busy[:n], most[:n]


@rule(allocates=True)
def _fill(streams: Streams, window: Window, expected: tuple[Ints, Ints], rows: tuple[Ints, Ints, Ints, Ints]) -> int:
    seed, window_us = window.seed, window.length_us
    start_us = window.number * window_us
    end_us = min(start_us + window_us, window.until_us)
    busy, most = expected
    at, thread, topic, draw = rows
    n = 0
    for i in range(busy.shape[0]):
        t = busy[i]
        s, kind, p, q = streams.stream[t], streams.kind[t], streams.interval_p[t], streams.interval_q[t]
        phase = np.int64(0)
        if kind == POISSON:
            first = 0
            last = most[i]
        else:
            phase = np.int64(hash3(seed, ARRIVAL_PHASE, s) % np.uint64(max(p // q, 1)))
            quarter = p // (4 * q) + 1
            first = max((start_us - phase - quarter) * q // p, 0)
            last = (end_us - phase + quarter) * q // p + 1
        grid = Grid(s, int(phase), p, q, kind == UNIFORM)
        for k in range(first, last):
            if kind == POISSON:
                key = window.number * (1 << 20) + k
                when = start_us + below(hash4(seed, ARRIVAL_TIME, s, key), window_us)
            else:
                key = k
                when = grid_time(grid, k, seed)
            if when < start_us or when >= end_us:
                continue
            word = hash4(seed, ARRIVAL_LATENCY, s, key)
            choice = np.int64(hash4(seed, ARRIVAL_TOPIC, s, key) >> np.uint64(33))
            chosen = 0
            while choice >= streams.topics[streams.group[t], chosen]:
                chosen += 1
            at[n] = when
            thread[n] = t
            topic[n] = chosen
            draw[n] = np.int64(word)
            n += 1
    return n


@rule(allocates=True)
def _sorted_order(at: Ints, n: int, start_us: int, window_us: int) -> Ints:
    """Order of the first n arrivals by time, ties as generated: a counting sort, then insertion in each bucket."""
    buckets = 1
    while buckets < n:
        buckets *= 2
    starts = np.zeros(buckets + 1, np.int64)
    for i in range(n):
        starts[(at[i] - start_us) * buckets // window_us + 1] += 1
    for b in range(buckets):
        starts[b + 1] += starts[b]
    order = np.empty(n, np.int64)
    for i in range(n):
        b = (at[i] - start_us) * buckets // window_us
        order[starts[b]] = i
        starts[b] += 1
    for i in range(1, n):
        moved = order[i]
        j = i
        while j > 0 and at[order[j - 1]] > at[moved]:
            order[j] = order[j - 1]
            j -= 1
        order[j] = moved
    return order


@rule(allocates=True)
def _generate(streams: Streams, window: Window) -> tuple[Ints, Ints, Ints, Ints]:
    expected = _expected(streams, window)
    room = expected[1].sum()
    at = np.empty(room, np.int64)
    thread = np.empty(room, np.int64)
    topic = np.empty(room, np.int64)
    draw = np.empty(room, np.int64)
    n = _fill(streams, window, expected, (at, thread, topic, draw))
    order = _sorted_order(at, n, window.number * window.length_us, window.length_us)
    return at[order], thread[order], topic[order], draw[order]


def arrivals(streams: Streams, seed: int, window: int, window_us: int, until_us: int) -> Arrivals:
    """Arrivals of one window of virtual time, none at or after `until_us`."""
    if window * window_us >= until_us:
        return NO_ARRIVALS
    return Arrivals(*_generate(streams, Window(seed, window, window_us, until_us)))
