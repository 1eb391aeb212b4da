"""Fill the records of the client memory from plain values, before a simulation runs; not hot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from simulator.client.faults.fault_item import FaultItem, FaultTable, Penalty
from simulator.client.faults.hash_order import spread
from simulator.client.view import BrokerWrites, QueueEntry, QueueList, View, WriteTable
from simulator.compiled.records import LINE, Array, Cells, Record, size_of
from simulator.compiled.region_store import columns, refer


def whole_lines(cells: int) -> int:
    """That many cells, rounded up to whole lines."""
    return -(-cells // LINE) * LINE


def faults_size(brokers: int) -> int:
    """Cells of a fault table for a cluster of that many brokers, its items behind it."""
    return whole_lines(size_of(FaultTable) + brokers * size_of(FaultItem))


def queues_size(queues: int) -> int:
    """Cells of a queue list that can hold that many queues."""
    return size_of(QueueList) + queues * size_of(QueueEntry)


def writes_size(brokers: int) -> int:
    """Cells of a table of write queues for a cluster of that many brokers."""
    return size_of(WriteTable) + brokers * size_of(BrokerWrites)


def penalty_size(steps: int, brokers: int) -> int:
    """Cells of a penalty with that many steps for a cluster of that many brokers."""
    return size_of(Penalty) + 2 * steps + 2 * brokers


def fill_views(
    memory: Array, views: ArrayLike, *, queues: ArrayLike, writes: ArrayLike, faults: ArrayLike, random: ArrayLike,
    start: int | None = None,
) -> None:  # fmt: skip
    """Counters on those blocks that were never used and draw from `random` (any int64), or stand at `start`.

    `views` is a cell or one each; so are the blocks and `random`.
    """
    places = np.asarray(views, np.int64)
    memory[places[..., None] + np.arange(size_of(View))] = 0
    _fill_counters(memory, View, places, random, start)
    for name, blocks in (("queues", queues), ("writes", writes), ("faults", faults)):
        refer(memory, View, places, name, blocks)


def _fill_counters(
    memory: Array, record: type[Record], places: ArrayLike, random: ArrayLike, start: int | None
) -> None:
    column = columns(record)
    memory[np.add(places, column["counter.random"])] = random
    if start is not None:
        memory[np.add(places, column["counter.value"])] = start
        memory[np.add(places, column["counter.seeded"])] = 1


def fill_queues(memory: Array, queues: int, listed: Iterable[tuple[int, int]]) -> None:
    """A queue list of (broker, queue id)."""
    flat = [cell for queue in listed for cell in queue]
    filled = QueueList.at(memory, queues)
    filled.count, filled.mutated = len(flat) // size_of(QueueEntry), 0
    first = queues + size_of(QueueList)
    memory[first : first + len(flat)] = flat


def fill_writes(memory: Array, writes: int, brokers: int, nums: Mapping[int, tuple[int, bool]]) -> None:
    """Write queues and permission by broker, of the brokers that the topic's route names."""
    filled = WriteTable.at(memory, writes)
    filled.broker_count = brokers
    for broker in range(brokers):
        own = filled.brokers[broker]
        own.write_queue_nums, own.is_writeable = nums.get(broker, (-1, False))


def fill_faults(
    memory: Array, faults: ArrayLike, brokers: int, *, penalty: int, random: ArrayLike, start: int | None = None
) -> None:
    """Empty fault tables for that many brokers, their counters drawing from `random` (any int64), or at `start`.

    `faults` is a cell or one each; so is `random`. The memory must be zeros there.
    """
    places = np.asarray(faults, np.int64)
    _fill_counters(memory, FaultTable, places, random, start)
    refer(memory, FaultTable, places, "penalty", penalty)
    items = places[..., None] + size_of(FaultTable) + np.arange(brokers) * size_of(FaultItem)
    refer(memory, FaultItem, items, "penalty", penalty)


def fill_penalty(
    memory: Array, penalty: int, steps: Sequence[tuple[int, int]], broker_names: Sequence[str], *, shuffles: bool
) -> None:
    """The penalty of (latencyMax, notAvailableDuration) in ms and the hashes of the brokers' names."""
    filled = Penalty.at(memory, penalty)
    filled.broker_count, filled.shuffles, filled.step_count = len(broker_names), shuffles, len(steps)
    place = penalty + size_of(Penalty)
    latency_max_ms, duration_ms = zip(*steps, strict=True)
    regions = []
    for numbers in (latency_max_ms, duration_ms, [spread(name) for name in broker_names], [0] * len(broker_names)):
        memory[place : place + len(numbers)] = numbers
        regions.append(Cells.of(memory, place, len(numbers)))
        place += len(numbers)
    filled.latency_max_ms, filled.not_available_duration_ms, filled.spreads, filled.ranking = regions
