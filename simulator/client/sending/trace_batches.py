"""How many trace messages a client sends, of contexts that come by a Poisson process.

A client with message trace puts a context of each send into a queue, and a thread of its AsyncTraceDispatcher makes
messages of them: up to 4.9.3 of what comes with gaps below 5 ms, at most 100; up to 5.3.0 of what came in 500 ms,
looked at every 100 ms; later of traceMsgBatchNum contexts, or of those of 5 s.
Source: rocketmq 4.4.0-5.3.3, AsyncTraceDispatcher.
"""

from __future__ import annotations

import math

CONTEXT_BYTES = 200  # of a send, as TraceDataEncoder writes it
GAP_S, GAP_CONTEXTS = 0.005, 100
LOOK_S, HELD_S = 0.1, 0.5
BATCH_CONTEXTS, BATCH_HELD_S = 10, 5.0


def batches_by_gaps(contexts_per_s: float) -> float:
    """Trace messages a second up to 4.9.3: one ends with a gap of 5 ms, or with the hundredth context."""
    ends = math.exp(-contexts_per_s * GAP_S)
    if ends == 0.0:
        return contexts_per_s / GAP_CONTEXTS
    return contexts_per_s * ends / -math.expm1(GAP_CONTEXTS * math.log1p(-ends))


def batches_by_time(contexts_per_s: float) -> float:
    """The same from 4.9.4 to 5.3.0: one ends at the first look 500 ms or more after its first context."""
    return 1 / (HELD_S + LOOK_S / -math.expm1(-contexts_per_s * LOOK_S))


def batches_by_count(contexts_per_s: float) -> float:
    """The same from 5.3.1 on: one holds ten contexts, or those of 5 s."""
    return max(contexts_per_s / BATCH_CONTEXTS, -math.expm1(-contexts_per_s * BATCH_HELD_S) / BATCH_HELD_S)
