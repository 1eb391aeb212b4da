"""What a replay needs to know before its first row: the client, who sends, and what the memory looks like."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from simulator.client.view import QueueList, View, WriteTable
from simulator.compiled.records import size_of
from simulator.plan.clients.client_blocks import (
    faults_size,
    fill_faults,
    fill_penalty,
    fill_queues,
    fill_views,
    fill_writes,
    penalty_size,
    queues_size,
    writes_size,
)
from simulator.releases.producer_release import Client, client_of
from simulator.replay.replay_world import InstalledRoute, RecordedSettings, Sender

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
        """Where the regions of the memory begin; `end` is its size."""
        who, brokers = self.senders, len(self.senders.brokers)
        sizes = {
            "penalty": penalty_size(len(self.settings.latency_max_ms), brokers),
            "faults": len(who.producers) * faults_size(brokers),
            "views": len(who.views) * size_of(View),
            "held_routes": len(who.views),
            "next_seqs": len(who.views),
            "senders": (who.slots or len(who.threads)) * size_of(Sender),
            "routes": len(self.routes) * size_of(InstalledRoute),
            "writes": len(self.routes) * writes_size(brokers),
            "queues": sum(queues_size(len(route.queues)) for route in self.routes.values()),
        }
        starts = np.cumsum([0, *sizes.values()]).tolist()
        return dict(zip([*sizes, "end"], starts, strict=True))

    @cached_property
    def regions(self) -> dict[str, tuple[int, int]]:
        """Where each region of the memory begins and ends."""
        return dict(zip(self.places, pairwise(self.places.values()), strict=False))

    @cached_property
    def kept_cells(self) -> int:
        """Room for a copy of what one selection or update can change."""
        longest = max((len(route.queues) for route in self.routes.values()), default=0)
        return size_of(View) + faults_size(len(self.senders.brokers)) + queues_size(longest)

    def faults_of(self, producer: int) -> int:
        """Place of the fault table of the producer at that index."""
        return self.places["faults"] + producer * faults_size(len(self.senders.brokers))

    def recorded_settings(self) -> Ints:
        """The settings as the replay reads them: one RecordedSettings."""
        settings, cells = self.settings, np.zeros(size_of(RecordedSettings), np.int64)
        recorded = RecordedSettings.at(cells)
        recorded.attempts_total = 1 + settings.retry_times
        recorded.send_msg_timeout_ms = settings.send_msg_timeout_ms
        recorded.max_timeout_per_request_ms = settings.max_timeout_per_request_ms
        recorded.retry_not_store_ok = settings.retry_not_store_ok
        recorded.updates_table = settings.strategy_on and settings.updates_table
        recorded.detector_on = settings.detector_on
        recorded.retry_code_count = len(self.client.retry_codes)
        recorded.epoch_ms = settings.epoch_ms
        recorded.is_async = int(self.senders.slots > 0)
        recorded.hands_over = settings.hands_over
        return cells

    def memory(self) -> Ints:
        """The memory before the first row: empty fault tables, no counter used, no route installed."""
        places, who, settings = self.places, self.senders, self.settings
        m = np.zeros(places["end"], np.int64)
        steps = list(zip(settings.latency_max_ms, settings.not_available_duration_ms, strict=True))
        fill_penalty(m, places["penalty"], steps, who.brokers, shuffles=self.client.shuffles)
        for number, _ in enumerate(who.producers):
            fill_faults(m, self.faults_of(number), len(who.brokers), penalty=places["penalty"], random=number)
        index_of = {producer: number for number, producer in enumerate(who.producers)}
        for number, (producer, _, _) in enumerate(who.views):
            view = places["views"] + number * size_of(View)
            fill_views(m, view, queues=0, writes=0, faults=self.faults_of(index_of[producer]), random=0)
        m[places["held_routes"] : places["next_seqs"]] = -1
        for number in range(who.slots or len(who.threads)):
            Sender.at(m, places["senders"] + number * size_of(Sender)).ended_row = -1
        self._fill_routes(m)
        return m

    def _fill_routes(self, m: Ints) -> None:
        places, brokers = self.places, self.senders.brokers
        broker_index = {name: number for number, name in enumerate(brokers)}
        queues, writes = places["queues"], places["writes"]
        for number, route in enumerate(self.routes.values()):
            fixed = InstalledRoute.at(m, places["routes"] + number * size_of(InstalledRoute))
            fixed.queues, fixed.writes = QueueList.at(m, queues), WriteTable.at(m, writes)
            fill_queues(m, queues, [(broker_index[name], queue_id) for name, queue_id in route.queues])
            fill_writes(m, writes, len(brokers), {broker_index[name]: nums for name, nums in route.writes.items()})
            queues += queues_size(len(route.queues))
            writes += writes_size(len(brokers))
