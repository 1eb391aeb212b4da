"""The benchmark's cluster with a consumer group as a SimPy model: what consumers are measured against.

A process for each queue that pulls for its owner, one for each consume thread, a store between them for each instance:
long polling, at most 32 messages a pull, at most 1,000 cached of a queue. Nobody joins or leaves.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any

import simpy

from tests.bench.peers.simpy_model import Model

PULL_BATCH, CACHED_MAX, FLOW_CONTROL_MS = 32, 1000, 50.0
LINK_MS, PULL_MS, READABLE_MS = 0.2, 0.1, 0.5


class Queue:
    """What is stored of a queue and not yet pulled, and its owner's puller."""

    def __init__(self, env: simpy.Environment, pool: simpy.Store) -> None:
        self.env, self.pool = env, pool
        self.stored: deque[float] = deque()
        self.cached = 0
        self.arrived = env.event()
        env.process(self.pulls())

    def append(self) -> None:
        """A message is stored."""
        self.stored.append(self.env.now)
        if not self.arrived.triggered:
            self.arrived.succeed()

    def pulls(self) -> Iterator[Any]:
        env = self.env
        while True:
            while self.cached > CACHED_MAX:
                yield env.timeout(FLOW_CONTROL_MS)
            yield env.timeout(LINK_MS)
            if self.stored:
                yield env.timeout(PULL_MS)
            else:
                self.arrived = env.event()
                yield self.arrived
                yield env.timeout(READABLE_MS)
            count = min(len(self.stored), PULL_BATCH)
            batch = [self.stored.popleft() for _ in range(count)]
            yield env.timeout(LINK_MS)
            self.cached += count
            for stored_ms in batch:
                self.pool.put((self, stored_ms))


class Reading:
    """A group: its instances' threads, and what they consumed."""

    def __init__(self, env: simpy.Environment, queues: int, instances: int, threads: int, service_ms: float) -> None:
        self.env, self.service_ms = env, service_ms
        self.consumed, self.took_ms = 0, 0.0
        pools = [simpy.Store(env) for _ in range(instances)]
        self.queues = [Queue(env, pools[number * instances // queues]) for number in range(queues)]
        for pool in pools:
            for _ in range(threads):
                env.process(self.thread(pool))

    def thread(self, pool: simpy.Store) -> Iterator[Any]:
        env = self.env
        while True:
            queue, stored_ms = yield pool.get()
            yield env.timeout(self.service_ms)
            queue.cached -= 1
            self.consumed += 1
            self.took_ms += env.now - stored_ms


class ConsumedModel(Model):
    """The cluster with one consumer group of one topic."""

    def __init__(self, scenario: Any, seed: int) -> None:
        super().__init__(scenario, seed)
        (group,) = scenario.consumers.values()
        ((name, _),) = scenario.topics.items()
        self.queues_a_broker = scenario.route(name)[0].write_queues
        count = len(scenario.brokers) * self.queues_a_broker
        self.reading = Reading(self.env, count, group.count, group.threads, group.service.constant_us / 1000)

    def stored(self, broker: int, queue_id: int) -> None:
        """A message is stored there."""
        self.reading.queues[broker * self.queues_a_broker + queue_id].append()
