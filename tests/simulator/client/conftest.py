"""A producer of any release on a small cluster, for tests of single rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pytest

from simulator.client import memory
from simulator.client.message_queue import broker_of, queue_id_of
from simulator.client.releases import client_of
from simulator.plan.client_blocks import fill_faults, fill_penalty, fill_queues, fill_view, fill_writes

Queue = tuple[str, int]


class Producer:
    """One thread of one producer with one topic; `queues` by broker, `start`: the counter's first random."""

    def __init__(
        self,
        release: str,
        queues: Mapping[str, int],
        start: int = 0,
        foreign: Sequence[str] = (),
        read_only: Sequence[str] = (),
    ) -> None:
        self.client = client_of(release)
        self.names = [*queues, *foreign]
        count = len(self.names)
        listed = [(b, q) for b, name in enumerate(queues) if name not in read_only for q in range(queues[name])]
        self.queues = memory.VIEW_SIZE
        writes = self.queues + memory.queues_size(len(listed))
        penalty = writes + count * memory.WRITE_SIZE
        steps = self.client.latency_max_ms
        self.faults = penalty + memory.penalty_size(len(steps), count)
        self.m = m = np.zeros(self.faults + memory.faults_size(count), np.int64)
        fill_view(m, 0, queues=self.queues, writes=writes, faults=self.faults, random=start)
        fill_queues(m, self.queues, listed)
        nums = {b: (queues[name], name not in read_only) for b, name in enumerate(queues)}
        fill_writes(m, writes, count, nums)
        fill_penalty(m, penalty, steps, self.client.not_available_duration_ms, self.names)
        fill_faults(m, self.faults, self.names, penalty=penalty, shuffles=False, random=0)

    def select(self, now: int = 0, last: str | None = None, on: bool = True, reset: int = 0) -> Queue:
        choose = self.client.select_on if on else self.client.select_off
        queue = choose(self.m, 0, now, -1 if last is None else self.names.index(last), reset)
        return self.names[broker_of(queue)], int(queue_id_of(queue))

    def update(self, name: str, latency: int = 0, isolate: int = 0, reachable: int = 1, now: int = 0) -> int:
        broker = self.names.index(name)
        return int(self.client.update(self.m, self.faults, now, broker, latency, isolate, reachable))

    def isolate(self, *names: str, reachable: int = 1) -> None:
        for name in names:
            self.update(name, isolate=1, reachable=reachable)

    def item(self, name: str, cell: int) -> int:
        return int(self.m[self.faults + memory.ITEM_LIST + self.names.index(name) * memory.ITEM_SIZE + cell])

    @property
    def known(self) -> list[str]:
        first = memory.listing(self.faults, len(self.names))
        return [self.names[broker] for broker in self.m[first : first + self.m[self.faults + memory.ITEM_COUNT]]]

    @property
    def listed(self) -> list[Queue]:
        first = self.queues + memory.QUEUE_LIST
        cells = self.m[first : first + 2 * self.m[self.queues + memory.QUEUE_COUNT]].tolist()
        return [(self.names[broker], queue_id) for broker, queue_id in zip(cells[::2], cells[1::2], strict=True)]

    @property
    def counter(self) -> int:
        return int(self.m[memory.SEND_WHICH_QUEUE])

    @property
    def reason(self) -> int:
        return int(self.m[memory.PICK_REASON])

    @property
    def swallowed(self) -> int:
        return int(self.m[memory.SWALLOWED])


@pytest.fixture
def producer() -> Callable[..., Producer]:
    return Producer
