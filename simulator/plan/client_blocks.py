"""Fill the blocks of `memory` from plain values, before a simulation runs; not hot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from simulator.client import memory
from simulator.client.faults.hash_order import spread

Cells = np.ndarray


def fill_view(
    m: Cells, view: int, *, queues: int, writes: int, faults: int, random: int, start: int | None = None
) -> None:
    """A counter on those three blocks that was never used and draws from `random` (any int64), or stands at `start`."""
    m[view : view + memory.VIEW_SIZE] = 0
    if start is not None:
        m[view + memory.SEND_WHICH_QUEUE], m[view + memory.SEEDED] = start, 1
    m[view + memory.RANDOM] = random
    m[view + memory.QUEUES] = queues
    m[view + memory.WRITES] = writes
    m[view + memory.FAULTS] = faults


def fill_queues(m: Cells, queues: int, listed: Iterable[tuple[int, int]]) -> None:
    """A queue list of (broker, queue id)."""
    flat = [cell for queue in listed for cell in queue]
    m[queues + memory.QUEUE_COUNT] = len(flat) // memory.QUEUE_SIZE
    m[queues + memory.MUTATED] = 0
    m[queues + memory.QUEUE_LIST : queues + memory.QUEUE_LIST + len(flat)] = flat


def fill_writes(m: Cells, writes: int, brokers: int, nums: Mapping[int, tuple[int, bool]]) -> None:
    """Write queues and permission by broker, of the brokers that the topic's route names."""
    for broker in range(brokers):
        at = writes + broker * memory.WRITE_SIZE
        m[at + memory.WRITE_QUEUE_NUMS], m[at + memory.WRITE_PERM] = nums.get(broker, (-1, False))


def fill_faults(
    m: Cells,
    faults: int,
    broker_names: Sequence[str],
    *,
    penalty: int,
    shuffles: bool,
    random: int,
    start: int | None = None,
) -> None:
    """An empty fault table for those brokers, its counter drawing from `random` (any int64), or standing at `start`."""
    m[faults : faults + memory.faults_size(len(broker_names))] = 0
    if start is not None:
        m[faults + memory.WHICH_ITEM_WORST], m[faults + memory.WORST_SEEDED] = start, 1
    m[faults + memory.WORST_RANDOM] = random
    m[faults + memory.BROKER_COUNT] = len(broker_names)
    m[faults + memory.PENALTY] = penalty
    m[faults + memory.SHUFFLES] = shuffles


def fill_penalty(
    m: Cells, penalty: int, latency_max_ms: Sequence[int], duration_ms: Sequence[int], broker_names: Sequence[str]
) -> None:
    """The penalty table and the hashes of the brokers' names. Raises ValueError if its two columns differ in length."""
    if len(latency_max_ms) != len(duration_ms):
        raise ValueError(f"{len(latency_max_ms)} latencyMax, but {len(duration_ms)} notAvailableDuration")
    m[penalty + memory.PENALTY_STEPS] = len(duration_ms)
    table = [*latency_max_ms, *duration_ms, *map(spread, broker_names)]
    m[penalty + memory.PENALTY_TABLE : penalty + memory.PENALTY_TABLE + len(table)] = table
