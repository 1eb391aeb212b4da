"""What happened to the queues of one consumer group, recorded or simulated alike; times in ms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from streaming.proof.consumers.consumer_recording import ConsumerRecording

Numbers = npt.NDArray[np.int64]
RETRY = "R/"  # how queues of the group's retry topic begin
FIRST = ("", "0")  # reconsumeTimes of a first delivery
NOT_STORED = ("ERROR", "NOTSENT")


@dataclass(frozen=True)
class Stretch:
    """An instance held a queue."""

    queue: str
    instance: str
    from_ms: int
    until_ms: int


@dataclass(frozen=True)
class GroupSeen:
    """Consumptions and stored messages by time, queues by their place in `queues`; who held which queue when."""

    group: str
    release: str
    queues: Sequence[str]  # broker:id
    consumed_ms: Numbers
    consumed_queue: Numbers
    consumed_offset: Numbers
    stored_ms: Numbers  # of the consumed message
    appended_ms: Numbers
    held: Sequence[Stretch]
    end_ms: int

    @cached_property
    def is_first(self) -> npt.NDArray[np.bool_]:
        """Which consumptions are the first of their message."""
        key = self.consumed_queue << 40 | self.consumed_offset
        first = np.zeros(len(key), bool)
        first[np.unique(key, return_index=True)[1]] = True
        return first

    @cached_property
    def lag(self) -> tuple[Numbers, Numbers]:
        """(times, messages stored and not yet consumed from then on)."""
        times = np.concatenate([self.appended_ms, self.consumed_ms[self.is_first]])
        steps = np.concatenate([np.ones(len(self.appended_ms)), -np.ones(int(self.is_first.sum()))])
        order = np.argsort(times, kind="stable")
        return times[order], np.cumsum(steps[order]).astype(np.int64)

    def holders(self, queue: str, at_ms: int) -> list[str]:
        """Instances that held a queue at that moment."""
        return [one.instance for one in self.held if one.queue == queue and one.from_ms <= at_ms < one.until_ms]

    def consumptions_of(self, queue: str) -> Numbers:
        """Times of the consumptions of a queue's messages."""
        return np.sort(self.consumed_ms[self.consumed_queue == list(self.queues).index(queue)])


def seen_in(recording: ConsumerRecording, group: str) -> GroupSeen:
    """What a recording shows of one of its groups. Raises KeyError for a group that it does not have."""
    instances = recording.groups[group]
    topic = recording.client(instances[0])["topic"]
    consumed = _own_queues(_of(recording.rows("consume"), instances))
    consumed = consumed.filter(pc.is_in(consumed["c"], pa.array(FIRST)))  # others came through the retry topic
    producers = [who for who, client in recording.about["clients"].items() if client.get("topic") == topic]
    sent = _of(recording.rows("send"), [who for who in producers if who not in instances])
    sent = _own_queues(sent.filter(pc.invert(pc.is_in(sent["c"], pa.array(NOT_STORED)))))
    held = _held(recording, instances)
    queues = sorted({one.queue for one in held} | set(pc.unique(consumed["queue"]).to_pylist()))
    stored = pa.table(
        {
            "queue": pa.concat_arrays([*consumed["queue"].chunks, *sent["queue"].chunks]),
            "offset": pa.concat_arrays([*consumed["offset"].chunks, *sent["offset"].chunks]),
            "at": np.concatenate([_ints(consumed["b"]), _ints(sent["time_ms"]) + _ints(sent["b"])]),
        }
    )
    appended = stored.group_by(["queue", "offset"]).aggregate([("at", "min")])  # as the broker says, where it does
    return GroupSeen(
        group=group,
        release=str(recording.client(instances[0])["release"]),
        queues=queues,
        consumed_ms=_ints(consumed["time_ms"]),
        consumed_queue=_places(consumed["queue"], queues),
        consumed_offset=_ints(consumed["offset"]),
        stored_ms=_ints(consumed["b"]),
        appended_ms=_ints(appended["at_min"]),
        held=held,
        end_ms=recording.end_ms,
    )


def _of(rows: pa.Table, clients: Sequence[str]) -> pa.Table:
    return rows.filter(pc.is_in(rows["who"], pa.array(clients, pa.string())))


def _own_queues(rows: pa.Table) -> pa.Table:
    """Without the retry topic and without what has no queue."""
    named = pc.and_(pc.is_valid(rows["offset"]), pc.invert(pc.starts_with(rows["queue"], RETRY)))
    return rows.filter(named).combine_chunks()


def _ints(column: pa.ChunkedArray) -> Numbers:
    numbers: Numbers = pc.cast(column, pa.int64()).to_numpy()
    return numbers


def _places(column: pa.ChunkedArray, queues: Sequence[str]) -> Numbers:
    return np.asarray(pc.index_in(column, pa.array(queues, pa.string())).fill_null(-1).to_numpy(), np.int64)


def _held(recording: ConsumerRecording, instances: Sequence[str]) -> list[Stretch]:
    """Stretches in which instances held queues; a killed process holds nothing from then on."""
    dead = {one.target: one.at_ms for one in recording.actions if one.kind == "kill9"}
    since: dict[tuple[str, str], int] = {}
    held: list[Stretch] = []
    for row in _of(recording.rows("own", "reown", "release"), instances).to_pylist():
        key = (row["queue"], row["who"])
        if row["queue"].startswith(RETRY):
            continue
        if row["event"] != "release":
            since.setdefault(key, row["time_ms"])
        elif key in since:
            held.append(Stretch(*key, since.pop(key), row["time_ms"]))
    ends = {key: min(recording.end_ms, dead.get(key[1], recording.end_ms)) for key in since}
    return held + [Stretch(*key, begin, ends[key]) for key, begin in since.items()]
