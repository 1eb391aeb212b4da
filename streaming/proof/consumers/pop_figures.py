"""What is measured of a POP group, recorded or simulated: what each instance had, what came again, and when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import pyarrow.compute as pc

from simulator.run.simulate import Result
from streaming.proof.consumers.consumer_recording import ConsumerRecording
from streaming.proof.consumers.group_figures import GroupFigure
from streaming.proof.consumers.group_seen import NOT_STORED

MS_US, SECOND_MS = 1000, 1000
POP_TABLES = ("consumed", "sends")


@dataclass(frozen=True)
class PopDelivery:
    """A message at the listener of an instance; times in ms, `times`: its reconsumeTimes."""

    message: str
    instance: str
    begin_ms: int
    born_ms: int
    stored_ms: int
    times: int


@dataclass(frozen=True)
class PopSeen:
    """The deliveries of a group by time, and how many messages were stored."""

    deliveries: Sequence[PopDelivery]
    stored: int


def pops_in(recording: ConsumerRecording, group: str) -> PopSeen:
    """The deliveries of a recorded group."""
    own = recording.groups[group]
    topic = recording.client(own[0])["topic"]
    rows = [row for row in recording.rows("consume").to_pylist() if row["who"] in own]
    sent = [row for row in recording.rows("send").to_pylist() if recording.client(row["who"]).get("topic") == topic]
    return PopSeen(
        [
            PopDelivery(row["key"], row["who"], row["time_ms"], int(row["a"]), int(row["b"]), int(row["c"]))
            for row in rows
        ],
        sum(row["c"] not in NOT_STORED for row in sent),
    )


def pops_in_run(result: Result, group: str, names: Mapping[str, str]) -> PopSeen:
    """The deliveries of a group of a run that put out POP_TABLES; `names`: what its instances are called instead."""
    rows = result.tables["consumed"]
    rows = rows.filter(pc.equal(pc.cast(rows["consumer_group"], "string"), group)).sort_by("begin_us").to_pylist()
    return PopSeen(
        [
            PopDelivery(
                f"{row['sender']}/{row['send_seq']}",
                names.get(row["instance"], row["instance"]),
                row["begin_us"] // MS_US,
                row["arrival_us"] // MS_US,
                row["stored_us"] // MS_US,
                row["reconsume_times"],
            )
            for row in rows
        ],
        pc.sum(result.tables["sends"]["copies_stored"]).as_py() or 0,
    )


def pop_figures(seen: PopSeen) -> Iterator[GroupFigure]:
    """Every figure of a POP group."""
    handled = {one.message for one in seen.deliveries}
    yield GroupFigure("consumed twice", len(seen.deliveries) - len(handled), "messages")
    yield GroupFigure("not consumed by the end", seen.stored - len(handled), "messages")
    again = sorted(one.begin_ms - one.born_ms for one in seen.deliveries if one.times == 1)
    yield GroupFigure("come again", len(again), "messages")
    if again:
        yield GroupFigure("come again after, median", again[len(again) // 2] / SECOND_MS, "s")
        yield GroupFigure("come again after, longest", again[-1] / SECOND_MS, "s")
    waited = sorted(one.begin_ms - one.stored_ms for one in seen.deliveries if one.times == 0)
    for percent in (50, 99) if waited else ():
        value = waited[min(len(waited) - 1, len(waited) * percent // 100)] / SECOND_MS
        yield GroupFigure(f"stored until consumed, p{percent}", value, "s")
    shares = Counter(one.instance for one in seen.deliveries)
    for instance in sorted(shares):
        yield GroupFigure(f"consumed by {instance}", shares[instance], "messages")
