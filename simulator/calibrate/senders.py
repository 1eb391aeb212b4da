"""Who sends: groups of alike producers, their rates over time, and how their messages arrive."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from simulator.calibrate.attempts import Ints, TraceAttempts
from simulator.calibrate.silences import SILENCE_LEAST_US
from simulator.scenario.producers import THREADS_MAX

STEADY_BELOW, UNIFORM_BELOW = 0.3, 1.6  # (p90 - p10) / p50 of the gaps: uniform in 0.5..1.5 has 0.8, Poisson 3.2
ALIKE = 1.25  # rates of producers of one group are at most this many times the least
BLOCKED_TIMES = 10  # a send that takes this many ordinary gaps has blocked its thread
CATCH_UP = 2.0  # after it, messages that waited are sent at this many times the ordinary rate
RATE_WINDOW_US = 1_000_000
FREE_LEAST = 0.25  # with less of a second free, it says nothing of the rate


@dataclass(frozen=True)
class Group:
    """`producers` (places) that are alike. rate_per_s: of one producer. topics: name to messages.

    arrivals: poisson, uniform or steady. when_blocked: queue or skip, None where no send blocked for long.
    """

    name: str
    producers: tuple[int, ...]
    threads: int
    rate_per_s: float
    arrivals: str
    when_blocked: str | None
    topics: dict[str, int]


@dataclass(frozen=True)
class _Producer:
    place: int
    threads: int
    rate_per_s: float
    spread: float
    catch_up: float | None
    topics: dict[str, int]


def messages_of(attempts: TraceAttempts) -> tuple[Ints, Ints, Ints]:
    """Of each message its last attempt's row, when its send began and when it ended."""
    rows = np.flatnonzero(attempts.last_of_message)
    begin = np.full(int(attempts.message.max(initial=-1)) + 1, np.iinfo(np.int64).max)
    np.minimum.at(begin, attempts.message, np.minimum(attempts.send_begin_us, attempts.begin_us))
    return rows, begin[attempts.message[rows]], attempts.end_us[rows]


def groups_of(attempts: TraceAttempts, mode: str = "sync") -> list[Group]:
    """The producers in groups, by name."""
    rows, begin_us, end_us = messages_of(attempts)
    of = attempts.producer[rows]
    found: dict[tuple[tuple[str, ...], int], list[_Producer]] = {}
    for producer in np.unique(of).tolist():
        own = of == producer
        one = _measured(attempts, producer, (rows[own], begin_us[own], end_us[own]), mode == "sync")
        found.setdefault((tuple(sorted(one.topics)), one.threads), []).append(one)
    parts = [(key, part) for key, alike in sorted(found.items()) for part in _by_rate(alike)]
    names = _names([key for key, _ in parts])
    return [_group(name, part) for name, (_, part) in zip(names, parts, strict=True)]


def _by_rate(producers: list[_Producer]) -> list[list[_Producer]]:
    parts: list[list[_Producer]] = []
    for one in sorted(producers, key=lambda one: (one.rate_per_s, one.place)):
        if parts and one.rate_per_s <= ALIKE * parts[-1][0].rate_per_s:
            parts[-1].append(one)
        else:
            parts.append([one])
    return parts


def _names(keys: list[tuple[tuple[str, ...], int]]) -> list[str]:
    if len(keys) == 1:
        return ["producers"]
    names: list[str] = []
    for topics, threads in keys:
        name = "-".join(topics) + (f"-{threads}-threads" if threads > 1 else "")
        same = sum(other == name or other.startswith(f"{name}.") for other in names)
        names.append(f"{name}.{same + 1}" if same else name)
    return names


def _group(name: str, producers: list[_Producer]) -> Group:
    spread = float(np.median([one.spread for one in producers]))
    arrivals = "steady" if spread < STEADY_BELOW else "uniform" if spread < UNIFORM_BELOW else "poisson"
    caught = [one.catch_up for one in producers if one.catch_up is not None]
    blocked = None if not caught else "queue" if float(np.median(caught)) >= CATCH_UP else "skip"
    topics: dict[str, int] = {}
    for one in producers:
        for topic, count in one.topics.items():
            topics[topic] = topics.get(topic, 0) + count
    rate = float(np.mean([one.rate_per_s for one in producers]))
    places = tuple(sorted(one.place for one in producers))
    return Group(name, places, producers[0].threads, rate, arrivals, blocked, topics)


def _measured(attempts: TraceAttempts, producer: int, messages: tuple[Ints, Ints, Ints], sync: bool) -> _Producer:
    rows, begin_us, end_us = messages
    topic, counts = np.unique(attempts.topic[rows], return_counts=True)
    topics = {attempts.topics[place]: int(count) for place, count in zip(topic.tolist(), counts.tolist(), strict=True)}
    thread = attempts.thread[rows]
    known = np.unique(thread[thread >= 0])
    threads = len(known)
    if not threads:
        threads = _most_at_once(begin_us, end_us) if sync else 1
        thread = np.zeros(len(rows), np.int64)
    gaps, free_us, bursts = [np.empty(0, np.int64)], 0, []
    for number in np.unique(thread).tolist():
        own = np.flatnonzero(thread == number)
        own = own[np.argsort(begin_us[own], kind="stable")]
        gap, free, burst = _thread(
            begin_us[own], _free_again(attempts, begin_us[own], end_us[own]), attempts.duration_us
        )
        gaps.append(gap)
        free_us += free
        bursts += burst
    gap = np.concatenate(gaps)
    low, middle, high = np.quantile(gap, (0.1, 0.5, 0.9)) if len(gap) else (0.0, 1.0, 0.0)
    spread = float((high - low) / max(middle, 1.0))
    rate = len(rows) / max(free_us / max(len(known), 1), 1.0) * 1e6
    return _Producer(producer, threads, rate, spread, float(np.mean(bursts)) if bursts else None, topics)


def _most_at_once(begin_us: Ints, end_us: Ints) -> int:
    """Messages under way at the same time: a thread that waits for its answer has one."""
    moments = np.concatenate((end_us, begin_us))
    steps = np.repeat((-1, 1), len(begin_us))
    # Of the same microsecond the end comes first.
    return min(max(int(np.cumsum(steps[np.lexsort((steps, moments))]).max(initial=1)), 1), THREADS_MAX)


def _free_again(attempts: TraceAttempts, begin_us: Ints, end_us: Ints) -> Ints:
    """When a thread was free after each send. Where what failed left no record, a pause shows that it was not."""
    if not attempts.answered_only or len(begin_us) < 3:
        return end_us
    gap = np.diff(begin_us)
    paused = gap > max(SILENCE_LEAST_US, BLOCKED_TIMES * float(np.median(gap)))
    free_us = end_us.copy()
    free_us[:-1][paused] = begin_us[1:][paused]
    return free_us


def _thread(begin_us: Ints, end_us: Ints, duration_us: int) -> tuple[Ints, int, list[float]]:
    """Gaps between sends, the time in which it was free to send, and how it sent after it had been blocked."""
    if len(begin_us) < 3:
        return np.empty(0, np.int64), duration_us, []
    gap = np.diff(begin_us)
    usual = float(np.median(gap))
    took = end_us - begin_us
    long = took > BLOCKED_TIMES * usual
    # A thread of an asynchronous producer sends on while its messages are under way: it is not blocked.
    blocked = long[:-1] & (begin_us[1:] >= end_us[:-1])
    free_us = int(begin_us[-1] - begin_us[0]) - int(took[:-1][blocked].sum())
    free_us = round(free_us * len(begin_us) / (len(begin_us) - 1))
    bursts = []
    for place in np.flatnonzero(blocked).tolist():
        until = end_us[place] + BLOCKED_TIMES * usual
        sent = int(np.searchsorted(begin_us, until) - np.searchsorted(begin_us, end_us[place]))
        bursts.append(sent / BLOCKED_TIMES)
    return gap[~blocked], free_us, bursts


def rates_per_s(attempts: TraceAttempts, group: Group) -> npt.NDArray[np.float64]:
    """Sends a second that the whole group wanted to make, one value a second of the trace.

    A second in which threads were blocked counts by the part in which they were free.
    """
    rows, begin_us, end_us = messages_of(attempts)
    own = np.isin(attempts.producer[rows], group.producers)
    rows, begin_us, end_us = rows[own], begin_us[own], end_us[own]
    bins = max(-(-attempts.duration_us // RATE_WINDOW_US), 1)
    counts = np.bincount(np.clip(begin_us // RATE_WINDOW_US, 0, bins - 1), minlength=bins).astype(np.float64)
    if group.when_blocked is None:
        return counts
    threads = len(group.producers) * group.threads
    usual_us = threads / max(group.rate_per_s * len(group.producers), 1e-9) * 1e6
    long = end_us - begin_us > BLOCKED_TIMES * usual_us
    blocked_us = np.zeros(bins)
    for begin, end in zip(begin_us[long].tolist(), end_us[long].tolist(), strict=True):
        for second in range(begin // RATE_WINDOW_US, min(end // RATE_WINDOW_US, bins - 1) + 1):
            low, high = second * RATE_WINDOW_US, (second + 1) * RATE_WINDOW_US
            blocked_us[second] += min(end, high) - max(begin, low)
    free = 1 - blocked_us / (threads * RATE_WINDOW_US)
    return np.where(free > FREE_LEAST, counts / np.maximum(free, FREE_LEAST), group.rate_per_s * len(group.producers))
