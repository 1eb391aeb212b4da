"""What is measured of a group's retries, recorded or simulated: deliveries by retry, how late each comes, dead letters.

The n-th retry is counted from the beginning of the delivery before it, which failed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from simulator.consumer.rules.delay_levels import dead_letter_topic
from simulator.run.simulate import Result
from streaming.proof.consumers.consumer_recording import CONSUMER, ConsumerRecording
from streaming.proof.consumers.group_figures import GroupFigure

MS_US, SECOND_MS = 1000, 1000


@dataclass(frozen=True)
class RetriesSeen:
    """Deliveries as (message, reconsumeTimes, ms of its beginning), and how many messages were given up."""

    deliveries: Sequence[tuple[str, int, int]]
    dead_letters: int


def retries_in(recording: ConsumerRecording, group: str) -> RetriesSeen:
    """The retries of a recorded group; its dead letters are what another group reads of their topic."""
    rows = recording.rows("consume")
    own = _of(rows, recording.groups[group])
    readers = [
        who
        for who, client in recording.about["clients"].items()
        if client.get("program") == CONSUMER and client.get("topic") == dead_letter_topic(group)
    ]
    times = pc.cast(own["c"], pa.int64()).to_pylist()
    seen = zip(own["key"].to_pylist(), times, own["time_ms"].to_pylist(), strict=True)
    return RetriesSeen(list(seen), _of(rows, readers).num_rows)


def _of(rows: pa.Table, clients: Sequence[str]) -> pa.Table:
    return rows.filter(pc.is_in(rows["who"], pa.array(clients, pa.string())))


def retries_in_run(result: Result, group: str) -> RetriesSeen:
    """The retries of a group of a run that put out `consumed`."""
    rows = result.tables["consumed"]
    rows = rows.filter(pc.equal(pc.cast(rows["consumer_group"], pa.string()), group))
    names = [
        f"{sender}/{seq}" for sender, seq in zip(*(rows[n].to_pylist() for n in ("sender", "send_seq")), strict=True)
    ]
    begins = (rows["begin_us"].to_numpy() // MS_US).tolist()
    dead = int(np.sum(pc.equal(pc.cast(rows["result"], pa.string()), "dead letter").to_numpy(zero_copy_only=False)))
    return RetriesSeen(list(zip(names, rows["reconsume_times"].to_pylist(), begins, strict=True)), dead)


def retry_figures(seen: RetriesSeen) -> Iterator[GroupFigure]:
    """Every figure of the retries."""
    begins: dict[tuple[str, int], int] = {}
    for message, times, begin_ms in seen.deliveries:
        begins.setdefault((message, times), begin_ms)
    for nth in range(1, max((times for _, times in begins), default=0) + 1):
        waits = sorted(
            begin_ms - begins[message, times - 1]
            for (message, times), begin_ms in begins.items()
            if times == nth and (message, times - 1) in begins
        )
        yield GroupFigure(f"retry {nth}: deliveries", sum(times == nth for _, times in begins), "messages")
        for percent in (50, 99):
            at = min(len(waits) - 1, len(waits) * percent // 100)
            yield GroupFigure(f"retry {nth}: after, p{percent}", waits[at] / SECOND_MS, "s")
    yield GroupFigure("dead letters", seen.dead_letters, "messages")
