"""What the replays share: the client memory of one case, and what is compared after each operation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simulator.client import memory
from simulator.client.releases import Client
from simulator.client.routes.queue_list import QueueData, TopicRoute
from simulator.client.routes.route_table import TopicPublishInfo
from simulator.plan.client_blocks import fill_faults, fill_penalty, fill_queues, fill_view, fill_writes


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
        sizes = [memory.VIEW_SIZE, memory.queues_size(queues), brokers * memory.WRITE_SIZE]
        self._sizes = sizes
        self._topics, self._queues = topics, queues
        self.penalty = topics * sum(sizes)
        self.faults = self.penalty + memory.penalty_size(len(case["lm"]), brokers)
        self.m = np.zeros(self.faults + memory.faults_size(brokers), np.int64)
        fill_penalty(self.m, self.penalty, case["lm"], case["nd"], self.names)
        fill_faults(self.m, self.faults, self.names, penalty=self.penalty, shuffles=False, random=case["w0"])
        self.listing = memory.listing(self.faults, brokers)
        self.ranking = memory.ranking(self.faults, brokers)
        self._known: list[list[int | None]] = []  # the fault table as last recorded
        self._worst = 0
        self._worst_seeded = False

    def view(self, topic: int) -> int:
        """Offset of the view of a topic; raises LookupError for a topic the case does not have."""
        if not 0 <= topic < self._topics:
            raise LookupError(f"topic {topic} of {self._topics}")
        return topic * sum(self._sizes)

    def set_info(self, topic: int, info: TopicPublishInfo, start: int, expected: Sequence[int] | None) -> None:
        """Use a new TopicPublishInfo with a counter that starts at the draw `start`.

        Raises Mismatch unless its queue list is the recorded one (flat); the replay goes on with the latter.
        """
        view = self.view(topic)
        queues = view + self._sizes[0]
        writes = queues + self._sizes[1]
        listed = [(self._index[name], queue_id) for name, queue_id in info.queues]
        nums = {self._index[name]: found for name, found in info.write_queues.items()}
        fill_view(self.m, view, queues=queues, writes=writes, faults=self.faults, random=start)
        flat = [cell for queue in listed for cell in queue]
        used = flat[: self._queues * memory.QUEUE_SIZE] if expected is None else list(expected)
        fill_queues(self.m, queues, zip(used[::2], used[1::2], strict=True))
        fill_writes(self.m, writes, len(self.names), nums)
        must_be("queue list (list, n)", expected, flat)

    def update(self, now_ms: int, broker: int, latency_ms: int, isolation: int, reachable: int) -> None:
        """Update a fault item; raises LookupError for a broker the case does not have."""
        if not 0 <= broker < len(self.names):
            raise LookupError(f"broker {broker} of {len(self.names)}")
        self.client.update(self.m, self.faults, now_ms, broker, latency_ms, isolation, reachable)

    def queue_cells(self, topic: int) -> list[int]:
        """The queue list of a topic, flat."""
        queues = self.view(topic) + self._sizes[0]
        first = queues + memory.QUEUE_LIST
        cells: list[int] = self.m[first : first + memory.QUEUE_SIZE * self.m[queues]].tolist()
        return cells

    def mutations(self, topic: int) -> int:
        """How often the queue list of a topic was overwritten."""
        return int(self.m[self.view(topic) + self._sizes[0] + memory.MUTATED])

    def listed(self) -> list[int]:
        """Brokers of the fault table in listing order."""
        count = int(self.m[self.faults + memory.ITEM_COUNT])
        brokers: list[int] = self.m[self.listing : self.listing + count].tolist()
        return brokers

    def fault_table(self) -> list[list[int | None]]:
        """The fault table as it is recorded: absolute 0 as null, other times from t0."""
        return list(self._rows())

    def _rows(self) -> Iterator[list[int | None]]:
        for broker in self.listed():
            at = self.faults + memory.ITEM_LIST + broker * memory.ITEM_SIZE
            _, latency, start, reachable, stamp, *_ = self.m[at : at + memory.ITEM_SIZE].tolist()
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
        got = int(self.m[self.faults + memory.WHICH_ITEM_WORST])
        seeded = bool(self.m[self.faults + memory.WORST_SEEDED])
        changed = seeded and (not self._worst_seeded or got != self._worst)
        self._worst, self._worst_seeded = got, seeded
        must_be("counter of the fault table (w)", expected, got if changed else None)

    def forget_ranking(self) -> None:
        """Make the next sort of the fault table show, see `was_ranked`."""
        self.m[self.ranking] = memory.NO_BROKER

    def was_ranked(self) -> bool:
        """Whether a table with items in it was sorted since `forget_ranking`."""
        return bool(self.m[self.ranking] != memory.NO_BROKER)

    def script_order(self, order: Sequence[int] | None) -> list[int]:
        """Have the next sort find the items in the recorded order; gives the listing to put back afterwards.

        Up to 4.9.3 that order is a shuffle and is taken as given; later it must be the listing itself.
        """
        listing = self.listed()
        if order is None:
            return listing
        if self.client.shuffles:
            must_be("brokers of the fault table (p)", sorted(order), sorted(listing))
            self.m[self.listing : self.listing + len(order)] = order
        else:
            must_be("order of the fault table (p)", list(order), listing)
        return listing

    def restore_order(self, listing: Sequence[int]) -> None:
        """Put a listing back, without what was removed since."""
        present = set(self.listed())
        kept = [broker for broker in listing if broker in present]
        self.m[self.listing : self.listing + len(kept)] = kept
