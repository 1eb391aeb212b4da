"""A trace made by hand: two brokers, one of which hangs, and is slower in its second half."""

from __future__ import annotations

from functools import cache

import numpy as np

from simulator import codes
from simulator.calibrate.attempts import TraceAttempts
from simulator.counterfactual.calibrated_trace import CalibratedTrace, calibrated_trace
from tests.simulator.calibrate.made import MS

CLIENT = {"release": "4.9.8", "send_latency_fault_enable": True, "send_msg_timeout": "3s"}
SECONDS, HANG_S = 20, 8
GAP_MS = 20  # of each of four producers


def attempts(tried_after_s: int | None = None) -> TraceAttempts:
    """Attempts turn by turn on two brokers; `b` hangs from 8 s on, its requests time out, then nobody tries it.

    From `tried_after_s` on it is tried, and answers in 5 ms instead of 1 ms.
    """
    rows = []
    for producer in range(4):
        at, turn = producer * 5, producer
        while at < SECONDS * 1000:
            hangs = at >= HANG_S * 1000
            back = tried_after_s is not None and at >= tried_after_s * 1000
            broker = turn % 2 if not hangs or back else 0
            long, outcome = (5 if back and broker else 1), codes.SEND_OK
            if hangs and not back and at < HANG_S * 1000 + GAP_MS:
                broker, long, outcome = 1, 3_000, codes.RESPONSE_TIMEOUT
            rows.append((at, long, producer, outcome, broker, turn % 4))
            at, turn = at + max(long, GAP_MS), turn + 1
    return _made(rows)


def _made(rows: list[tuple[int, ...]]) -> TraceAttempts:
    begin, took, producer, outcome, broker, queue = np.array(sorted(rows), np.int64).T
    count, unknown = len(begin), np.full(len(begin), -1)
    return TraceAttempts(
        begin_us=begin * MS, end_us=(begin + took) * MS, producer=producer, thread=np.zeros(count, np.int64),
        topic=np.zeros(count, np.int64), broker=broker, message=np.arange(count), outcome=outcome, code=unknown,
        asked=np.ones(count, np.int64), send_begin_us=begin * MS, queue=queue, body_bytes=unknown,
        producers=("p0", "p1", "p2", "p3"), topics=("orders",), brokers=("broker-a", "broker-b"),
        duration_us=SECONDS * 1_000_000,
    )  # fmt: skip


@cache
def made_trace(tried_after_s: int | None = None) -> CalibratedTrace:
    """That trace, fitted."""
    return calibrated_trace(attempts(tried_after_s), CLIENT, "sync", "made")
