"""Who sends: groups of alike producers, their rates over time, and how their messages arrive."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from simulator.calibrate.attempts import Ints, TraceAttempts
from simulator.calibrate.producers.blocking import QUEUE, SKIP, Sends, rate_per_s, usual_gaps_us, when_blocked
from simulator.calibrate.producers.producer_names import groups_of_names
from simulator.calibrate.silences import SILENCE_LEAST_US
from simulator.scenario.producers import THREADS_MAX

STEADY_BELOW, UNIFORM_BELOW = 0.3, 1.6  # (p90 - p10) / p50 of the gaps: uniform in 0.5..1.5 has 0.8, Poisson 3.2
ALIKE = 1.25  # rates of producers of one group are at most this many times the least
PAUSE_TIMES = 10  # where failed attempts left no record: a pause of so many ordinary gaps
RATE_WINDOW_US = 1_000_000
FREE_LEAST = 0.25  # with less of a second free, it says nothing of the rate
TOUCH_US = 100  # sends that overlap by no more touch: times in logs are rounded


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
    sends: Sends
    threads: int
    spread: float
    topics: dict[str, int]

    @property
    def counted_per_s(self) -> float:
        return rate_per_s(self.sends, None, is_random=True)


def messages_of(attempts: TraceAttempts) -> tuple[Ints, Ints, Ints]:
    """Of each message its last attempt's row, when its send began and when it ended."""
    rows = np.flatnonzero(attempts.last_of_message)
    begin = np.full(int(attempts.message.max(initial=-1)) + 1, np.iinfo(np.int64).max)
    np.minimum.at(begin, attempts.message, np.minimum(attempts.send_begin_us, attempts.begin_us))
    return rows, begin[attempts.message[rows]], attempts.end_us[rows]


def groups_of(attempts: TraceAttempts, mode: str = "sync") -> list[Group]:
    """The producers in groups: alike in the prefix of their names, topics, threads as far as known, and rate."""
    found: dict[tuple[str, tuple[str, ...], int], list[_Producer]] = {}
    stems = groups_of_names(attempts.producers)
    has_threads = bool((attempts.thread >= 0).any())
    for one in _producers(attempts, mode == "sync"):
        key = (stems[one.place], tuple(sorted(one.topics)), one.threads if has_threads else 0)
        found.setdefault(key, []).append(one)
    parts = [(key, part) for key, alike in sorted(found.items()) for part in _by_rate(alike)]
    names = _names([(*key[:2], max(one.threads for one in part)) for key, part in parts])
    return [_group(name, part, mode == "sync") for name, (_, part) in zip(names, parts, strict=True)]


def _producers(attempts: TraceAttempts, is_sync: bool) -> Iterator[_Producer]:
    rows, begin_us, end_us = messages_of(attempts)
    of = attempts.producer[rows]
    for producer in np.unique(of).tolist():
        own = np.flatnonzero(of == producer)
        own = own[np.argsort(begin_us[own], kind="stable")]
        yield _measured(attempts, producer, (rows[own], begin_us[own], end_us[own]), is_sync)


def _by_rate(producers: list[_Producer]) -> list[list[_Producer]]:
    parts: list[list[_Producer]] = []
    for one in sorted(producers, key=lambda one: (one.counted_per_s, one.place)):
        if parts and one.counted_per_s <= ALIKE * parts[-1][0].counted_per_s:
            parts[-1].append(one)
        else:
            parts.append([one])
    return parts


def _names(keys: list[tuple[str, tuple[str, ...], int]]) -> list[str]:
    """What the producers of a group are called, else their topics and threads; numbered where that is the same."""
    names: list[str] = []
    for stem, topics, threads in keys:
        plain = "producers" if len(keys) == 1 else "-".join(topics) + (f"-{threads}-threads" if threads > 1 else "")
        name = stem or plain
        same = sum(other == name or other.startswith(f"{name}.") for other in names)
        names.append(f"{name}.{same + 1}" if same else name)
    return names


def _group(name: str, producers: list[_Producer], is_sync: bool) -> Group:
    spread = float(np.median([one.spread for one in producers]))
    arrivals = "steady" if spread < STEADY_BELOW else "uniform" if spread < UNIFORM_BELOW else "poisson"
    blocked = when_blocked(one.sends for one in producers) if is_sync else None
    topics: dict[str, int] = {}
    for one in producers:
        for topic, count in one.topics.items():
            topics[topic] = topics.get(topic, 0) + count
    rates = [rate_per_s(one.sends, blocked, is_random=arrivals == "poisson") for one in producers]
    places = tuple(sorted(one.place for one in producers))
    # Where messages at once tell the threads, one that was never needed shows in another producer of the group.
    threads = max(one.threads for one in producers)
    return Group(name, places, threads, float(np.mean(rates)), arrivals, blocked, topics)


def _measured(attempts: TraceAttempts, producer: int, messages: tuple[Ints, Ints, Ints], is_sync: bool) -> _Producer:
    rows, begin_us, end_us = messages
    topic, counts = np.unique(attempts.topic[rows], return_counts=True)
    topics = {attempts.topics[place]: int(count) for place, count in zip(topic.tolist(), counts.tolist(), strict=True)}
    thread = attempts.thread[rows]
    threads = len(np.unique(thread[thread >= 0]))
    if not threads:
        threads = _most_at_once(begin_us, end_us - max(attempts.slack_us, TOUCH_US)) if is_sync else 1
        thread = np.zeros(len(rows), np.int64)
    # A pause where failures left no record is one of the whole producer.
    free_us, of = (_after_pauses(begin_us, end_us), 1) if attempts.answered_only else (end_us, threads)
    sends = Sends(begin_us, free_us if is_sync else begin_us, of)
    gap = usual_gaps_us(sends, thread)
    low, middle, high = np.quantile(gap, (0.1, 0.5, 0.9)) if len(gap) else (0.0, 1.0, 0.0)
    return _Producer(producer, sends, threads, float((high - low) / max(middle, 1.0)), topics)


def _most_at_once(begin_us: Ints, end_us: Ints) -> int:
    """Messages under way at the same time, in order of `begin_us`: a thread that waits for its answer has one."""
    over_us = np.maximum(end_us, begin_us)
    begun = np.arange(1, len(begin_us) + 1)
    over = np.searchsorted(np.sort(over_us), begin_us, side="right") - (over_us <= begin_us)
    return min(max(int((begun - over).max(initial=1)), 1), THREADS_MAX)


def _after_pauses(begin_us: Ints, end_us: Ints) -> Ints:
    """When a thread was free after each send, where what failed left no record: a pause shows that it was not."""
    free_us = end_us.copy()
    if len(begin_us) > 2:
        gap = np.diff(begin_us)
        paused = gap > max(SILENCE_LEAST_US, PAUSE_TIMES * float(np.median(gap)))
        free_us[:-1][paused] = begin_us[1:][paused]
    return free_us


def rates_per_s(attempts: TraceAttempts, group: Group) -> npt.NDArray[np.float64]:
    """Messages a second that the whole group wanted to send, one value a second of the trace.

    Messages that waited are counted over the whole time in which they may have arrived. Where they were skipped, a
    second in which threads were blocked counts by the part in which they were free.
    """
    rows, begin_us, end_us = messages_of(attempts)
    bins = max(-(-attempts.duration_us // RATE_WINDOW_US), 1)
    counts, blocked_us = np.zeros(bins), np.zeros(bins)
    for place in group.producers:
        own = np.flatnonzero(attempts.producer[rows] == place)
        own = own[np.argsort(begin_us[own], kind="stable")]
        sends = Sends(begin_us[own], end_us[own], group.threads)
        at_us = sends.spread_us() if group.when_blocked == QUEUE else sends.begin_us
        counts += np.bincount(np.clip(at_us // RATE_WINDOW_US, 0, bins - 1), minlength=bins)
        if group.when_blocked == SKIP:
            blocked_us += _blocked_us(sends, bins)
    threads = len(group.producers) * group.threads
    free = 1 - blocked_us / (threads * RATE_WINDOW_US)
    return np.where(free > FREE_LEAST, counts / np.maximum(free, FREE_LEAST), group.rate_per_s * len(group.producers))


def _blocked_us(sends: Sends, bins: int) -> npt.NDArray[np.float64]:
    """How long threads were blocked in each second."""
    found = np.zeros(bins)
    for begin, end in zip(sends.begin_us[sends.blocked].tolist(), sends.free_us[sends.blocked].tolist(), strict=True):
        for second in range(begin // RATE_WINDOW_US, min(end // RATE_WINDOW_US, bins - 1) + 1):
            low, high = second * RATE_WINDOW_US, (second + 1) * RATE_WINDOW_US
            found[second] += min(end, high) - max(begin, low)
    return found
