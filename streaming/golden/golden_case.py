"""What the replays share: the client memory of one case, and what is compared after each operation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simulator.client.faults.fault_item import FaultTable
from simulator.client.releases import Client
from simulator.client.routes.queue_list import QueueData, TopicRoute
from simulator.client.routes.route_table import TopicPublishInfo
from simulator.client.view import NO_BROKER, View
from simulator.compiled.records import size_of
from simulator.plan import client_blocks as blocks


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
        self._listing, self._items = self.faults.listing.array, self.faults.items.array
        self._known: list[list[int | None]] = []  # the fault table as last recorded
        self._worst = 0
        self._worst_seeded = False

    def view(self, topic: int) -> View:
        """The view of a topic; raises LookupError for a topic the case does not have."""
        if not 0 <= topic < self._topics:
            raise LookupError(f"topic {topic} of {self._topics}")
        return self._views[topic]

    def set_info(self, topic: int, info: TopicPublishInfo, start: int, expected: Sequence[int] | None) -> None:
        """Use a new TopicPublishInfo with a counter that starts at the draw `start`.

        Raises Mismatch unless its queue list is the recorded one (flat); the replay goes on with the latter.
        """
        view = topic * sum(self._sizes)
        queues = view + self._sizes[0]
        writes = queues + self._sizes[1]
        listed = [(self._index[name], queue_id) for name, queue_id in info.queues]
        nums = {self._index[name]: found for name, found in info.write_queues.items()}
        blocks.fill_views(self._memory, view, queues=queues, writes=writes, faults=self._faults_at, random=start)
        flat = [cell for queue in listed for cell in queue]
        used = flat[: self._queues * 2] if expected is None else list(expected)
        blocks.fill_queues(self._memory, queues, zip(used[::2], used[1::2], strict=True))
        blocks.fill_writes(self._memory, writes, len(self.names), nums)
        must_be("queue list (list, n)", expected, flat)

    def update(self, now_ms: int, broker: int, latency_ms: int, isolation: int, reachable: int) -> None:
        """Update a fault item; raises LookupError for a broker the case does not have."""
        if not 0 <= broker < len(self.names):
            raise LookupError(f"broker {broker} of {len(self.names)}")
        self.client.update(self.faults, now_ms, broker, latency_ms, isolation, reachable)

    def queue_cells(self, topic: int) -> list[int]:
        """The queue list of a topic, flat."""
        cells: list[int] = self.view(topic).queues.queues.array.reshape(-1).tolist()
        return cells

    def mutations(self, topic: int) -> int:
        """How often the queue list of a topic was overwritten."""
        return int(self.view(topic).queues.mutated)

    def listed(self) -> list[int]:
        """Brokers of the fault table in listing order."""
        brokers: list[int] = self._listing[: self.faults.item_count].tolist()
        return brokers

    def fault_table(self) -> list[list[int | None]]:
        """The fault table as it is recorded: absolute 0 as null, other times from t0."""
        return list(self._rows())

    def _rows(self) -> Iterator[list[int | None]]:
        for broker in self.listed():
            _, latency, start, reachable, stamp, *_ = self._items[broker].tolist()
            row = [broker, latency, self._relative(start)]
            yield [*row, reachable, self._relative(stamp)] if self.client.has_detector else row

    def _relative(self, time_ms: int) -> int | None:
        return time_ms - self.t0 if time_ms else None

    def compare_faults(self, recorded: Mapping[str, Any]) -> None:
        """After an operation: table and counter changed as recorded, and only then (`f`, `w`)."""
        expected = recorded.get("f", self._known)
        got = self.fault_table()
        self._known = expected
        must_be("fault table (f)", expected, got)
        self.compare_worst(recorded.get("w"))

    def compare_worst(self, expected: int | None) -> None:
        """The counter of the fault table is as recorded, or as before."""
        got = int(self.faults.counter.value)
        seeded = bool(self.faults.counter.seeded)
        changed = seeded and (not self._worst_seeded or got != self._worst)
        self._worst, self._worst_seeded = got, seeded
        must_be("counter of the fault table (w)", expected, got if changed else None)

    def forget_ranking(self) -> None:
        """Make the next sort of the fault table show, see `was_ranked`."""
        self.faults.ranking[0] = NO_BROKER

    def was_ranked(self) -> bool:
        """Whether a table with items in it was sorted since `forget_ranking`."""
        return bool(self.faults.ranking[0] != NO_BROKER)

    def script_order(self, order: Sequence[int] | None) -> list[int]:
        """Have the next sort find the items in the recorded order; gives the listing to put back afterwards.

        Up to 4.9.3 that order is a shuffle and is taken as given; later it must be the listing itself.
        """
        listing = self.listed()
        if order is None:
            return listing
        if self.client.shuffles:
            must_be("brokers of the fault table (p)", sorted(order), sorted(listing))
            self._put_listing(order)
        else:
            must_be("order of the fault table (p)", list(order), listing)
        return listing

    def restore_order(self, listing: Sequence[int]) -> None:
        """Put a listing back, without what was removed since."""
        present = set(self.listed())
        kept = [broker for broker in listing if broker in present]
        self._put_listing(kept)

    def _put_listing(self, brokers: Sequence[int]) -> None:
        self._listing[: len(brokers)] = brokers
