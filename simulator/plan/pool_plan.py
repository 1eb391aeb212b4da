"""The threads that a client has of its own, and where their views of the topics lie."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from simulator.client.releases import Client
from simulator.client.sending.async_admission import CALLBACK_THREADS, CALLERS_THREAD
from simulator.compiled.records import Array
from simulator.plan.threads import Threads, counted
from simulator.scenario import Scenario

POOL_STREAM = 1 << 40  # streams of the threads of pools, beyond those of sender threads
POOL_STREAM_SIZE = 1 << 12


@dataclass(frozen=True)
class Pools:
    """The pools of every producer: rows of views, as its Producer has them; int64[producers], `threads` of all."""

    sender_views: Array
    callback_views: Array
    threads: int
    first: Array
    size: Array


def pools_of(scenario: Scenario, client: Client, groups: Array, first_row: int) -> Pools:
    """The pool of every producer of a cell, given its group; rows from `first_row` on.

    As many threads as processors run callbacks, and as many send: none of their own in 4.2.0, the same in 4.3.x.
    """
    threads = scenario.client.async_sender_threads
    shared = client.sending_threads in (CALLERS_THREAD, CALLBACK_THREADS)
    most = threads if shared else 2 * threads
    size = np.array([most if group.mode == "async" else 0 for group in scenario.producers], np.int64)[groups]
    row = first_row + np.cumsum(size) - size
    return Pools(row, row if shared else row + threads, threads, row, size)


def pool_threads(pools: Pools, producers: Array, groups: Array, own_threads: Array) -> Threads:
    """The threads of the pools; they are numbered after the producer's own."""
    within = counted(pools.size)
    producer, group, first = (np.repeat(values, pools.size) for values in (producers, groups, own_threads))
    return Threads(POOL_STREAM + producer * POOL_STREAM_SIZE + within, producer, first + within, group)
