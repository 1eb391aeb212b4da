"""The threads of producers, those that send and those of their clients' pools, and where the views of these lie.

A place each in arrays: a hundred thousand producers are no hundred thousand objects.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from simulator.client.sending.async_admission import CALLBACK_THREADS, CALLERS_THREAD
from simulator.compiled.records import Array
from simulator.releases.producer_release import Client
from simulator.scenario import Scenario

POOL_STREAM = 1 << 40  # streams of the threads of pools, beyond those of sender threads
POOL_STREAM_SIZE = 1 << 12


@dataclass(frozen=True)
class Threads:
    """Threads, ordered by producer; all int64[threads].

    stream: number in the whole run, the key of its randomness; producer: number of its producer; number: its own among
    those of the producer; group: number of its group of producers.
    """

    stream: Array
    producer: Array
    number: Array
    group: Array

    def __len__(self) -> int:
        return len(self.stream)

    def of_producers(self, first: int, until: int) -> Threads:
        """Those of producers [first, until)."""
        begin, end = np.searchsorted(self.producer, (first, until))
        return Threads(*(getattr(self, field.name)[begin:end] for field in fields(self)))

    def and_those(self, other: Threads) -> Threads:
        """These, then the others."""
        return Threads(*(np.append(getattr(self, f.name), getattr(other, f.name)) for f in fields(self)))


def counted(counts: Array) -> Array:
    """0 up to each of the counts, one after the other: int64[sum of them]."""
    return np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)


def sender_threads(scenario: Scenario) -> Threads:
    """The sender threads of a whole run."""
    group = np.repeat(np.arange(len(scenario.producers)), [own.count for own in scenario.producers])
    threads = np.array([own.threads for own in scenario.producers], np.int64)[group]
    return Threads(
        stream=np.arange(threads.sum()),
        producer=np.repeat(np.arange(len(group)), threads),
        number=counted(threads),
        group=np.repeat(group, threads),
    )


@dataclass(frozen=True)
class Pools:
    """The pools of every producer: rows of views, as its Producer has them; all int64[producers]."""

    sender_views: Array
    callback_views: Array
    threads: Array
    first: Array
    size: Array


def pools_of(scenario: Scenario, clients: Sequence[Client], groups: Array, first_row: int) -> Pools:
    """The pool of every producer of a cell, given its group; rows from `first_row` on.

    As many threads as processors run callbacks, and as many send: none of their own in 4.2.0, the same in 4.3.x.
    """
    is_async = np.array([group.mode == "async" for group in scenario.producers])[groups]
    threads = np.array([client.async_sender_threads for client in scenario.clients], np.int64)[groups]
    shared = np.array([client.sending_threads in (CALLERS_THREAD, CALLBACK_THREADS) for client in clients])[groups]
    size = np.where(is_async, np.where(shared, threads, 2 * threads), 0)
    row = first_row + np.cumsum(size) - size
    return Pools(row, np.where(shared, row, row + threads), threads, row, size)


def pool_threads(pools: Pools, producers: Array, groups: Array, own_threads: Array) -> Threads:
    """The threads of the pools; they are numbered after the producer's own."""
    within = counted(pools.size)
    producer, group, first = (np.repeat(values, pools.size) for values in (producers, groups, own_threads))
    return Threads(POOL_STREAM + producer * POOL_STREAM_SIZE + within, producer, first + within, group)
