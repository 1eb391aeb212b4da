"""The client memory of a cell: where every view, queue list and fault table lies, and what is in it at the start."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from simulator.client.routes.queue_list import MASTER_ID, queue_list, write_queues
from simulator.client.view import QueueList, RouteVersion, View, WriteTable
from simulator.compiled.records import Array, size_of
from simulator.compiled.region_store import filled, line_zeros
from simulator.engine.memory import routes
from simulator.engine.memory.routes import AutoTopic, Delivery, Poller, RouteTimes
from simulator.engine.routes.addresses import CLEAN_PERIOD_US, FIRST_CLEAN_US
from simulator.engine.routes.route_polls import FIRST_POLL_US
from simulator.kernel.randomness import (
    CLIENT_COUNTER,
    CLIENT_FAULT_TABLE,
    CLIENT_START,
    FIRST_NAME_SERVER,
    POLL_PHASE,
    drawn_each,
    signed_words,
    words,
)
from simulator.plan.clients import client_blocks as blocks
from simulator.plan.route_plan import RoutePlan, client_of
from simulator.plan.run_plan import ClientMemory
from simulator.plan.thread_list import Threads, pool_threads, pools_of
from simulator.releases.producer_release import Client
from simulator.scenario import Scenario
from simulator.scenario.client_settings import ClientSettings

# Eight clients of one process that begin at once: their first routes come within 17 to 65 ms, and polls 30 s later
# within 38 to 84 ms of each other (14 live recordings).
STARTED_WITHIN_US = 50_000
NOTICED_AFTER_MS = 5_000  # at most, by which an attempt can end after its time-out: two scans of asynchronous ones


def started_before_us(client: ClientSettings, seed: int, producers: Array, period_us: int | Array) -> Array:
    """int64[producers]: up to a period of a timer; with poll_phase aligned within what starting some clients takes."""
    within_us = np.minimum(STARTED_WITHIN_US, period_us) if client.poll_phase == "aligned" else np.asarray(period_us)
    return (words(seed, CLIENT_START, producers) % within_us.astype(np.uint64)).astype(np.int64)


class _Places:
    """First cells of blocks that follow each other."""

    def __init__(self) -> None:
        self.taken = 0

    def take(self, size: int) -> int:
        """Where a block of that size lies."""
        self.taken += size
        return self.taken - size

    def take_many(self, sizes: Iterable[int]) -> list[int]:
        """The same of several."""
        return [self.take(size) for size in sizes]

    def take_alike(self, size: int, count: int) -> Array:
        """The same of so many of one size, int64[count]."""
        return self.take(size * count) + np.arange(count) * size

    def take_lines(self, size: int) -> int:
        """The same from the begin of a line of the processor's caches on."""
        self.taken = blocks.whole_lines(self.taken)
        return self.take(size)


@dataclass(frozen=True)
class _Blocks:
    """First cells of what lies in a client memory, and cells of blocks.

    queues, writes: of each version of a route, and no_queues, no_writes of none. own_queues, created_writes: of each
    producer, generation by generation those of all topics whose lists are its own, or that sends create. own_sizes: of
    each topic, 0 where all producers share a list.
    """

    views: int
    queues: list[int]
    no_queues: int
    own_queues: Array
    own_sizes: list[int]
    writes: list[int]
    no_writes: int
    created_writes: Array
    writes_size: int
    versions: int
    penalties: list[int]
    faults: int
    fault_size: int
    held_views: int
    size: int


class MemoryPlan:
    """Lays the client memory of one cell out and fills it."""

    def __init__(self, scenario: Scenario, clients: Sequence[Client], threads: Threads, route_plan: RoutePlan) -> None:
        self.brokers = {name: number for number, name in enumerate(scenario.brokers)}
        self.routes = route_plan
        self.scenario, self.clients, self.threads = scenario, clients, threads
        self.producers, first, self.thread_counts = np.unique(threads.producer, return_index=True, return_counts=True)
        self.topics = len(scenario.topics)
        lists = map(queue_list, route_plan.versions)
        self.listed = [[(self.brokers[broker], queue_id) for broker, queue_id in queues] for queues in lists]
        self.groups = threads.group[first]
        self.pools = pools_of(scenario, clients, self.groups, len(threads))
        self.all_threads = threads.and_those(pool_threads(self.pools, self.producers, self.groups, self.thread_counts))
        self.first = [self._first_version(t) for t in range(self.topics)]
        self.settings = scenario.clients
        self.penalties = [
            list(
                zip(
                    own.latency_max_ms or client.latency_max_ms,
                    own.not_available_duration_ms or client.not_available_duration_ms,
                    strict=True,
                )
            )
            for own, client in zip(self.settings, clients, strict=True)
        ]

    def _first_version(self, topic: int) -> int:
        """What producers know of a topic at the start: a version, or NOT_ASKED or NOTHING_KNOWN."""
        if topic in self.routes.defaults:
            return routes.NOT_ASKED
        version = max(timelines[topic][0][1] for timelines in self.routes.timelines)
        return version if version >= 0 else routes.NOTHING_KNOWN

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
        rewrites = any(client.rewrites_queue_list for client in self.clients)
        return rewrites or topic in self.routes.defaults

    @cached_property
    def held(self) -> int:
        """Route objects that may have been replaced while one send was under way, of any topic."""
        if not self.routes.changes:
            return 0
        longest_ms = 0
        for client in self.settings:
            retries = max(client.retry_times_when_send_failed, client.retry_times_when_send_async_failed)
            attempt_ms = client.send_msg_timeout_ms + client.connect_timeout_ms + NOTICED_AFTER_MS
            longest_ms = max(longest_ms, (1 + retries) * attempt_ms)
        polls = longest_ms // self.scenario.client.poll_name_server_interval_ms + 1
        return max(min(polls, max(map(self.routes.changes_at_most, range(self.topics)))), 1)

    def build(self) -> ClientMemory:
        """The filled memory."""
        at = self._lay_out()
        cells = line_zeros(at.size)
        brokers, known = len(self.brokers), RouteVersion
        defaults = {version: of for own in self.routes.defaults.values() for version, of in own.items()}
        defaults |= {of: of for of in defaults.values()}
        for v, route in enumerate(self.routes.versions):
            blocks.fill_queues(cells, at.queues[v], self.listed[v])
            writes = {self.brokers[name]: entry for name, entry in write_queues(route).items()}
            blocks.fill_writes(cells, at.writes[v], brokers, writes)
            version = known.at(cells, at.versions + v * size_of(known))
            version.queues = QueueList.at(cells, at.queues[v])
            version.writes = WriteTable.at(cells, at.writes[v])
            version.default = defaults.get(v, -1)
        blocks.fill_writes(cells, at.no_writes, brokers, {})
        for group, steps in enumerate(self.penalties):
            shuffles, own = self.clients[group].shuffles, np.flatnonzero(self.groups == group)
            blocks.fill_penalty(cells, at.penalties[group], steps, list(self.brokers), shuffles=shuffles)
            blocks.fill_faults(
                cells, at.faults + own * at.fault_size, brokers, penalty=at.penalties[group],
                random=signed_words(self.scenario.seed, CLIENT_FAULT_TABLE, self.producers[own], 0),
                start=self.settings[group].which_item_worst_start,
            )  # fmt: skip
        for t in range(self.topics):
            for generation in range(1 + self.held):
                self._fill_own_lists(cells, at, t, generation)
                self._fill_views(cells, at, t, generation)
        views = len(self.all_threads) * self.topics
        regions = {
            "views": (at.views, views),
            "held_views": (at.held_views, views * self.held),
            "versions": (at.versions, len(self.listed)),
        }
        return ClientMemory(cells, regions, at.faults, at.fault_size)

    def _lay_out(self) -> _Blocks:
        brokers, held, places = len(self.brokers), self.held, _Places()
        views = len(self.all_threads) * self.topics * size_of(View)
        writes_size, fault_size = blocks.writes_size(brokers), blocks.faults_size(brokers)
        own = [blocks.queues_size(room) if self.owns_queues(t) else 0 for t, room in enumerate(self._own_rooms())]
        created_size = len(self.routes.defaults) * writes_size
        producers = len(self.producers)
        return _Blocks(
            views=places.take(views),
            queues=places.take_many(blocks.queues_size(len(listed)) for listed in self.listed),
            no_queues=places.take(blocks.queues_size(0)),
            own_queues=places.take_alike((1 + held) * sum(own), producers),
            own_sizes=own,
            writes=places.take_many([writes_size] * len(self.listed)),
            no_writes=places.take(writes_size),
            created_writes=places.take_alike((1 + held) * created_size, producers),
            writes_size=writes_size,
            versions=places.take(len(self.listed) * size_of(RouteVersion)),
            penalties=places.take_many(blocks.penalty_size(len(steps), brokers) for steps in self.penalties),
            faults=places.take_lines(producers * fault_size),
            fault_size=fault_size,
            held_views=places.take_lines(views * held),
            size=places.taken,
        )

    def _queues_at(self, at: _Blocks, own: Array, topic: int, generation: int) -> Array:
        """Where the queue lists of a topic lie, of the producers of those numbers within the cell."""
        if self.owns_queues(topic):
            return at.own_queues[own] + generation * sum(at.own_sizes) + sum(at.own_sizes[:topic])
        version = self.first[topic]
        return np.full(len(own), at.queues[version] if version >= 0 else at.no_queues, np.int64)

    def _writes_at(self, at: _Blocks, own: Array, topic: int, generation: int) -> Array:
        """The same of the tables of write queues."""
        if topic in self.routes.defaults:
            place = generation * len(self.routes.defaults) + list(self.routes.defaults).index(topic)
            return at.created_writes[own] + place * at.writes_size
        version = self.first[topic]
        return np.full(len(own), at.writes[version] if version >= 0 else at.no_writes, np.int64)

    def _fill_own_lists(self, cells: Array, at: _Blocks, topic: int, generation: int) -> None:
        """What of a topic is not shared by all producers; generation 0 is what is known now, others are held."""
        own, version = np.arange(len(self.producers)), self.first[topic]
        if topic in self.routes.defaults:
            for writes in self._writes_at(at, own, topic, generation):
                blocks.fill_writes(cells, int(writes), len(self.brokers), {})
        if self.owns_queues(topic) and generation == 0 and version >= 0:
            for queues in self._queues_at(at, own, topic, generation):
                blocks.fill_queues(cells, int(queues), self.listed[version])

    def _fill_views(self, cells: Array, at: _Blocks, topic: int, generation: int) -> None:
        """The views of a topic, or one generation of those that are held."""
        for group, client in enumerate(self.settings):
            threads = np.flatnonzero(self.all_threads.group == group)
            rows = threads * self.topics + topic
            places = at.views + rows * size_of(View)
            if generation > 0:
                places = at.held_views + (rows * self.held + generation - 1) * size_of(View)
            own = self.all_threads.producer[threads] - self.producers[0]
            blocks.fill_views(
                cells, places, queues=self._queues_at(at, own, topic, generation),
                writes=self._writes_at(at, own, topic, generation), faults=at.faults + own * at.fault_size,
                random=signed_words(self.scenario.seed, CLIENT_COUNTER, self.all_threads.stream[threads], topic),
                start=client.send_which_queue_start,
            )  # fmt: skip

    def masters(self) -> Array:
        """Region `masters`, int64[versions, brokers]."""
        found = np.full((len(self.routes.versions), len(self.brokers)), routes.NOT_NAMED, np.int64)
        for v, route in enumerate(self.routes.versions):
            for name, ids in route.broker_ids.items():
                master = routes.NAMED_MASTER + route.machines.get(name, 0)
                found[v, self.brokers[name]] = master if MASTER_ID in ids else routes.NAMED_SLAVES
        return found

    def has_master(self, broker: str) -> bool:
        """Whether any route names a master of that broker."""
        return any(MASTER_ID in route.broker_ids.get(broker, ()) for route in self.routes.versions)

    def in_route(self) -> Array:
        """int64[topics, brokers]: 1 where the topic has a queue on the broker at any time."""
        found = np.zeros((self.topics, len(self.brokers)), np.int64)
        for timelines in self.routes.timelines:
            for t, timeline in enumerate(timelines):
                for _, version in timeline:
                    if version >= 0:
                        found[t, [broker for broker, _ in self.listed[version]]] = 1
        return found

    def auto_topics(self) -> Array:
        """Region `auto_topics`."""
        topics = range(self.topics)
        return filled(
            AutoTopic,
            self.topics,
            is_created=[t in self.routes.defaults for t in topics],
            owns_queues=[self.owns_queues(t) for t in topics],
        )

    def route_times(self) -> dict[str, Array]:
        """Regions `route_times` and `deliveries`."""
        timelines = [timeline for own in self.routes.timelines for timeline in own]
        counts = np.array([len(timeline) for timeline in timelines], np.int64)
        at_us, version = zip(*(row for timeline in timelines for row in timeline), strict=True)
        return {
            "route_times": filled(RouteTimes, len(timelines), first=np.cumsum(counts) - counts, count=counts),
            "deliveries": filled(Delivery, len(at_us), at_us=at_us, version=version),
        }

    @cached_property
    def poll_phases_us(self) -> Array:
        """When each producer polls for the first time, int64[producers]."""
        client, seed = self.scenario.client, self.scenario.seed
        period_us = client.poll_name_server_interval_ms * 1000
        if client.poll_phase == "aligned":
            before_us = started_before_us(client, seed, self.producers, period_us)
            return (FIRST_POLL_US - before_us) % period_us
        return drawn_each(seed, POLL_PHASE, self.producers, period_us)

    def heartbeats_us(self) -> Array:
        """When each producer sends heartbeats for the first time: with cleanOfflineBroker."""
        return (self.poll_phases_us - FIRST_POLL_US + FIRST_CLEAN_US) % CLEAN_PERIOD_US

    def pollers(self) -> Array:
        """Region `pollers`, in the order in which they poll; empty if no route changes."""
        order = np.argsort(self.poll_phases_us, kind="stable")[: None if self.routes.changes else 0]
        return filled(Poller, len(order), producer=order, phase_us=self.poll_phases_us[order])

    def name_servers(self) -> Array:
        """Region `name_servers` at the start; empty if no route changes."""
        if not self.routes.changes:
            return np.empty(0, np.int64)
        count, groups = self.scenario.name_servers.count, self.scenario.producers
        views = np.array([self.routes.seen_from(client_of(group.group), count) for group in groups], np.int64)
        return drawn_each(self.scenario.seed, FIRST_NAME_SERVER, self.producers, count) + views[self.groups]

    def known_routes(self) -> Array:
        """Region `known_routes` at the start; empty if no route changes."""
        producers = len(self.producers) if self.routes.changes else 0
        return np.tile(np.array(self.first, np.int64), producers)
