"""What a replay needs to know before its first row: the client, who sends, and what the memory looks like."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from simulator.client import memory as at
from simulator.client.releases import Client, client_of
from simulator.plan.client_blocks import fill_faults, fill_penalty, fill_queues, fill_view, fill_writes
from simulator.replay import replay_layout as lay

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class ReplaySettings:
    """The producer's configuration (ms), as recorded; `updates_table` False is a client that never charges anybody."""

    release: str
    strategy_on: bool
    send_msg_timeout_ms: int
    retry_times: int
    retry_not_store_ok: bool
    max_timeout_per_request_ms: int  # -1 = no such limit
    detector_on: bool
    latency_max_ms: tuple[int, ...]
    not_available_duration_ms: tuple[int, ...]
    epoch_ms: int  # the recording's zero on the clock of its machine
    updates_table: bool = True
    hands_over: bool = True  # False: a client that never records the hand-over of an asynchronous message
    async_rules_of: str = ""  # the release whose rules an asynchronous message follows, where it is another


@dataclass(frozen=True)
class RouteObject:
    """One TopicPublishInfo: (broker, queue id) in the client's order, and write queues with permission by broker."""

    queues: tuple[tuple[str, int], ...]
    writes: Mapping[str, tuple[int, bool]]


@dataclass(frozen=True)
class Senders:
    """Who sends what, each in order: the numbers are those of the recording."""

    brokers: tuple[str, ...]
    topics: tuple[str, ...]
    producers: tuple[int, ...]
    threads: tuple[tuple[int, int], ...]  # (producer, thread)
    views: tuple[tuple[int, int, str], ...]  # (producer, thread, topic)
    view_routes: tuple[int, ...] = ()  # asynchronous: the route object of each view; each has a counter of its own
    slots: int = 0  # asynchronous messages that are under way at once; 0 = synchronous


@dataclass(frozen=True)
class ReplayPlan:
    """A recording as the operator sees it: `routes` by (producer, topic, route id)."""

    run: str
    digest: str
    settings: ReplaySettings
    senders: Senders
    routes: Mapping[tuple[int, str, int], RouteObject]

    @cached_property
    def client(self) -> Client:
        """The client of the release, compiled. Raises ValueError for an unknown release."""
        return client_of(self.settings.release)

    @cached_property
    def async_client(self) -> Client:
        """The client whose asynchronous send path is followed, compiled. Raises ValueError for an unknown release."""
        return client_of(self.settings.async_rules_of or self.settings.release)

    @cached_property
    def route_index(self) -> dict[tuple[int, str, int], int]:
        """Number of each route object in the memory."""
        return {key: number for number, key in enumerate(self.routes)}

    @cached_property
    def places(self) -> dict[str, int]:
        """Offsets of the memory's areas; `end` is its size, `kept` that of a copy of one view's blocks."""
        who, brokers = self.senders, len(self.senders.brokers)
        sizes = {
            "penalty": at.penalty_size(len(self.settings.latency_max_ms), len(self.senders.brokers)),
            "faults": len(who.producers) * at.faults_size(brokers),
            "views": len(who.views) * at.VIEW_SIZE,
            "held_routes": len(who.views),
            "next_seqs": len(who.views),
            "senders": (who.slots or len(who.threads)) * lay.SENDER_SIZE,
            "routes": len(self.routes) * lay.ROUTE_SIZE,
            "writes": len(self.routes) * brokers * at.WRITE_SIZE,
            "queues": sum(at.queues_size(len(route.queues)) for route in self.routes.values()),
        }
        starts = np.cumsum([0, *sizes.values()]).tolist()
        longest = max((len(route.queues) for route in self.routes.values()), default=0)
        kept = at.VIEW_SIZE + at.faults_size(brokers) + at.queues_size(longest)
        return dict(zip([*sizes, "end"], starts, strict=True)) | {"kept": kept}

    def faults_of(self, producer: int) -> int:
        """Offset of the fault table of the producer at that index."""
        return self.places["faults"] + producer * at.faults_size(len(self.senders.brokers))

    def cells(self) -> Ints:
        """The settings as the kernel reads them."""
        settings, places = self.settings, self.places
        codes = sorted(self.client.retry_codes)
        c = np.zeros(lay.RETRY_CODES + len(codes), np.int64)
        c[lay.ATTEMPTS_TOTAL] = 1 + settings.retry_times
        c[lay.SEND_MSG_TIMEOUT_MS] = settings.send_msg_timeout_ms
        c[lay.MAX_TIMEOUT_PER_REQUEST_MS] = settings.max_timeout_per_request_ms
        c[lay.RETRY_NOT_STORE_OK] = settings.retry_not_store_ok
        c[lay.UPDATES_TABLE] = settings.strategy_on and settings.updates_table
        c[lay.DETECTOR_ON] = settings.detector_on
        c[lay.EPOCH_MS] = settings.epoch_ms
        c[lay.HANDS_OVER] = settings.hands_over
        for cell, place in ((lay.VIEWS, "views"), (lay.HELD_ROUTES, "held_routes"), (lay.NEXT_SEQS, "next_seqs")):
            c[cell] = places[place]
        c[lay.SENDERS] = places["senders"]
        c[lay.ROUTES] = places["routes"]
        c[lay.RETRY_CODE_COUNT] = len(codes)
        c[lay.RETRY_CODES :] = codes
        return c

    def memory(self) -> Ints:
        """The memory before the first row: empty fault tables, no counter used, no route installed."""
        places, who, settings = self.places, self.senders, self.settings
        m = np.zeros(places["end"], np.int64)
        fill_penalty(m, places["penalty"], settings.latency_max_ms, settings.not_available_duration_ms, who.brokers)
        for number, _ in enumerate(who.producers):
            at_faults = self.faults_of(number)
            shuffles = self.client.shuffles
            fill_faults(m, at_faults, who.brokers, penalty=places["penalty"], shuffles=shuffles, random=number)
        index_of = {producer: number for number, producer in enumerate(who.producers)}
        for number, (producer, _, _) in enumerate(who.views):
            view = places["views"] + number * at.VIEW_SIZE
            fill_view(m, view, queues=0, writes=0, faults=self.faults_of(index_of[producer]), random=0)
        m[places["held_routes"] : places["next_seqs"]] = -1
        m[places["senders"] + lay.ENDED_ROW : places["routes"] : lay.SENDER_SIZE] = -1
        self._fill_routes(m)
        return m

    def _fill_routes(self, m: Ints) -> None:
        places, brokers = self.places, self.senders.brokers
        broker_index = {name: number for number, name in enumerate(brokers)}
        queues, writes = places["queues"], places["writes"]
        for number, route in enumerate(self.routes.values()):
            fixed = places["routes"] + number * lay.ROUTE_SIZE
            m[fixed + lay.ROUTE_QUEUES], m[fixed + lay.ROUTE_WRITES] = queues, writes
            fill_queues(m, queues, [(broker_index[name], queue_id) for name, queue_id in route.queues])
            fill_writes(m, writes, len(brokers), {broker_index[name]: nums for name, nums in route.writes.items()})
            queues += at.queues_size(len(route.queues))
            writes += len(brokers) * at.WRITE_SIZE
