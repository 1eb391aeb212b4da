"""How many trace messages a client sends, of what it traces by a Poisson process.

A client with message trace puts contexts into a queue, one of each send, one before and one after each consumption. A
thread of its AsyncTraceDispatcher makes messages of them. Up to 4.9.3 one is of what comes with gaps below 5 ms, at
most 100; up to 5.3.0 of what came in 500 ms, looked at every 100 ms. Later one is of traceMsgBatchNum contexts, or of
those of 5 s. But for 4.9.4 to 5.3.0 each topic has messages of its own.
Source: rocketmq 4.4.0-5.3.3, AsyncTraceDispatcher, SendMessageTraceHookImpl, ConsumeMessageTraceHookImpl.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from simulator.kernel.latency import Table, mean_us, share_above

CONTEXT_BYTES = 200  # of a send, as TraceDataEncoder writes it
CONSUMED_BYTES = 125  # of a consumption, the mean of before (some 130) and after (some 120)
GAP_S, GAP_CONTEXTS = 0.005, 100
LOOK_S, HELD_S = 0.1, 0.5
BATCH_CONTEXTS, BATCH_HELD_S = 10, 5.0


@dataclass(frozen=True)
class Traced:
    """What one process traces: `per_s` sends or consumptions a second, and what each topic has of them.

    `apart`: how long after its first context the second one of a consumption comes, as service times in microseconds
    and their shares; empty of sends, which have one.
    """

    per_s: float
    topics: Sequence[float] = (1.0,)
    apart: Sequence[tuple[float, Table]] = ()

    @property
    def topic_shares(self) -> list[float]:
        """The shares of the topics, 1 in all."""
        return [share / sum(self.topics) for share in self.topics]

    @property
    def contexts_per_s(self) -> float:
        """Contexts a second."""
        return self.per_s * (2 if self.apart else 1)

    def apart_by(self, least_s: float) -> float:
        """The share of them whose second context comes so long after the first, or later; 0 of sends."""
        least_us = round(least_s * 1e6)
        return sum(share * share_above(table, least_us - 1) for share, table in self.apart)

    def mean_apart_s(self, most_s: float) -> float:
        """The mean time between the two, where a longer one counts as that much; 0 of sends."""
        most_us = round(most_s * 1e6)
        return sum(share * mean_us(np.minimum(table, most_us)) for share, table in self.apart) / 1e6


def batches_by_gaps(traced: Traced) -> float:
    """Trace messages a second up to 4.9.3: one ends with a gap of 5 ms, or with the hundredth context."""
    per_s, contexts_per_s = traced.per_s, traced.contexts_per_s
    if not per_s:
        return 0.0
    nothing_comes = math.exp(-per_s * (GAP_S + traced.mean_apart_s(GAP_S)))
    alone_per_s = per_s * (1 + traced.apart_by(GAP_S))
    ends = nothing_comes * alone_per_s / contexts_per_s
    if ends == 0.0:
        found = contexts_per_s / GAP_CONTEXTS
    elif ends == 1.0:
        found = contexts_per_s
    else:
        found = contexts_per_s * ends / -math.expm1(GAP_CONTEXTS * math.log1p(-ends))
    drawn = alone_per_s / found  # how many there are in a message is geometric
    return found * sum(share * drawn / (1 + share * (drawn - 1)) for share in traced.topic_shares)


def batches_by_time(traced: Traced) -> float:
    """The same from 4.9.4 to 5.3.0: one ends at the first look 500 ms or more after its first context."""
    firsts_per_s = traced.per_s * (1 + traced.apart_by(HELD_S))
    return 1 / (HELD_S + LOOK_S / -math.expm1(-firsts_per_s * LOOK_S)) if firsts_per_s else 0.0


def batches_by_count(traced: Traced) -> float:
    """The same from 5.3.1 on: one holds ten contexts, or what is there 5 s after the last one, or comes then.

    A consumption that begins after 5 s without any has two: one at once, and one 5 s later with its second context.
    """
    contexts_per_s, apart = traced.contexts_per_s, traced.apart_by(BATCH_HELD_S)
    if not contexts_per_s:
        return 0.0
    firsts_per_s = traced.per_s * (1 + apart)
    nothing_comes = math.exp(-firsts_per_s * BATCH_HELD_S)
    has_second = 1 - apart if traced.apart else 0.0
    idle_s = nothing_comes / (firsts_per_s * (1 + nothing_comes * has_second))
    found = max(contexts_per_s / BATCH_CONTEXTS, 1 / (BATCH_HELD_S + idle_s))
    drawn = traced.per_s * (1 + traced.apart_by(min(BATCH_CONTEXTS / contexts_per_s, BATCH_HELD_S))) / found
    return found * sum(1 - (1 - share) ** max(drawn, 1.0) for share in traced.topic_shares)
