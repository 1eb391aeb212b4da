"""Troubles of a broker in a trace that has answered attempts only: it is missing where it should answer.

What a failed attempt leaves in such a trace is a wait: a message whose recorded attempt began long after its send, or a
producer that sent nothing for a while. A broker that answers nobody although its share says that it should, together
with such waits when that began, was in trouble; how long they waited says whether it hung or refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from simulator.calibrate.attempts import Ints, TraceAttempts
from simulator.calibrate.calibrate_texts import EvidenceTexts
from simulator.calibrate.found_fault import HANG, KILL, FoundFault
from simulator.calibrate.silences import LONGER_PART, RESTART_US, SILENCE_LEAST_US

ABSENCE_LEAST_US = 1_000_000  # shorter hangs are seen by their late answers
MISSING_LEAST = 50  # answers that the rate before says are missing
RECENT_US = 10_000_000  # that rate is of so much time before
PAUSE_TIMES = 10  # a producer that sends nothing for so many of its ordinary gaps waits
DELAY_LEAST_US = 2_000
UNANSWERED = 10  # answers that are missing by chance one time in 20,000
NEAR_US = 1_000_000  # the first waits begin this soon around the last answer


@dataclass(frozen=True)
class HiddenWaits:
    """Waits that an attempt without a record explains, by begin; arrays of the same length."""

    begin_us: Ints
    end_us: Ints
    producer: Ints


def hidden_waits(attempts: TraceAttempts) -> HiddenWaits:
    """Delays before recorded attempts, and pauses of producers."""
    delay_us = attempts.begin_us - attempts.send_begin_us
    late = delay_us >= max(DELAY_LEAST_US, PAUSE_TIMES * int(np.quantile(delay_us, 0.95)))
    begins, ends, whose = [attempts.send_begin_us[late]], [attempts.begin_us[late]], [attempts.producer[late]]
    for place in range(len(attempts.producers)):
        rows = np.flatnonzero(attempts.producer == place)
        if len(rows) < PAUSE_TIMES:
            continue
        busy_until = np.maximum.accumulate(attempts.end_us[rows])[:-1]
        pause_us = attempts.send_begin_us[rows][1:] - busy_until
        least = max(SILENCE_LEAST_US, PAUSE_TIMES * int(np.median(np.diff(attempts.send_begin_us[rows]))))
        long = pause_us >= least
        begins.append(busy_until[long])
        ends.append(attempts.send_begin_us[rows][1:][long])
        whose.append(np.full(int(long.sum()), place))
    begin_us, end_us, producer = (np.concatenate(parts) for parts in (begins, ends, whose))
    order = np.argsort(begin_us, kind="stable")
    return HiddenWaits(begin_us[order], end_us[order], producer[order])


def with_absences(
    attempts: TraceAttempts, broker: int, waits: HiddenWaits, silent: Sequence[FoundFault]
) -> list[FoundFault]:
    """The silences of a broker, and with them the troubles that only missing answers show."""
    rows = attempts.of_broker(broker)
    begin_us, end_us = attempts.begin_us[rows], np.sort(attempts.end_us[rows])
    others = np.sort(np.delete(attempts.end_us, rows))
    edges = np.append(end_us, attempts.duration_us)
    found: list[FoundFault] = list(silent)
    for place in np.flatnonzero(np.diff(edges) >= ABSENCE_LEAST_US).tolist():
        last, following = int(edges[place]), int(edges[place + 1])
        since = max(last - RECENT_US, 0)
        recent = place + 1 - int(np.searchsorted(end_us, since))
        other_recent, other_now = (
            int(np.searchsorted(others, high) - np.searchsorted(others, low))
            for low, high in ((since, last), (last, following))
        )
        missing = recent * other_now / max(other_recent, 1)
        if missing < MISSING_LEAST or recent * (following - last) / max(last - since, 1) < MISSING_LEAST:
            continue
        later = begin_us[begin_us >= last]
        comes_back = int(later.min()) if len(later) else attempts.duration_us
        absent = _absence(attempts, broker, waits, (last, min(comes_back, following)), round(missing))
        if absent is not None:
            asked = int(begin_us[attempts.end_us[rows] <= last].max())
            unanswered_us = UNANSWERED * (last - since) // max(recent, 1)
            absent = _with_intervals(absent, (asked, last + unanswered_us), following, attempts)
        if absent is None or _is_end_of(silent, absent):
            continue
        inside = [one for one in silent if last < one.until_us <= following + 1]
        if inside:
            found = [one for one in found if one not in inside]
            end = inside[-1]
            absent = replace(absent, until_us=end.until_us, until_range_us=end.until_range_us)
        found.append(absent)
    return found


def _is_end_of(silent: Sequence[FoundFault], absent: FoundFault) -> bool:
    # A silence that has just ended explains the waits, and why the broker is avoided.
    short = absent.until_range_us[0] - absent.at_us < SILENCE_LEAST_US
    return short and any(0 <= absent.at_us - one.until_us < SILENCE_LEAST_US for one in silent)


def _absence(
    attempts: TraceAttempts, broker: int, waits: HiddenWaits, gap: tuple[int, int], missing: int
) -> FoundFault | None:
    last, comes_back = gap
    in_gap = (waits.begin_us >= last - NEAR_US) & (waits.begin_us < comes_back) & (waits.end_us > last)
    length_us = waits.end_us - waits.begin_us
    is_hang = bool((in_gap & (length_us >= SILENCE_LEAST_US)).any())
    # Short delays have many causes: they count where the answers stop, and long waits wherever they begin.
    met = in_gap & (length_us >= SILENCE_LEAST_US) if is_hang else in_gap & (waits.begin_us <= last + NEAR_US)
    who = len(np.unique(waits.producer[met]))
    if not who or (not is_hang and who < 2) or int(waits.begin_us[met].min()) > last + NEAR_US:
        return None  # it left without a trouble
    begin = max(last, min(int(waits.begin_us[met].min()), comes_back))
    earliest = max(min(int(waits.end_us[met].max()), comes_back), begin)
    # Only those that waited from the beginning on are sure to have met it.
    first = met & (waits.begin_us <= last + NEAR_US)
    seen = max(min(int(waits.end_us[first].max()), comes_back), begin)
    longer = earliest + (earliest - begin) // LONGER_PART if is_hang else begin + RESTART_US
    longest = f"{int(length_us[met].max()) / 1e6:.3f}"
    return FoundFault(
        broker=attempts.brokers[broker],
        kind=HANG if is_hang else KILL,
        at_us=begin,
        until_us=max(min(longer, (earliest + comes_back) // 2), begin),
        at_range_us=(last, begin),
        until_range_us=(min(seen, earliest), max(comes_back, earliest)),
        sure="likely" if who > 1 else "possible",
        evidence=EvidenceTexts.MISSING_ANSWERS(missing=missing, producers=who, longest=longest),
        has_open_end=True,
    )


def _with_intervals(
    absent: FoundFault, begins_us: tuple[int, int], following_us: int, attempts: TraceAttempts
) -> FoundFault:
    """The same with 95 % intervals: it began before answers were missing that could not be by chance."""
    slack_us = attempts.slack_us
    low, high = max(begins_us[0] - slack_us, 0), max(begins_us[1], absent.at_range_us[1])
    earliest, latest = absent.until_range_us
    # What waited may have been held behind others for a while when it was over.
    earliest = max(min(earliest - SILENCE_LEAST_US, absent.until_us), low)
    latest = min(max(latest, following_us) + slack_us, attempts.duration_us)
    return replace(absent, at_range_us=(min(low, absent.at_us), high), until_range_us=(earliest, latest))
