"""A clock that is put ahead is no hang of the broker whose answer was under way; one that blocks its senders is."""

from __future__ import annotations

import random

import numpy as np
import pytest

from simulator.calibrate.attempts import TraceAttempts
from simulator.calibrate.silences import silences
from simulator.codes import SEND_OK

SECOND, JUMP_US = 1_000_000, 150_000_000


def attempts(rows, producers):
    begin, latency, producer, broker = (np.array(column, np.int64) for column in zip(*sorted(rows), strict=True))
    same = {
        name: np.full(len(rows), value, np.int64)
        for name, value in (("thread", -1), ("topic", 0), ("code", -1), ("asked", 1), ("queue", -1), ("body_bytes", -1))
    }
    return TraceAttempts(
        begin_us=begin, end_us=begin + latency, producer=producer, broker=broker, send_begin_us=begin,
        message=np.arange(len(rows)), outcome=np.full(len(rows), SEND_OK, np.int64),
        producers=tuple(f"p{n}" for n in range(producers)), topics=("orders",), brokers=("a", "b", "c"),
        duration_us=int((begin + latency).max()) + SECOND, **same,
    )  # fmt: skip


def sent(at_step, producers=24, per_s=1.5):
    """Attempts of 300 s; `at_step` gives the moment and latency that the log has, and how long the sender is busy."""
    draw, rows = random.Random(7), [(*at_step(JUMP_US - 2_000, 5_000, 1)[:2], 0, 1)]
    for producer in range(producers):
        at_us = draw.randrange(SECOND)
        while at_us < 300 * SECOND:
            latency_us, broker = 1000 * draw.randint(1, 9), draw.randrange(3)
            shown_us, took_us, busy_us = at_step(at_us, latency_us, broker)
            rows.append((shown_us, took_us, producer, broker))
            at_us += busy_us + round(draw.expovariate(per_s) * SECOND)
    return attempts(rows, producers)


def found(own):
    return [(finding.broker, finding.kind) for broker in range(3) for finding in silences(own, broker)]


@pytest.mark.parametrize("step_us", [5 * SECOND, 30 * SECOND, 600 * SECOND])
def test_a_clock_that_is_put_ahead_is_no_hang(step_us):
    def shown(at_us, latency_us, broker):
        crosses = at_us < JUMP_US <= at_us + latency_us
        return at_us + step_us * (at_us >= JUMP_US), latency_us + step_us * crosses, latency_us

    own = sent(shown)
    assert (own.end_us - own.begin_us).max() > step_us  # one was under way
    assert found(own) == []


@pytest.mark.parametrize("length_us", [5 * SECOND, 30 * SECOND])
def test_a_hang_of_a_broker_remains_one(length_us):
    def shown(at_us, latency_us, broker):
        hangs = broker == 1 and JUMP_US <= at_us < JUMP_US + length_us
        took_us = latency_us + (JUMP_US + length_us - at_us) * hangs
        return at_us, took_us, took_us

    assert found(sent(shown)) == [("b", "hang")]
