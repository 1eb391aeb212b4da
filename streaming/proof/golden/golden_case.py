"""What the replays share: how a difference is reported, and the client memory of a case of selections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simulator.client.faults.fault_item import FaultTable
from simulator.client.routes.queue_list import QueueData, TopicRoute, queue_list, write_queues
from simulator.client.view import QueueList, View
from simulator.compiled.records import size_of
from simulator.plan.clients import client_blocks as blocks
from simulator.releases.producer_release import Client

START_MS = 30_000  # virtual time of a case's t0: a whole number of polls, of heartbeats and of the detector's rounds


@dataclass(frozen=True)
class CaseDifference:
    """What the client did otherwise than the recording, first of its operation."""

    case: str
    operation: int  # index in the case, from 0
    what: str
    expected: Any
    got: Any


class Mismatch(Exception):
    """Raised inside a replay at the first difference of an operation: (what, expected, got)."""


def must_be(what: str, expected: Any, got: Any) -> None:
    """Raise Mismatch unless both are equal."""
    if expected != got:
        raise Mismatch(what, expected, got)


def route_of(queue_datas: Sequence[Sequence[Any]], order_topic_conf: str | None, names: Sequence[str]) -> TopicRoute:
    """The route that a recorded `qd` and `oc` describe."""
    return TopicRoute(
        tuple(QueueData(names[broker], read, write, perm) for broker, read, write, perm, _ in queue_datas),
        {names[broker]: frozenset(ids) for broker, _, _, _, ids in queue_datas if ids is not None},
        order_topic_conf,
    )


class CaseMemory:
    """The client memory of one single-threaded producer: a fault table, and a view for each topic."""

    def __init__(self, case: Mapping[str, Any], client: Client, topics: int, queues: int) -> None:
        self.names: list[str] = case["names"]
        self.t0: int = case["t0"]
        self.client = client
        self._index = {name: broker for broker, name in enumerate(self.names)}
        brokers = len(self.names)
        sizes = [size_of(View), blocks.queues_size(queues), blocks.writes_size(brokers)]
        self._sizes = sizes
        self._topics, self._queues = topics, queues
        penalty = topics * sum(sizes)
        steps = list(zip(case["lm"], case["nd"], strict=True))
        self._faults_at = penalty + blocks.penalty_size(len(steps), brokers)
        self._memory = np.zeros(self._faults_at + blocks.faults_size(brokers), np.int64)
        blocks.fill_penalty(self._memory, penalty, steps, self.names, shuffles=False)
        blocks.fill_faults(self._memory, self._faults_at, brokers, penalty=penalty, random=case["w0"])
        self.faults = FaultTable.at(self._memory, self._faults_at)
        self._views = [View.at(self._memory, topic * sum(sizes)) for topic in range(topics)]
        self._lists: dict[int, QueueList] = {}

    def view(self, topic: int) -> View:
        """The view of a topic; raises LookupError for a topic the case does not have."""
        if not 0 <= topic < self._topics:
            raise LookupError(f"topic {topic} of {self._topics}")
        return self._views[topic]

    def set_info(self, topic: int, route: TopicRoute, start: int, expected: Sequence[int] | None) -> None:
        """Use a new TopicPublishInfo of a route with a counter that starts at the draw `start`.

        Raises Mismatch unless its queue list is the recorded one (flat); the replay goes on with the latter.
        """
        view = topic * sum(self._sizes)
        queues = view + self._sizes[0]
        writes = queues + self._sizes[1]
        listed = [(self._index[name], queue_id) for name, queue_id in queue_list(route)]
        nums = {self._index[name]: found for name, found in write_queues(route).items()}
        blocks.fill_views(self._memory, view, queues=queues, writes=writes, faults=self._faults_at, random=start)
        flat = [cell for queue in listed for cell in queue]
        used = flat[: self._queues * 2] if expected is None else list(expected)
        blocks.fill_queues(self._memory, queues, zip(used[::2], used[1::2], strict=True))
        blocks.fill_writes(self._memory, writes, len(self.names), nums)
        self._lists[topic] = self._views[topic].queues
        must_be("queue list (list, n)", expected, flat)

    def update(self, now_ms: int, broker: int, latency_ms: int, isolation: int, reachable: int) -> None:
        """Update a fault item; raises LookupError for a broker the case does not have."""
        if not 0 <= broker < len(self.names):
            raise LookupError(f"broker {broker} of {len(self.names)}")
        self.client.update(self.faults, now_ms, broker, latency_ms, isolation, reachable)

    def queue_cells(self, topic: int) -> list[int]:
        """The queue list of a topic, flat."""
        cells: list[int] = self._lists[topic].queues.array.reshape(-1).tolist()
        return cells

    def mutations(self, topic: int) -> int:
        """How often the queue list of a topic was overwritten."""
        return int(self._lists[topic].mutated)
