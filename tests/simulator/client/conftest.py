"""A producer of any release on a small cluster, for tests of single rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pytest

from simulator.client.faults.fault_item import FaultItem, FaultTable
from simulator.client.message_queue import broker_of, queue_id_of
from simulator.client.view import View
from simulator.compiled.records import size_of
from simulator.plan.clients import client_blocks as blocks
from simulator.releases.producer_release import client_of

Queue = tuple[str, int]


class Producer:
    """One thread of one producer with one topic; queues by broker, `start`: the counter's first random."""

    def __init__(
        self,
        release: str,
        queues_by_broker: Mapping[str, int],
        start: int = 0,
        foreign: Sequence[str] = (),
        read_only: Sequence[str] = (),
    ) -> None:
        self.client = client_of(release)
        self.names = [*queues_by_broker, *foreign]
        count = len(self.names)
        listed = [
            (b, q)
            for b, name in enumerate(queues_by_broker)
            if name not in read_only
            for q in range(queues_by_broker[name])
        ]
        queues = size_of(View)
        writes = queues + blocks.queues_size(len(listed))
        penalty = writes + blocks.writes_size(count)
        steps = list(zip(self.client.latency_max_ms, self.client.not_available_duration_ms, strict=True))
        faults = penalty + blocks.penalty_size(len(steps), count)
        memory = np.zeros(faults + blocks.faults_size(count), np.int64)
        blocks.fill_views(memory, 0, queues=queues, writes=writes, faults=faults, random=start)
        blocks.fill_queues(memory, queues, listed)
        nums = {b: (queues_of, name not in read_only) for b, (name, queues_of) in enumerate(queues_by_broker.items())}
        blocks.fill_writes(memory, writes, count, nums)
        blocks.fill_penalty(memory, penalty, steps, self.names, shuffles=False)
        blocks.fill_faults(memory, faults, count, penalty=penalty, random=0)
        self.view = View.at(memory)
        self.faults: FaultTable = self.view.faults

    def select(self, now: int = 0, last: str | None = None, on: bool = True, reset: int = 0) -> Queue:
        choose = self.client.select_on if on else self.client.select_off
        queue = choose(self.view, now, -1 if last is None else self.names.index(last), reset)
        return self.names[broker_of(queue)], int(queue_id_of(queue))

    def update(self, name: str, latency: int = 0, isolate: int = 0, reachable: int = 1, now: int = 0) -> int:
        broker = self.names.index(name)
        return int(self.client.update(self.faults, now, broker, latency, isolate, reachable))

    def isolate(self, *names: str, reachable: int = 1) -> None:
        for name in names:
            self.update(name, isolate=1, reachable=reachable)

    def item(self, name: str) -> FaultItem:
        return self.faults.items[self.names.index(name)]

    @property
    def known(self) -> list[str]:
        return [self.names[self.faults.items[place].listed] for place in range(self.faults.item_count)]

    @property
    def listed(self) -> list[Queue]:
        queues = self.view.queues
        entries = [queues.queues[place] for place in range(queues.count)]
        return [(self.names[entry.broker], int(entry.queue_id)) for entry in entries]

    @property
    def counter(self) -> int:
        return int(self.view.counter.value)

    @property
    def reason(self) -> int:
        return int(self.view.pick_reason)

    @property
    def swallowed(self) -> int:
        return int(self.view.swallowed)


@pytest.fixture
def producer() -> Callable[..., Producer]:
    return Producer
