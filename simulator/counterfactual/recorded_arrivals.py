"""The messages of a trace as arrivals of the scenario fitted to it, and those that a blocked thread did not send.

A thread that waits for an answer makes no messages, or makes them later. Under another client it may not wait, so where
the group skips what it has no time for, the messages that it would have made are filled in at its usual gaps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from simulator.calibrate.absences import PAUSE_TIMES
from simulator.calibrate.attempts import Ints, TraceAttempts
from simulator.calibrate.producers.senders import Group, messages_of
from simulator.calibrate.silences import SILENCE_LEAST_US
from simulator.compiled.jit import rule
from simulator.kernel.randomness import ARRIVAL_LATENCY, ARRIVAL_TIME, hash4
from simulator.workload import Arrivals

BLOCKED_TIMES = 10  # a send that takes this many ordinary gaps has blocked its thread
HALF = 2  # filled gaps are within 0.5..1.5 of the usual one
BITS = 16


@dataclass(frozen=True)
class RecordedArrivals:
    """Messages in time order. thread: number in the scenario; filled: those of them that are not in the trace."""

    at_us: Ints
    thread: Ints
    topic: Ints
    filled: int

    def of_seed(self, seed: int) -> Arrivals:
        """The same with the draws of a seed."""
        return Arrivals(self.at_us, self.thread, self.topic, _draws(seed, self.thread))


@rule(allocates=True)
def _draws(seed: int, thread: Ints) -> Ints:
    draws = np.empty(thread.shape[0], np.int64)
    for k in range(thread.shape[0]):
        draws[k] = np.int64(hash4(seed, ARRIVAL_LATENCY, thread[k], k))
    return draws


def recorded_arrivals(attempts: TraceAttempts, groups: Sequence[Group]) -> RecordedArrivals:
    """The arrivals of a trace; producers and threads are numbered as the scenario of the groups has them."""
    rows, begin_us, end_us = messages_of(attempts)
    begin_us = np.clip(begin_us, 0, max(attempts.duration_us - 1, 0))
    producer, topic, thread = attempts.producer[rows], attempts.topic[rows], attempts.thread[rows]
    found: list[tuple[Ints, Ints, Ints]] = []
    filled, first = 0, 0
    for group in groups:
        for place in group.producers:
            own = np.flatnonzero(producer == place)
            own = own[np.argsort(begin_us[own], kind="stable")]
            number = _threads(thread[own], begin_us[own], end_us[own], group.threads)
            for one in range(group.threads):
                part = own[number == one]
                at, what = begin_us[part], topic[part]
                if group.when_blocked == "skip" or attempts.answered_only:
                    more = _missing(at, end_us[part], first + one, attempts.answered_only)
                    filled += len(more)
                    at = np.concatenate((at, more))
                    what = np.concatenate((what, what[np.arange(len(more)) % max(len(what), 1)]))
                found.append((at, np.full(len(at), first + one), what))
            first += group.threads
    at, whose, what = (np.concatenate(parts) for parts in zip(*found, strict=True))
    order = np.lexsort((whose, at))
    return RecordedArrivals(at[order], whose[order], what[order], filled)


def _threads(known: Ints, begin_us: Ints, end_us: Ints, threads: int) -> Ints:
    """The sender thread of each message: as recorded, else the one that has been free for longest."""
    if threads == 1:
        return np.zeros(len(known), np.int64)
    if (known >= 0).all():
        return np.minimum(np.searchsorted(np.unique(known), known), threads - 1)
    free_us, found = np.zeros(threads, np.int64), np.zeros(len(known), np.int64)
    for i in range(len(known)):
        found[i] = int(np.argmin(free_us))
        free_us[found[i]] = max(end_us[i], begin_us[i])
    return found


def _missing(begin_us: Ints, end_us: Ints, thread: int, answered_only: bool) -> Ints:
    """When a thread would have made messages while it was blocked, or while its failed messages left no record."""
    if len(begin_us) < PAUSE_TIMES:
        return np.empty(0, np.int64)
    gap_us = np.diff(begin_us)
    usual_us = max(int(np.median(gap_us)), 1)
    blocked = end_us[:-1] - begin_us[:-1] > BLOCKED_TIMES * usual_us
    if answered_only:
        blocked |= gap_us > max(SILENCE_LEAST_US, PAUSE_TIMES * usual_us)
    found: list[int] = []
    for place in np.flatnonzero(blocked & (gap_us > HALF * usual_us)).tolist():
        at = int(begin_us[place])
        while True:
            draw = int(hash4(0, ARRIVAL_TIME, thread, at)) & ((1 << BITS) - 1)
            at += usual_us // HALF + (usual_us * draw >> BITS)
            if at >= begin_us[place + 1] - usual_us // HALF:
                break
            found.append(at)
    return np.array(found, np.int64)
