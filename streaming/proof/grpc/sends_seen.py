"""The messages of one gRPC producer, of a recording or of a simulated run."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc

from simulator.run.simulate import Result
from streaming.proof.consumers.consumer_recording import ConsumerRecording

Column = npt.NDArray[Any]
NOT_SENT = "NOTSENT"  # the recorder had no thread for it


@dataclass(frozen=True)
class SendsSeen:
    """One entry a message, by begin: when the call began, how long it took, in ms, whether it failed, its broker.

    Which broker a recorded message went to is known in local mode alone.
    """

    begin_ms: Column
    took_ms: Column
    is_failed: Column
    broker: Column

    def between(self, from_ms: float, until_ms: float) -> SendsSeen:
        """Those that begin between two moments."""
        own = (self.begin_ms >= from_ms) & (self.begin_ms < until_ms)
        return SendsSeen(self.begin_ms[own], self.took_ms[own], self.is_failed[own], self.broker[own])

    def first_at(self, broker: str, from_ms: float) -> float:
        """When the first message begins that goes to a broker after a moment, ms; infinite if none does."""
        begins = self.begin_ms[(self.broker == broker) & ~self.is_failed & (self.begin_ms >= from_ms)]
        return float(begins[0]) if len(begins) else math.inf

    def took_part(self, least_s: float, below_s: float) -> float:
        """Per cent of them that did not fail and took at least, and less than, so many seconds."""
        own = ~self.is_failed & (self.took_ms >= least_s * 1000) & (self.took_ms < below_s * 1000)
        return 100.0 * float(own.mean()) if len(own) else 0.0


def sends_recorded(recording: ConsumerRecording, who: str) -> SendsSeen:
    """The messages of a recorded producer."""
    rows = recording.rows("send")
    rows = rows.filter(pc.and_(pc.equal(rows["who"], who), pc.not_equal(rows["c"], NOT_SENT)))
    took = rows["b"].cast("float64").to_numpy()
    is_failed = np.asarray(rows["c"].to_pylist()) != "SEND_OK"
    brokers = np.array([str(broker) for broker in rows["queue"].to_pylist()])
    return SendsSeen(rows["time_ms"].to_numpy(), took, is_failed, brokers)


def sends_simulated(run: Result, group: str) -> SendsSeen:
    """The messages of a group of a simulated run, which has one producer."""
    own = run.column("sends", "producer_group") == group
    begin, end = (run.column("sends", name)[own] / 1000 for name in ("begin_us", "end_us"))
    order = np.argsort(begin, kind="stable")
    is_failed, brokers = run.column("sends", "result")[own] != "SEND_OK", run.column("sends", "broker")[own]
    return SendsSeen(begin[order], (end - begin)[order], is_failed[order], brokers[order])
