"""Periods in which a broker answered sends with an error code, or stored them with a status other than SEND_OK.

They are periods of sending, as those of a scenario are: what waits through a hang and is then answered with an error
was sent while it hung.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from simulator import codes
from simulator.calibrate.attempts import Ints, TraceAttempts
from simulator.calibrate.calibrate_texts import EvidenceTexts
from simulator.calibrate.found_fault import BUSY, STATUS, FoundFault, seconds
from simulator.calibrate.ordinary_waits import BY_CHANCE

APART_US = 1_000_000  # answers of one kind that are further apart belong to two periods
NEAR_US = 100_000  # a period reaches half the way to the next answer of another kind, at most this far
SHARE_LEAST = 0.5  # ... and so do those between which most answers are of another kind

CODE_NAMES = {number: name for name, number in codes.RESPONSE_CODES.items()}
STATUS_NAMES = {number: name for name, number in codes.SEND_STATUS_CODES.items()}


def error_answers(attempts: TraceAttempts, broker: int) -> Iterator[FoundFault]:
    """Periods of one code or status of a broker each, in the order of codes, then of time."""
    rows = attempts.of_broker(broker)
    rows = rows[attempts.answered[rows]]
    for outcome, kind, names in (
        (codes.BROKER_ERROR, BUSY, CODE_NAMES),
        (codes.SEND_STATUS, STATUS, STATUS_NAMES),
    ):
        of_kind = attempts.outcome[rows] == outcome
        for code in np.unique(attempts.code[rows[of_kind]]).tolist():
            places = np.flatnonzero(of_kind & (attempts.code[rows] == code))
            begin_us, end_us = attempts.begin_us[rows], attempts.end_us[rows]
            for first, last, number in _periods(begin_us, places):
                own = rows[first : last + 1]
                begin, end = int(begin_us[first]), int(begin_us[last])
                before = int(begin_us[first - 1]) if first else 0
                after = int(begin_us[last + 1]) if last + 1 < len(rows) else attempts.duration_us
                at, until = _intervals(begin_us, end_us, places[(first <= places) & (places <= last)], attempts)
                ends = attempts.end_us[own[attempts.code[own] == code]]
                text = EvidenceTexts.ANSWERS(
                    count=number, answers=len(own), producers=len(np.unique(attempts.producer[own])),
                    name=names.get(code, code), first=seconds(int(ends.min())), last=seconds(int(ends.max())),
                )  # fmt: skip
                sure = "certain" if number >= 3 and number == len(own) else "likely"
                yield FoundFault(
                    attempts.brokers[broker], kind, max((before + begin) // 2, begin - NEAR_US),
                    min((end + after) // 2, end + NEAR_US),
                    at, until, sure, text, code,
                )  # fmt: skip


def _intervals(
    begin_us: Ints, end_us: Ints, places: Ints, attempts: TraceAttempts
) -> tuple[tuple[int, int], tuple[int, int]]:
    """95 % intervals of begin and end: an answer is given between the begin and the end of its request.

    Where only a part of the answers is of the kind, as many others in a row beside the period may belong to it.
    """
    first, last = int(places[0]), int(places[-1])
    part = len(places) / (last - first + 1)
    others = 1 if part == 1 else 1 + int(np.log(BY_CHANCE) / np.log(1 - part))
    slack_us = attempts.slack_us
    before, after = first - others, last + others
    earliest = int(begin_us[before]) - slack_us if before >= 0 else 0
    latest = int(end_us[places].min()) + slack_us
    over = int(end_us[after:].min()) + slack_us if after < len(begin_us) else attempts.duration_us
    seen = int(begin_us[last]) - slack_us
    return (max(min(earliest, latest), 0), latest), (seen, max(min(over, attempts.duration_us), seen))


def _periods(begin_us: Ints, places: Ints) -> Iterator[tuple[int, int, int]]:
    """First and last place and number of the answers of one kind in each period."""
    first = 0
    for i in range(1, len(places) + 1):
        if i < len(places):
            # Where nothing else was answered in between, nothing says that it was over.
            near = places[i] == places[i - 1] + 1 or begin_us[places[i]] - begin_us[places[i - 1]] <= APART_US
            mostly = (i + 1 - first) >= SHARE_LEAST * (places[i] - places[first] + 1)
            if near and mostly:
                continue
        yield int(places[first]), int(places[i - 1]), i - first
        first = i
