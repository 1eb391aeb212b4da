"""Periods in which a broker answered, but slower: change points of the latency of its answers.

The answers of a broker are cut into stretches of the same number of answers; a stretch counts by its median, which no
tail moves. A slow spell is a run of stretches whose median is a multiple of the usual one and above the longest answer
of a usual stretch: what was rare has become usual. Its begin and end are then moved to the answers where the two levels
part best (least squares of the logarithm).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from simulator import codes
from simulator.calibrate.attempts import Ints, TraceAttempts
from simulator.calibrate.calibrate_texts import EvidenceTexts
from simulator.calibrate.found_fault import SLOW, FoundFault
from simulator.calibrate.silences import SILENCE_LEAST_US

STRETCH = 50  # answers
FACTOR_LEAST = 5.0
LENGTH_LEAST_US = 1_000_000
LESS_LIKELY = 12.0  # of a cut of the interval: twice the logarithm of how much less likely than the best
MILLION = 1_000_000

Reals = npt.NDArray[np.float64]


def slow_spells(attempts: TraceAttempts, broker: int, apart_from: Sequence[FoundFault]) -> Iterator[FoundFault]:
    """Slow spells of a broker outside of the findings given, in the order of time."""
    rows = attempts.of_broker(broker)
    rows = rows[attempts.outcome[rows] == codes.SEND_OK]
    rows = rows[~_met(attempts, rows, apart_from)]
    if len(rows) < 4 * STRETCH:
        return
    begin_us = attempts.begin_us[rows]
    latency_us = attempts.end_us[rows] - begin_us
    # In whole milliseconds 0 and 1 are neighbours: their logarithms must be, too.
    step_us = 1_000 if not (latency_us % 1_000).any() else 1
    level = np.log((latency_us + step_us).astype(np.float64))
    stretches = len(rows) // STRETCH
    cut = level[: stretches * STRETCH].reshape(stretches, STRETCH)
    medians = np.median(cut, axis=1)
    usual = float(np.median(medians))
    slow = medians >= max(usual + np.log(FACTOR_LEAST), float(np.median(cut.max(axis=1))))
    for first, last in _runs(slow):
        begin, *at = _best_cut(level, max(first - 2, 0) * STRETCH, (first + 1) * STRETCH, rising=True)
        begin += _after_pause(begin_us[begin : (first + 1) * STRETCH])
        end, *until = _best_cut(level, last * STRETCH, min((last + 3) * STRETCH, len(level)), rising=False)
        if end - begin < STRETCH // 2 or begin_us[end - 1] - begin_us[begin] < LENGTH_LEAST_US:
            continue
        factor = float(np.median(latency_us[begin:end]) / max(np.median(latency_us), step_us / 2))
        yield _finding(attempts, broker, rows, (begin, *at), (end, *until), factor)


def _met(attempts: TraceAttempts, rows: Ints, findings: Sequence[FoundFault]) -> npt.NDArray[np.bool_]:
    met = np.zeros(len(rows), bool)
    for finding in findings:
        met |= (attempts.begin_us[rows] < finding.until_us) & (attempts.end_us[rows] > finding.at_us)
    return met


def _runs(flags: npt.NDArray[np.bool_]) -> list[tuple[int, int]]:
    """First and last place of every run of true ones; one false place within a run does not end it."""
    places = np.flatnonzero(flags)
    if not len(places):
        return []
    parts = np.split(places, np.flatnonzero(np.diff(places) > 2) + 1)
    return [(int(part[0]), int(part[-1])) for part in parts]


def _after_pause(begin_us: Ints) -> int:
    """Place after the last pause in which nothing was answered: what lies before it is another period."""
    pauses = np.flatnonzero(np.diff(begin_us) > LENGTH_LEAST_US)
    return int(pauses[-1]) + 1 if len(pauses) else 0


def _best_cut(level: Reals, low: int, high: int, rising: bool) -> tuple[int, int, int]:
    """The place from low to high that parts the two levels best, least squares, and the first and last likely one."""
    part = level[low:high]
    n = np.arange(1, len(part))
    total, sums = part.sum(), np.cumsum(part)[:-1]
    left, right = sums / n, (total - sums) / (len(part) - n)
    gain = n * (len(part) - n) / len(part) * (right - left) ** 2
    gain[(right > left) != rising] = 0.0
    if gain.max() <= 0:
        return (low if rising else high), low, high
    best = int(np.argmax(gain))
    noise = max((float(((part - part.mean()) ** 2).sum()) - float(gain[best])) / len(part), 1e-12)
    likely = np.flatnonzero(gain >= gain[best] - LESS_LIKELY * noise)
    return low + best + 1, low + int(likely[0]) + 1, low + int(likely[-1]) + 1


def _finding(
    attempts: TraceAttempts, broker: int, rows: Ints, begins: tuple[int, ...], ends: tuple[int, ...], factor: float
) -> FoundFault:
    begin_us, end_us, duration_us = attempts.begin_us[rows], attempts.end_us[rows], attempts.duration_us
    begin, end = begins[0], ends[0]
    at = int(begin_us[begin])
    until = int(end_us[end - 1])
    slack_us = attempts.slack_us
    before = int(begin_us[begins[1] - 1]) - slack_us if begins[1] else 0
    latest = int(end_us[max(begins[2], begin)]) + slack_us
    over = max(end, ends[2])
    after = int(end_us[over]) + slack_us if over < len(rows) else duration_us
    # What began before the end and took long was slow by then; what waited for it began later.
    slow = int(np.clip(min(end, ends[1]) - 1, 0, len(rows) - 1))
    earliest = int(begin_us[slow]) - slack_us
    producers = len(np.unique(attempts.producer[rows[begin:end]]))
    text = EvidenceTexts.SLOW(answers=end - begin, producers=producers, factor=f"{factor:.1f}")
    return FoundFault(
        attempts.brokers[broker], SLOW, at, until, (max(min(before, at), 0), max(latest, at)),
        (min(earliest, until), min(max(after, until), duration_us)),
        "certain" if end - begin >= 2 * STRETCH else "likely", text, round(factor * 10) * MILLION // 10,
    )  # fmt: skip


def outside_of_slowness(findings: Sequence[FoundFault], slow: Sequence[FoundFault]) -> list[FoundFault]:
    """The findings without short silences of a broker that was slow then: it answered, at its pace."""
    return [
        finding
        for finding in findings
        if finding.until_us - finding.at_us >= 2 * SILENCE_LEAST_US
        or not any(spell.at_us <= finding.at_us and finding.until_us <= spell.until_us for spell in slow)
    ]
