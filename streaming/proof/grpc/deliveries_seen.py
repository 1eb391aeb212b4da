"""The deliveries to one group of gRPC consumers, of a recording or of a simulated run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from simulator.run.simulate import Result
from streaming.proof.consumers.consumer_recording import ConsumerRecording
from streaming.proof.consumers.group_seen import RETRY

Column = npt.NDArray[Any]


@dataclass(frozen=True)
class DeliveriesSeen:
    """One entry a delivery, by begin: when it begins and when its message was sent, in ms, its number, its broker.

    Of a recorded group that is not in order queue and offset are not kept.
    """

    begin_ms: Column
    sent_ms: Column
    attempt: Column
    broker: Column
    queue: Column
    offset: Column

    def of(self, brokers: set[str]) -> Column:
        """When messages of some brokers are delivered for the first time, ms."""
        begins: Column = self.begin_ms[np.isin(self.broker, list(brokers)) & (self.attempt == 1)]
        return begins

    @property
    def again_ms(self) -> Column:
        """How long after it was sent each message comes for the second time."""
        second = self.attempt == 2
        waits: Column = (self.begin_ms - self.sent_ms)[second]
        return waits


def deliveries_recorded(recording: ConsumerRecording, group: str) -> DeliveriesSeen:
    """The deliveries to a recorded group."""
    members = [who for who, client in recording.about["clients"].items() if client.get("group") == group]
    rows = recording.rows("consume")
    rows = rows.filter(pc.is_in(rows["who"], pa.array(members, pa.string())))
    queues = [str(queue).removeprefix(RETRY) for queue in rows["queue"].to_pylist()]
    return DeliveriesSeen(
        rows["time_ms"].to_numpy().astype(float),
        rows["a"].cast("float64").to_numpy(),
        rows["c"].cast("int64").to_numpy(),
        np.array([queue.partition(":")[0] for queue in queues]),
        np.array(queues),
        rows["offset"].fill_null(-1).to_numpy(),
    )


def deliveries_simulated(run: Result, group: str) -> DeliveriesSeen:
    """The deliveries to a group of a simulated run that have ended."""
    own = run.column("consumed", "consumer_group") == group
    begin, sent, times = (run.column("consumed", name)[own] for name in ("begin_us", "arrival_us", "reconsume_times"))
    broker, queue, offset = (run.column("consumed", name)[own] for name in ("broker", "queue_id", "queue_offset"))
    order = np.argsort(begin, kind="stable")
    return DeliveriesSeen(
        begin[order] / 1000,
        sent[order] / 1000,
        times[order] + 1,
        broker[order],
        np.array([f"{one}:{number}" for one, number in zip(broker[order], queue[order], strict=True)]),
        offset[order],
    )
