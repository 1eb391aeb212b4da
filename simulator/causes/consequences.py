"""The consequences that stand out in a run, read from its figures; causes are not known yet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from simulator.causes.consequence import INVISIBLE_US, SLOW, Consequence
from simulator.causes.episodes import episodes, lag_episodes, split_at
from simulator.causes.fault_numbers import group_starts_us, numbered_faults
from simulator.causes.judgement import SHRINKS
from simulator.causes.measuring import edge_us, isolated_s, quantile_ms, share_of, slow_messages
from simulator.causes.run_figures import RunFigures, Series
from simulator.causes.suspect import Suspect
from simulator.scenario import Scenario

# Fewer of a kind are not worth naming: one lost message is.
LEAST = {
    "lost": 1, "failed": 1, "missed": 1, "skipped": 1, "dead_letters": 1, "consumed_twice": 3, "duplicates": 10,
    "retries": 10, "failed_deliveries": 1, "unowned": 5, "double_owned": 5,
    "delivered_again": 1, "revived": 1, "refused_pops": 1, "lost_pops": 1, "no_master": 1,
    "late_transactions": 1, "readable_twice": 1, "failed_starts": 1,
}  # fmt: skip
PIECE_LEAST = {"consumed_twice": 3}  # of one episode: a message or two is what at least once means
OF_PRODUCERS = ("lost", "failed", "duplicates", "retries", "late_transactions", "readable_twice")
SHARE_PERCENT = {"retries": 0.05, "failed_deliveries": 1.0}  # of all messages, or deliveries: fewer are not named
OF_CONSUMERS = (
    "missed", "skipped", "dead_letters", "consumed_twice", "failed_deliveries", "unowned", "double_owned", "revived",
    "refused_pops", "lost_pops", "failed_starts",
)  # fmt: skip
OF_BROKERS = ("delivered_again", "no_master")
BACKLOG_BINS = 3  # times what is consumed in a bin
ON_TIME_MS = 1_000.0  # what is handled so soon was in no backlog, whatever the lag counts
ON_TIME_BINS, SHORT_US = 5, 30_000_000
WAIT_TIMES, WAIT_LEAST_US = 10, 50_000.0  # of the usual p99, and above it: less is not noticed
SHIFT_POINTS, SHIFT_PART = 5.0, 0.15  # of all attempts, and of the broker's own part
SHIFT_LEAST_S, SHIFT_ATTEMPTS, SIGMAS = 3.0, 100, 4.0
ISOLATED_S = 10.0  # a producer that isolates
LEVEL_LATE_MS, TIMER_LATE_MS = 1_000.0, 1_100.0  # by design: a task looks every 100 ms, the wheel every second
BUSIEST = 3.0  # times a queue's part
QUEUE_MESSAGES = 1_000


def consequences_of(figures: RunFigures, scenario: Scenario, suspects: Sequence[Suspect]) -> list[Consequence]:
    """What stands out, in the order of time; cut where a suspect begins, so that each piece can have its own."""
    begins = sorted({begin for one in suspects for begin, _ in one.stretches if begin})
    calm = _calm(figures, suspects)
    return [
        *_counts(figures, begins, group_starts_us(scenario)), *_waits(figures, begins, calm),
        *_never_sent(figures, scenario), *_backlogs(figures), *_late_delays(figures, begins),
        *_load(figures, begins, calm), *_isolation(figures, scenario), *_hot_queues(figures, scenario),
    ]  # fmt: skip


def _calm(figures: RunFigures, suspects: Sequence[Suspect]) -> slice:
    """The bins before anything that has a begin; the first is not whole yet. None: an empty slice."""
    begins = [one.from_us for one in suspects if one.from_us]
    first = int(min(begins) // figures.bin_us) if begins else figures.bins
    return slice(1 if first > 2 else 0, first)


def _counts(figures: RunFigures, begins: Sequence[int], starts_us: Mapping[str, int]) -> Iterator[Consequence]:
    for kind in (*OF_PRODUCERS, *OF_CONSUMERS, *OF_BROKERS):
        for place, counted in figures.places(kind).items():
            begun = np.arange(figures.bins) >= starts_us.get(place, 0) // figures.bin_us
            values = np.where(begun, counted, 0) if kind == "unowned" else counted
            whole = "messages" if kind in OF_PRODUCERS else "consumed"
            least = SHARE_PERCENT.get(kind, 0.0) * float(figures.of(whole, place).sum()) / 100
            if values.sum() < max(LEAST[kind], least):
                continue
            for first, last in split_at(episodes(values > 0, figures.bin_us), begins, figures.bin_us):
                size = float(values[first : last + 1].sum())
                if size >= PIECE_LEAST.get(kind, min(LEAST[kind], 1)):
                    found = _piece(kind, place, figures, first, last, values, size)
                    yield replace(found, detail=_slow(found, figures, first, last))


def _slow(about: Consequence, figures: RunFigures, first: int, last: int) -> str:
    """SLOW where instances that ran were too slow for so many of the messages that came again that it may be why."""
    aftermath = {"revived": 0, "consumed_twice": -(-INVISIBLE_US // figures.bin_us)}.get(about.kind)
    if aftermath is None:
        return ""
    slow = figures.of("slow", about.place)[max(first - aftermath, 0) : last + 1].sum()
    return SLOW if slow > (1 - SHRINKS) * about.size else ""


def _piece(
    kind: str, place: str, figures: RunFigures, first: int, last: int, values: Series, size: float
) -> Consequence:
    at = first + int(values[first : last + 1].argmax())
    bin_us = figures.bin_us
    return Consequence(kind, place, first * bin_us, (last + 1) * bin_us, size, at_us=(at + 1) * bin_us)


def _waits(figures: RunFigures, begins: Sequence[int], calm: slice) -> Iterator[Consequence]:
    for group in figures.waits:
        usual_us = _usual_p99_us(figures, group, calm)
        if np.isnan(usual_us):
            continue
        above_us = edge_us(max(WAIT_TIMES * usual_us, usual_us + WAIT_LEAST_US))
        slow, messages = slow_messages(figures, group, above_us), figures.of("messages", group)
        high = slow > np.maximum(0.01 * messages, 0)  # p99 of the bin is above
        for first, last in split_at(episodes(high, figures.bin_us), begins, figures.bin_us):
            size = float(slow[first : last + 1].sum())
            if size:
                found = _piece("waits", group, figures, first, last, slow, size)
                yield replace(found, usual=above_us)


def _usual_p99_us(figures: RunFigures, group: str, calm: slice) -> float:
    bins = range(*calm.indices(figures.bins))
    if len(bins) >= 3:
        found = [quantile_ms(figures, group, slice(at, at + 1), 0.99) for at in bins]
        return 1000 * float(np.nanmedian(found)) if not np.isnan(found).all() else float("nan")
    found = [quantile_ms(figures, group, slice(at, at + 1), 0.99) for at in range(figures.bins)]
    known = [value for value in found if not np.isnan(value)]
    return 1000 * float(np.quantile(known, 0.1)) if known else float("nan")


def _never_sent(figures: RunFigures, scenario: Scenario) -> Iterator[Consequence]:
    names = [own.group for own in scenario.producers if own.when_blocked == "skip"]
    if figures.never_sent and names:
        size = float(figures.never_sent)
        yield Consequence("never_sent", ", ".join(names[:3]), 0, scenario.duration_us, size)


def _backlogs(figures: RunFigures) -> Iterator[Consequence]:
    """Each time that a group falls behind: its lag rises far above what it consumes in a bin, and messages are late."""
    for group, lag in figures.places("lag").items():
        consumed, late_ms = figures.of("consumed", group), figures.of("late_ms", group)
        calm = max(float(consumed.mean()), 1.0)
        for first, last, gone in lag_episodes(lag, calm, BACKLOG_BINS * calm):
            inside = slice(first, last + 1 + ON_TIME_BINS)
            is_short = gone is not None or (last + 1 - first) * figures.bin_us < SHORT_US
            if is_short and late_ms[inside].max(initial=0) < ON_TIME_MS and consumed[inside].any():
                continue  # a pull has not passed the messages of other tags yet
            found = _piece("backlog", group, figures, first, last, lag, float(lag[first : last + 1].max()))
            yield replace(found, usual=calm, gone_us=None if gone is None else (gone + 1) * figures.bin_us)


def _late_delays(figures: RunFigures, begins: Sequence[int]) -> Iterator[Consequence]:
    for kind, least in (("delay_ms", LEVEL_LATE_MS), ("timer_ms", TIMER_LATE_MS)):
        for broker, late in figures.places(kind).items():
            for first, last in split_at(episodes(late > least, figures.bin_us), begins, figures.bin_us):
                peak = float(late[first : last + 1].max())
                if peak > least:
                    found = _piece("late_delays", broker, figures, first, last, late, peak)
                    yield replace(found, detail=kind, usual=least)


def _load(figures: RunFigures, begins: Sequence[int], calm: slice) -> Iterator[Consequence]:
    """Brokers whose part of the attempts differs from that before anything happened."""
    every = figures.places("attempts")
    total = sum(every.values(), np.zeros(figures.bins))
    if len(every) < 2 or calm.stop >= figures.bins or total[calm].sum() < SHIFT_ATTEMPTS:
        return
    width = max(int(np.ceil(SHIFT_ATTEMPTS / max(float(total.mean()), 1e-9))), 1)
    for broker, counts in every.items():
        usual = share_of(figures, broker, calm) / 100
        smooth = [np.convolve(values, np.ones(width), "same") for values in (counts, total)]
        part = np.divide(smooth[0], smooth[1], out=np.full(figures.bins, usual), where=smooth[1] > 0)
        error = np.sqrt(np.maximum(usual * (1 - usual), 0.01) / np.maximum(smooth[1], 1))
        shift = part - usual
        least = np.maximum(np.maximum(SHIFT_POINTS / 100, SHIFT_PART * usual), SIGMAS * error)
        for sign, word in ((1, "more"), (-1, "less")):
            high = (sign * shift > least) & (np.arange(figures.bins) >= calm.stop)
            for first, last in split_at(episodes(high, figures.bin_us), begins, figures.bin_us):
                now = share_of(figures, broker, slice(first, last + 1)) - 100 * usual
                long_s = (last + 1 - first) * figures.bin_us / 1e6
                if long_s >= SHIFT_LEAST_S and sign * now >= SHIFT_POINTS:
                    found = _piece("load", broker, figures, first, last, sign * shift, abs(now))
                    asked = float(total[first : last + 1].sum())
                    yield replace(found, usual=100 * usual, detail=word, weight=asked)


def _isolation(figures: RunFigures, scenario: Scenario) -> Iterator[Consequence]:
    """Brokers that are isolated while no fault strikes them."""
    struck: dict[str, list[tuple[int, int]]] = {name: [] for name in scenario.brokers}
    for _, periods in numbered_faults(scenario).values():
        for period in periods:
            if period.broker:
                struck[period.broker].append((period.at_us, period.until_us))
    for number, broker in enumerate(scenario.brokers):
        rows = figures.isolations[figures.isolations[:, 0] == number]
        edges = sorted({0, scenario.duration_us, *(edge for stretch in struck[broker] for edge in stretch)})
        for from_us, until_us in pairwise(edges):
            if any(begin <= from_us < until for begin, until in struck[broker]):
                continue
            about = Consequence("isolation", broker, from_us, until_us, 0.0, detail=str(number))
            size = isolated_s(figures, about)
            inside = (rows[:, 2] < until_us) & (rows[:, 3] > from_us)
            users = len(np.unique(rows[inside, 1]))
            if users and size / users >= ISOLATED_S:
                begin = max(int(rows[inside, 2].min()), from_us)
                end = min(int(rows[inside, 3].max()), until_us)
                yield replace(about, size=size, from_us=begin, until_us=end, at_us=begin)


def _hot_queues(figures: RunFigures, scenario: Scenario) -> Iterator[Consequence]:
    topics: dict[str, dict[str, float]] = {}
    for place, values in figures.places("queue").items():
        topic, queue = place.split(" ", 1)
        topics.setdefault(topic, {})[queue] = float(values.sum())
    for topic, counts in topics.items():
        queues = sum(entry.write_queues for entry in scenario.route(topic) if entry.writeable and entry.master)
        total, (queue, most) = sum(counts.values()), max(counts.items(), key=lambda one: one[1])
        if total >= QUEUE_MESSAGES and queues > 1 and most * queues >= BUSIEST * total:
            whole = figures.bins * figures.bin_us
            yield Consequence("hot_queue", topic, 0, whole, 100 * most / total, detail=queue, usual=100 / queues)
