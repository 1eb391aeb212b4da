"""Attempts made by hand: one broker answers every 10 ms in 1 ms, unless a story says otherwise."""

from __future__ import annotations

import numpy as np

from simulator import codes
from simulator.calibrate.attempts import TraceAttempts

MS = 1_000
OK, TIMEOUT, REFUSED, CUT = codes.SEND_OK, codes.RESPONSE_TIMEOUT, codes.CONNECT_REFUSED, codes.SEND_FAILURE
BUSY = codes.BROKER_ERROR

Row = tuple[int, int, int, int]  # begin and length in ms, producer, outcome


def ordinary(until_ms: int, begin_ms: int = 0, producers: int = 4) -> list[Row]:
    """Attempts that are answered in 1 ms."""
    return [(at, 1, at // 10 % producers, OK) for at in range(begin_ms, until_ms, 10)]


def attempts_of(rows: list[Row], duration_ms: int = 20_000, **more: object) -> TraceAttempts:
    """The attempts, in the order of their begin; all on one broker unless `broker` says otherwise."""
    at = np.array(sorted(rows), np.int64).reshape(-1, 4)
    count = len(at)
    filled = dict.fromkeys(("thread", "code", "queue", "body_bytes"), np.full(count, -1))
    filled |= dict.fromkeys(("topic", "broker"), np.zeros(count, np.int64))
    said = {
        "begin_us": at[:, 0] * MS, "end_us": (at[:, 0] + at[:, 1]) * MS, "producer": at[:, 2], "outcome": at[:, 3],
        "message": np.arange(count), "asked": np.ones(count, np.int64), "send_begin_us": at[:, 0] * MS,
        "producers": tuple(f"p{number}" for number in range(int(at[:, 2].max(initial=0)) + 1)),
        "topics": ("orders",), "brokers": ("broker-a",), "duration_us": duration_ms * MS,
    }  # fmt: skip
    return TraceAttempts(**(filled | said | more))
