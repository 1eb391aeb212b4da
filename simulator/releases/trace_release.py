"""The message trace of every release, each field with what releases change.

Source: rocketmq 4.4.0-5.3.3, AsyncTraceDispatcher.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from simulator.client.sending.trace_batches import Traced, batches_by_count, batches_by_gaps, batches_by_time
from simulator.releases.ledger import every_release, since


@dataclass(frozen=True, kw_only=True)
class TraceRelease:
    """The message trace of one release."""

    release: str

    # enableMsgTrace, later enableTrace
    has_trace: bool = since(False, {"4.4.0": True})
    # trace messages a second, of what a process traces
    batches: Callable[[Traced], float] = since(batches_by_gaps, {"4.9.4": batches_by_time, "5.3.1": batches_by_count})


TRACES: Mapping[str, TraceRelease] = every_release(TraceRelease)
