"""Threads that wait for a long send: whether messages wait meanwhile or are skipped, and what that says of the rate.

Messages that wait are sent as soon as their thread is free: over a blocked stretch and the time after it as many are
sent as over any other time. Messages that are skipped are missing from the count.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from simulator.calibrate.attempts import Flags, Ints

QUEUE, SKIP = "queue", "skip"
ORDINARY_TIMES = 10  # a send that takes so many times what sends usually take, and a gap of its thread, blocks it
AFTER_GAPS = 10  # what waited is sent within so many gaps after it, or within as long as it waited
FREE_LEAST = 0.1  # a part of the time outside of blocked stretches that tells the rate there
SURE = 3.0  # of the logarithm of how much likelier one is than the other
ROUNDS = 4  # of a rate that depends on its gap
HALF = 0.5  # of a gap: a steady arrival comes so long after a moment on average


@dataclass(frozen=True)
class Sends:
    """The sends of one producer in order of `begin_us`. free_us: when the thread of each was free again."""

    begin_us: Ints
    free_us: Ints
    threads: int

    @cached_property
    def took_us(self) -> Ints:
        """How long each held its thread."""
        return self.free_us - self.begin_us

    @cached_property
    def span_us(self) -> float:
        """The time in which the producer sent: from its first to its last send, and a gap."""
        count = len(self.begin_us)
        return float(self.begin_us[-1] - self.begin_us[0]) * count / (count - 1) if count > 1 else 0.0

    @cached_property
    def blocked(self) -> Flags:
        """Sends during which messages of their thread are likely to have arrived."""
        gap_us = self.threads * self.span_us / max(len(self.begin_us), 1)
        usual_us = float(np.median(self.took_us)) if len(self.took_us) else 0.0
        return self.took_us > max(gap_us, ORDINARY_TIMES * usual_us)

    @cached_property
    def stretches(self) -> list[tuple[int, int]]:
        """From each blocked send until what waited for it is sent, those that overlap together."""
        after_us = int(AFTER_GAPS * self.span_us / max(len(self.begin_us), 1))
        found: list[tuple[int, int]] = []
        for begin, free in zip(self.begin_us[self.blocked].tolist(), self.free_us[self.blocked].tolist(), strict=True):
            end = min(free + max(after_us, free - begin), int(self.begin_us[-1]))
            if found and begin <= found[-1][1]:
                found[-1] = found[-1][0], max(end, found[-1][1])
            elif end > begin:
                found.append((begin, end))
        return found

    @cached_property
    def inside(self) -> Flags:
        """Sends in such a stretch."""
        flags = np.zeros(len(self.begin_us), bool)
        for begin, end in self.stretches:
            flags |= (self.begin_us >= begin) & (self.begin_us <= end)
        return flags

    def spread_us(self) -> Ints:
        """When the messages may have arrived, if they waited: those of a stretch evenly over it."""
        found = self.begin_us.copy()
        for begin, end in self.stretches:
            own = np.flatnonzero((self.begin_us >= begin) & (self.begin_us <= end))
            found[own] = np.linspace(begin, end, len(own)).astype(np.int64)
        return found


def evidence(sends: Sends) -> float:
    """Logarithm of how much likelier the counts are where messages wait than where they are skipped; 0: none."""
    stretched_us = sum(end - begin for begin, end in sends.stretches)
    outside_us = sends.span_us - stretched_us
    blocked_us = min(float(sends.took_us[sends.blocked].sum()) / sends.threads, 0.99 * stretched_us)
    if not stretched_us or outside_us < FREE_LEAST * sends.span_us:
        return 0.0
    per_us = float((~sends.inside).sum()) / outside_us
    sent = int(sends.inside.sum()) - len(sends.stretches)  # each begins with a send
    return sent * float(np.log(stretched_us / (stretched_us - blocked_us))) - per_us * blocked_us


def when_blocked(producers: Iterable[Sends]) -> str | None:
    """queue or skip by the counts of producers that are alike; None where they do not tell."""
    total = sum(map(evidence, producers))
    return None if abs(total) < SURE else QUEUE if total > 0 else SKIP


def rate_per_s(sends: Sends, blocking: str | None, *, is_random: bool) -> float:
    """Messages a second that arrived. `is_random`: they come at any time, not at gaps of about the same length."""
    if sends.span_us <= 0:
        return 0.0
    found = len(sends.begin_us) / sends.span_us
    if blocking == SKIP:
        for _ in range(1 if is_random else ROUNDS):
            least_us = 0.0 if is_random else HALF * sends.threads / found
            lost_us = float(np.maximum(sends.took_us - least_us, 0).sum()) / sends.threads
            found = len(sends.begin_us) / max(sends.span_us - lost_us, FREE_LEAST * sends.span_us)
    return found * 1e6


def usual_gaps_us(sends: Sends, thread: Ints) -> npt.NDArray[np.int64]:
    """Gaps between sends of a thread that no blocked send is near."""
    found = []
    for number in np.unique(thread).tolist():
        own = np.flatnonzero(thread == number)
        apart = ~(sends.inside[own][1:] | sends.inside[own][:-1])
        found.append(np.diff(sends.begin_us[own])[apart])
    return np.concatenate(found) if found else np.empty(0, np.int64)
