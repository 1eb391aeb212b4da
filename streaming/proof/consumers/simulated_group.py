"""What a simulated run shows of one consumer group, in the form that a recording is measured in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from simulator.consumer.rules.delay_levels import RETRY_TOPIC_PREFIX
from simulator.run.simulate import Result
from streaming.proof.consumers.group_seen import GroupSeen, Numbers, Stretch

TABLES = ("consumed", "assignments", "stored")
MS_US = 1000


def seen_in_run(result: Result, group: str, names: Mapping[str, str] | None = None, begin_ms: int = 0) -> GroupSeen:
    """The group of a run that put out TABLES; `names`: what its instances are called instead.

    `begin_ms`: what the run's beginning is called.
    """
    consumed, assigned, stored = (_of_group(result.tables[name], group) for name in TABLES)
    order = np.argsort(_ints(consumed, "begin_us"), kind="stable")
    consumed = consumed.take(pa.array(order))
    queues = sorted(set(_queue_names(stored)))
    place = {queue: number for number, queue in enumerate(queues)}
    queue = np.array([place[name] for name in _queue_names(consumed)], np.int64)
    offset, stored_ms = _ints(consumed, "queue_offset"), _ints(consumed, "stored_us") // MS_US + begin_ms
    first = np.unique(queue << 40 | offset, return_index=True)[1]
    left_ms = np.array([*_not_consumed(stored, place, queue[first], offset[first])], np.int64)
    own = result.scenario.consumers[group].release or result.scenario.client.release
    return GroupSeen(
        group=group,
        release=own,
        queues=queues,
        consumed_ms=_ints(consumed, "begin_us") // MS_US + begin_ms,
        consumed_queue=queue,
        consumed_offset=offset,
        stored_ms=stored_ms,
        appended_ms=np.concatenate([stored_ms[first], left_ms + begin_ms]),
        held=_held(assigned, names or {}, begin_ms),
        end_ms=result.scenario.duration_us // MS_US + begin_ms,
    )


def _of_group(table: pa.Table, group: str) -> pa.Table:
    """Rows of the group, without those of its retry topic."""
    is_retry = pc.starts_with(pc.cast(table["topic"], pa.string()), RETRY_TOPIC_PREFIX)
    own = pc.equal(pc.cast(table["consumer_group"], pa.string()), group)
    return table.filter(pc.and_(own, pc.invert(is_retry))).combine_chunks()


def _ints(table: pa.Table, name: str) -> Numbers:
    numbers: Numbers = pc.cast(table[name], pa.int64()).to_numpy()
    return numbers


def _queue_names(table: pa.Table) -> list[str]:
    brokers = pc.cast(table["broker"], pa.string()).to_pylist()
    return [f"{broker}:{number}" for broker, number in zip(brokers, table["queue_id"].to_pylist(), strict=True)]


def _held(assigned: pa.Table, names: Mapping[str, str], begin_ms: int) -> list[Stretch]:
    found = []
    for queue, row in zip(_queue_names(assigned), assigned.to_pylist(), strict=True):
        from_ms, until_ms = row["from_us"] // MS_US + begin_ms, row["until_us"] // MS_US + begin_ms
        found.append(Stretch(queue, names.get(row["instance"], row["instance"]), from_ms, until_ms))
    return found


def _not_consumed(stored: pa.Table, place: dict[str, int], queues: Numbers, offsets: Numbers) -> Iterator[int]:
    """When what was never consumed was stored: the end of its window, ms."""
    known = set(zip(queues.tolist(), offsets.tolist(), strict=True))
    for name, row in zip(_queue_names(stored), stored.to_pylist(), strict=True):
        until_ms = (row["window_start_us"] + row["window_us"]) // MS_US
        for offset in range(row["max_offset"] - row["appended"], row["max_offset"]):
            if (place[name], offset) not in known:
                yield until_ms
