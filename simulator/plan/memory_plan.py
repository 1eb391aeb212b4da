"""The client memory of a cell: where every view, queue list and fault table lies, and what is in it at the start."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from simulator.client import memory as at
from simulator.client.releases import Client
from simulator.client.routes.queue_list import MASTER_ID, queue_list, write_queues
from simulator.engine import layout
from simulator.engine.layout import Ints
from simulator.engine.network.route_polls import FIRST_POLL_US
from simulator.plan.client_blocks import fill_faults, fill_penalty, fill_queues, fill_view, fill_writes
from simulator.plan.pool_plan import pools_of
from simulator.plan.route_plan import RoutePlan
from simulator.plan.run_plan import ClientMemory
from simulator.randomness import CLIENT_COUNTER, CLIENT_FAULT_TABLE, FIRST_NAME_SERVER, POLL_PHASE, drawn, hash4
from simulator.scenario import Scenario

POOL_STREAM = 1 << 40  # streams of the threads of pools, beyond those of sender threads
POOL_STREAM_SIZE = 1 << 12
NOTICED_AFTER_MS = 5_000  # at most, by which an attempt can end after its time-out: two scans of asynchronous ones


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


class _Places:
    """Offsets of blocks that follow each other."""

    def __init__(self) -> None:
        self.taken = 0

    def take(self, size: int) -> int:
        """Where a block of that size lies."""
        self.taken += size
        return self.taken - size

    def take_lines(self, size: int) -> int:
        """The same from the begin of a line of the processor's caches on."""
        self.taken = at.whole_lines(self.taken)
        return self.take(size)


def _table(places: _Places, rows: int, size: int) -> list[int]:
    return [places.take(size) for _ in range(rows)]


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
        """What producers know of a topic at the start: a version, or layout.NOT_ASKED or NOTHING_KNOWN."""
        if topic in self.routes.defaults:
            return layout.NOT_ASKED
        version = max(timelines[topic][0][1] for timelines in self.routes.timelines)
        return version if version >= 0 else layout.NOTHING_KNOWN

    def _own_rooms(self) -> list[int]:
        """Queues that each topic's own lists must have room for, 0 for those of which every producer shares one."""
        own = [0] * self.topics
        for t in range(self.topics):
            if self.owns_queues(t):
                known = {version for timelines in self.routes.timelines for _, version in timelines[t] if version >= 0}
                known |= set(self.routes.defaults.get(t, {}).values())
                own[t] = max((len(self.listed[version]) for version in known), default=0)
        return own

    def owns_queues(self, topic: int) -> bool:
        """Whether each producer has its own queue list: it rewrites it, or its polls find more and more brokers."""
        return self.client.rewrites_queue_list or topic in self.routes.defaults

    @cached_property
    def held(self) -> int:
        """Route objects that may have been replaced while one send was under way, of any topic."""
        if not self.routes.changes:
            return 0
        client = self.scenario.client
        retries = max(client.retry_times_when_send_failed, client.retry_times_when_send_async_failed)
        longest_ms = (1 + retries) * (client.send_msg_timeout_ms + client.connect_timeout_ms + NOTICED_AFTER_MS)
        polls = longest_ms // client.poll_name_server_interval_ms + 1
        return max(min(polls, max(map(self.routes.changes_at_most, range(self.topics)))), 1)

    def build(self) -> ClientMemory:
        """The filled memory. A list that the release rewrites is each producer's own, else all share one."""
        brokers, topics, producers, held = len(self.brokers), self.topics, len(self.producers), self.held
        views, places = [*self.threads, *self.pool_threads], _Places()
        places.take(len(views) * topics * at.VIEW_SIZE)
        queues_at = [places.take(at.queues_size(len(listed))) for listed in self.listed]
        nothing = places.take(at.queues_size(0))
        own_sizes = [at.queues_size(room) if self.owns_queues(t) else 0 for t, room in enumerate(self._own_rooms())]
        own_at = _table(places, producers, (1 + held) * sum(own_sizes))
        writes_size = brokers * at.WRITE_SIZE
        writes_at = [places.take(writes_size) for _ in self.listed]
        no_writes = places.take(writes_size)
        created_at = _table(places, producers, (1 + held) * len(self.routes.defaults) * writes_size)
        penalty = places.take(at.penalty_size(len(self.durations), brokers))
        fault_size = at.faults_size(brokers)
        faults = places.take_lines(producers * fault_size)
        self.holds = places.take(producers * topics * at.hold_size(held) if held else 0)
        self.held_views = places.take_lines(len(views) * topics * held * at.VIEW_SIZE)
        cells = np.zeros(places.taken, np.int64)
        for v, route in enumerate(self.routes.versions):
            fill_queues(cells, queues_at[v], self.listed[v])
            known = {self.brokers[name]: entry for name, entry in write_queues(route).items()}
            fill_writes(cells, writes_at[v], brokers, known)
        fill_writes(cells, no_writes, brokers, {})
        fill_penalty(cells, penalty, self.latency_max, self.durations, list(self.brokers))
        seed = self.scenario.seed
        for p, producer in enumerate(self.producers):
            fill_faults(
                cells, faults + p * fault_size, list(self.brokers), penalty=penalty, shuffles=self.client.shuffles,
                random=signed(hash4(seed, CLIENT_FAULT_TABLE, producer, 0)),
                start=self.scenario.client.which_item_worst_start,
            )  # fmt: skip
        created = {t: n for n, t in enumerate(self.routes.defaults)}
        for th, thread in enumerate(views):
            own = thread.producer - self.producers[0]
            for t in range(topics):
                version = self.first[t]
                for generation in range(1 + held):  # the first is what is known now
                    queues, writes = nothing, no_writes
                    if version >= 0:
                        queues, writes = queues_at[version], writes_at[version]
                    if self.owns_queues(t):
                        queues = own_at[own] + generation * sum(own_sizes) + sum(own_sizes[:t])
                    if t in created:
                        writes = created_at[own] + (generation * len(created) + created[t]) * writes_size
                    if thread.number == 0 and generation == 0 and self.owns_queues(t) and version >= 0:
                        fill_queues(cells, queues, self.listed[version])
                    if thread.number == 0 and t in created:
                        fill_writes(cells, writes, brokers, {})
                    view = th * topics + t
                    place = self.held_views + (view * held + generation - 1) * at.VIEW_SIZE
                    fill_view(
                        cells, place if generation else view * at.VIEW_SIZE, queues=queues, writes=writes,
                        faults=faults + own * fault_size, random=signed(hash4(seed, CLIENT_COUNTER, thread.stream, t)),
                        start=self.scenario.client.send_which_queue_start,
                    )  # fmt: skip
        defaults = {version: of for own in self.routes.defaults.values() for version, of in own.items()}
        defaults |= {of: of for of in defaults.values()}
        self.versions = np.array(
            [(queues_at[v], writes_at[v], defaults.get(v, -1)) for v in range(len(self.listed))], np.int64
        ).reshape(-1)
        return ClientMemory(cells, 0, faults, fault_size)

    def masters(self) -> Ints:
        """int64[versions, brokers]: layout.NAMED_MASTER, NAMED_SLAVES or NOT_NAMED."""
        found = np.full((len(self.routes.versions), len(self.brokers)), layout.NOT_NAMED, np.int64)
        for v, route in enumerate(self.routes.versions):
            for name, ids in route.broker_ids.items():
                found[v, self.brokers[name]] = layout.NAMED_MASTER if MASTER_ID in ids else layout.NAMED_SLAVES
        return found

    def has_master(self, broker: str) -> bool:
        """Whether any route names a master of that broker."""
        return any(MASTER_ID in route.broker_ids.get(broker, ()) for route in self.routes.versions)

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
        rows = [(t in self.routes.defaults, self.owns_queues(t)) for t in range(self.topics)]
        return np.array(rows, np.int64).reshape(-1)

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
