"""The threads that a client has of its own, and where their views of the topics lie."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from simulator.client.releases import Client
from simulator.client.sending.async_admission import CALLBACK_THREADS, CALLERS_THREAD
from simulator.scenario import Scenario


class Pool(NamedTuple):
    """The threads of one producer: rows of views, as its Producer has them."""

    sender_views: int
    callback_views: int
    threads: int
    first: int
    size: int


def pools_of(scenario: Scenario, client: Client, groups: Sequence[int], first_row: int) -> list[Pool]:
    """The pool of every producer of a cell, given its group; rows from `first_row` on.

    As many threads as processors run callbacks, and as many send: none of their own in 4.2.0, the same in 4.3.x.
    """
    threads = scenario.client.async_sender_threads
    shared = client.sending_threads in (CALLERS_THREAD, CALLBACK_THREADS)
    pools, row = [], first_row
    for group in groups:
        size = 0
        if scenario.producers[group].mode == "async":
            size = threads if shared else 2 * threads
        pools.append(Pool(row, row if shared else row + threads, threads, row, size))
        row += size
    return pools
