"""Whether a clock moved where a broker seems to be silent: nobody began anything, not even who waited for nobody.

A request that is under way while its machine's clock is put ahead looks as if it took the whole step, and so does one
under way while the machine stands still. In a hang of a broker those that do not wait for it go on sending.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from simulator.calibrate.attempts import Ints, TraceAttempts

STEP_LEAST_US = 1_000_000
EXPECTED_LEAST = 20  # attempts that would have begun: that none does by chance is one in 500 million
PART_LEAST = 0.8  # of the silence in which nothing began


def is_clock_step(attempts: TraceAttempts, begin_us: int, until_us: int) -> bool:
    """Whether in nearly all of a silence nobody began an attempt, although those who were free would have."""
    first, last = np.searchsorted(attempts.begin_us, (begin_us, until_us), side="right")
    moments = np.concatenate(([begin_us], attempts.begin_us[first:last], [until_us]))
    apart = np.diff(moments)
    place = int(apart.argmax())
    gap_us = int(apart[place])
    if gap_us < STEP_LEAST_US or gap_us < PART_LEAST * (until_us - begin_us):
        return False
    middle_us = int(moments[place]) + gap_us // 2
    share = _free_share(attempts, middle_us)
    usual = np.bincount(attempts.producer, minlength=len(attempts.producers)) / max(attempts.duration_us, 1)
    return float((usual * share).sum()) * gap_us >= EXPECTED_LEAST


def _free_share(attempts: TraceAttempts, at_us: int) -> npt.NDArray[np.float64]:
    """By producer: which part of the attempts that it ever has under way at once it had not at a moment."""
    count = len(attempts.producers)
    under_way = np.bincount(
        attempts.producer[(attempts.begin_us <= at_us) & (attempts.end_us > at_us)], minlength=count
    )
    share: npt.NDArray[np.float64] = (under_way == 0).astype(np.float64)
    for producer in np.flatnonzero(under_way).tolist():
        share[producer] = 1 - min(under_way[producer] / _most_at_once(attempts, producer), 1.0)
    return share


def _most_at_once(attempts: TraceAttempts, producer: int) -> int:
    own = attempts.producer == producer
    begins: Ints = np.sort(attempts.begin_us[own])
    ended = np.searchsorted(np.sort(attempts.end_us[own]), begins, side="right")
    return int((np.arange(1, len(begins) + 1) - ended).max())
