"""The client memory of a cell: where every view, queue list and fault table lies, and what is in it at the start."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from simulator.client import memory as at
from simulator.client.blocks import fill_faults, fill_penalty, fill_queues, fill_view, fill_writes
from simulator.client.queue_list import MASTER_ID, queue_list, write_queues
from simulator.client.releases import Client
from simulator.engine import layout
from simulator.engine.layout import Ints
from simulator.plan import ClientMemory
from simulator.pool_plan import pools_of
from simulator.randomness import CLIENT_COUNTER, CLIENT_FAULT_TABLE, FIRST_NAME_SERVER, POLL_PHASE, drawn, hash4
from simulator.route_plan import RoutePlan
from simulator.scenario import Scenario

FIRST_POLL_US = 10_000  # after the start of a producer
POOL_STREAM = 1 << 40  # streams of the threads of pools, beyond those of sender threads
POOL_STREAM_SIZE = 1 << 12


@dataclass(frozen=True)
class Thread:
    """One sender thread of the run: its number, its producer's, its own within the producer, its group."""

    stream: int
    producer: int
    number: int
    group: int


def signed(word: object) -> int:
    """The int64 with the bits of a uint64."""
    return int(np.uint64(word).astype(np.int64))  # type: ignore[arg-type]


class MemoryPlan:
    """Lays the client memory of one cell out and fills it."""

    def __init__(self, scenario: Scenario, client: Client, threads: Sequence[Thread], routes: RoutePlan) -> None:
        self.brokers = {name: number for number, name in enumerate(scenario.brokers)}
        self.routes = routes
        self.scenario, self.client, self.threads = scenario, client, threads
        self.producers = sorted({thread.producer for thread in threads})
        self.topics = len(scenario.topics)
        self.listed = [
            [(self.brokers[broker], queue_id) for broker, queue_id in queue_list(route)] for route in routes.versions
        ]
        groups = {thread.producer: thread.group for thread in threads}
        self.pools = pools_of(scenario, client, [groups[producer] for producer in self.producers], len(threads))
        counts = np.bincount([thread.producer - self.producers[0] for thread in threads])
        self.pool_threads = [
            Thread(POOL_STREAM + producer * POOL_STREAM_SIZE + k, producer, int(own) + k, groups[producer])
            for producer, own, pool in zip(self.producers, counts, self.pools, strict=True)
            for k in range(pool.size)
        ]
        self.first = [self._first_version(t) for t in range(self.topics)]
        settings = scenario.client
        self.latency_max = settings.latency_max_ms or client.latency_max_ms
        self.durations = settings.not_available_duration_ms or client.not_available_duration_ms

    def _first_version(self, topic: int) -> int:
        """What producers know of a topic at the start, layout.NOT_EXISTING for nothing."""
        if topic in self.routes.auto:
            return layout.NOT_EXISTING
        return max([layout.NOT_EXISTING, *(timelines[topic][0][1] for timelines in self.routes.timelines)])

    def _rooms(self) -> tuple[list[int], list[int]]:
        """Queues that the block of each version, and of each topic's own list, must have room for."""
        rooms = [len(listed) for listed in self.listed]
        own = [0] * self.topics
        for t, first in self.routes.auto.items():
            each = self._auto_queues(t)
            for created in range(1, len(self.routes.auto_brokers[t]) + 1):
                rooms[first + created] = created * each
            own[t] = len(self.listed[first])
        for timelines in self.routes.timelines:
            for t, timeline in enumerate(timelines):
                own[t] = max([own[t], *(rooms[version] for _, version in timeline if version >= 0)])
        return rooms, own

    def _auto_queues(self, topic: int) -> int:
        first = self.routes.auto[topic]
        return len(self.listed[first]) // max(len(self.routes.auto_brokers[topic]), 1)

    def build(self) -> ClientMemory:
        """The filled memory. A list that the release rewrites is each producer's own, else all share one."""
        brokers, topics = len(self.brokers), self.topics
        rooms, own_rooms = self._rooms()
        own_lists = self.client.rewrites_queue_list
        sizes = [at.queues_size(room) for room in rooms]
        own_sizes = [at.queues_size(room) for room in own_rooms]
        views = [*self.threads, *self.pool_threads]
        queues = len(views) * topics * at.VIEW_SIZE
        nothing = queues + sum(sizes)
        own_at = nothing + at.queues_size(0)
        writes = own_at + (len(self.producers) * sum(own_sizes) if own_lists else 0)
        no_writes = writes + len(rooms) * brokers * at.WRITE_SIZE
        penalty = no_writes + brokers * at.WRITE_SIZE
        faults = at.whole_lines(penalty + at.penalty_size(len(self.durations)))
        fault_size = at.faults_size(brokers)
        cells = np.zeros(faults + len(self.producers) * fault_size, np.int64)
        queues_at = [queues + int(before) for before in np.cumsum([0, *sizes])[:-1]]
        writes_at = [writes + v * brokers * at.WRITE_SIZE for v in range(len(rooms))]
        for v, route in enumerate(self.routes.versions):
            fill_queues(cells, queues_at[v], self.listed[v])
            known = {self.brokers[name]: entry for name, entry in write_queues(route).items()}
            fill_writes(cells, writes_at[v], brokers, known)
        fill_writes(cells, no_writes, brokers, {})
        fill_penalty(cells, penalty, self.latency_max, self.durations)
        seed = self.scenario.seed
        for p, producer in enumerate(self.producers):
            fill_faults(
                cells, faults + p * fault_size, list(self.brokers), penalty=penalty, shuffles=self.client.shuffles,
                random=signed(hash4(seed, CLIENT_FAULT_TABLE, producer, 0)),
                start=self.scenario.client.which_item_worst_start,
            )  # fmt: skip
        for th, thread in enumerate(views):
            own = thread.producer - self.producers[0]
            for t in range(topics):
                version = self.first[t]
                shared = queues_at[version] if version >= 0 else nothing
                mine = own_at + own * sum(own_sizes) + sum(own_sizes[:t])
                if own_lists and thread.number == 0 and version >= 0:
                    fill_queues(cells, mine, self.listed[version])
                fill_view(
                    cells, (th * topics + t) * at.VIEW_SIZE, queues=mine if own_lists else shared,
                    writes=writes_at[version] if version >= 0 else no_writes, faults=faults + own * fault_size,
                    random=signed(hash4(seed, CLIENT_COUNTER, thread.stream, t)),
                    start=self.scenario.client.send_which_queue_start,
                )  # fmt: skip
        self.versions = np.array(list(zip(queues_at, writes_at, strict=True)), np.int64).reshape(-1)
        return ClientMemory(cells, 0, faults, fault_size)

    def masters(self) -> Ints:
        """int64[versions * brokers]: 1 where a version names the broker's master."""
        found = np.zeros((len(self.routes.versions), len(self.brokers)), np.int64)
        for v, route in enumerate(self.routes.versions):
            found[v, [self.brokers[name] for name, ids in route.broker_ids.items() if MASTER_ID in ids]] = 1
        for t, first in self.routes.auto.items():
            found[first : first + len(self.routes.auto_brokers[t]) + 1] = found[first]
        return found

    def has_master(self, broker: str) -> bool:
        """Whether any route names a master of that broker."""
        auto = any(broker in names for names in self.routes.auto_brokers.values())
        return auto or any(MASTER_ID in route.broker_ids.get(broker, ()) for route in self.routes.versions)

    def in_route(self) -> Ints:
        """int64[topics, brokers]: 1 where the topic has a queue on the broker at any time."""
        found = np.zeros((self.topics, len(self.brokers)), np.int64)
        for timelines in self.routes.timelines:
            for t, timeline in enumerate(timelines):
                for _, version in timeline:
                    if version >= 0:
                        found[t, [broker for broker, _ in self.listed[version]]] = 1
        return found

    def auto_topics(self) -> Ints:
        """Region AUTO_TOPICS."""
        found = np.full((self.topics, layout.AUTO_SIZE), layout.NOT_EXISTING, np.int64)
        for t, first in self.routes.auto.items():
            found[t] = first, self._auto_queues(t)
        return found.reshape(-1)

    def route_times(self) -> Ints:
        """Region ROUTE_TIMES."""
        timelines = [timeline for own in self.routes.timelines for timeline in own]
        counts = [len(timeline) for timeline in timelines]
        first = len(timelines) * layout.ROUTE_PLACE_SIZE
        places = [(first + sum(counts[:i]) * layout.ROUTE_ROW_SIZE, count) for i, count in enumerate(counts)]
        rows = [row for timeline in timelines for row in timeline]
        return np.array([*places, *rows], np.int64).reshape(-1)

    def pollers(self) -> Ints:
        """Region POLLERS."""
        client, seed = self.scenario.client, self.scenario.seed
        period_us = client.poll_name_server_interval_ms * 1000
        phases = [
            FIRST_POLL_US % period_us
            if client.poll_phase == "aligned"
            else drawn(seed, POLL_PHASE, producer, period_us)
            for producer in self.producers
        ]
        order = sorted(range(len(phases)), key=lambda p: (phases[p], p))
        counts = np.bincount([thread.producer - self.producers[0] for thread in self.threads])
        firsts = np.cumsum(counts) - counts
        rows = [(int(firsts[p]), int(counts[p]), order[p], phases[order[p]]) for p in range(len(self.producers))]
        return np.array(rows, np.int64).reshape(-1)

    def producer_routes(self) -> Ints:
        """Region PRODUCER_ROUTES at the start; empty if no route changes."""
        if not self.routes.changes:
            return np.empty(0, np.int64)
        count, seed = self.scenario.name_servers.count, self.scenario.seed
        rows = [(drawn(seed, FIRST_NAME_SERVER, producer, count), *self.first) for producer in self.producers]
        return np.array(rows, np.int64).reshape(-1)
