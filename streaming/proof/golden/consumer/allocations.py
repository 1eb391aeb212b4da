"""Replay of `alloc-*.jsonl`: what an allocation strategy gave a consumer, and every other of its list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from simulator.client.faults.hash_order import java_hash
from simulator.client.java_int import wrap_int
from simulator.compiled.records import Cells
from simulator.consumer.allocation import sharing as shares
from simulator.consumer.allocation.fill import Strategy, sharing_memory
from simulator.consumer.allocation.names import Queue, exception_of, queue_text, ring_hash
from simulator.consumer.allocation.sharing import Sharing
from streaming.proof.golden.consumer.consumer_replay import Answers, ConsumerReplay

NEARBY = "NEARBY-"
HASHES = {"md5": ring_hash, "stringHashCode": lambda key: int(wrap_int(java_hash(key)))}


def strategy_of(case: Mapping[str, Any]) -> Strategy:
    """The strategy that a case configures; raises ValueError as its constructor throws."""
    name = str(case["s"])
    is_nearby = name.startswith(NEARBY)
    rooms = case.get("consumeridcs")
    config = case.get("conf")
    return Strategy(
        name="MACHINE_ROOM_NEARBY" if is_nearby else name,
        inner=name.removeprefix(NEARBY) if is_nearby else "AVG",
        config=None if config is None else _queues(config),
        consumeridcs=None if rooms is None else frozenset(rooms),
        virtual_nodes=case.get("virtualNodeCnt", 0),
        broker_rooms=case.get("brokerRoom") or {},
        consumer_rooms=case.get("consumerRoom") or {},
        hash_of=HASHES[case.get("hash") or "md5"],
    )


def _queues(rows: Sequence[Sequence[Any]]) -> list[Queue]:
    return [(topic, broker_name, queue_id) for topic, broker_name, queue_id in rows]


class AllocationReplay(ConsumerReplay):
    """One topic's queues, one list of consumers."""

    def answers(self) -> Answers:
        """The consumer that asks, then every consumer of the list."""
        case = self.case
        recorded = [case["ex"], case["msg"]] if "ex" in case else None
        try:
            strategy = strategy_of(case)
        except ValueError as refused:
            yield "exception", recorded, ["java.lang.IllegalArgumentException", str(refused)]
            return
        self._lay_out(strategy)
        got, exception = self._ask(case["cid"])
        if recorded is not None or exception is not None:
            yield "exception", recorded, None if exception is None else list(exception)
        else:
            yield "queues", case["r"], None if got is None else [list(self._names[number]) for number in got]
            if "ri" in case:
                yield "places", [case["mq"][place] for place in case["ri"]], [list(self._names[n]) for n in got or ()]
        for consumer, theirs in (case.get("all") or {}).items():
            found, exception = self._ask(consumer)
            simple = exception[0].rpartition(".")[2] if exception else None
            expected = theirs if isinstance(theirs, str) else [case["mq"][place] for place in theirs]
            yield f"queues of {consumer}", expected, simple or [list(self._names[n]) for n in found or ()]

    def _lay_out(self, strategy: Strategy) -> None:
        case = self.case
        listed, ids = _queues(case["mq"] or ()), list(case["cids"] or ())
        self._names = list(dict.fromkeys([*listed, *(strategy.config or ())]))
        self._consumers = list(dict.fromkeys([*ids, *filter(None, [case["cid"]])]))
        queue_number = {queue: number for number, queue in enumerate(self._names)}
        consumer_number = {consumer: number for number, consumer in enumerate(self._consumers)}
        self._number = consumer_number
        memory = sharing_memory(
            strategy,
            self._names,
            self._consumers,
            longest_queues=len(listed),
            longest_members=len(ids),
            times_listed=max(map(ids.count, ids), default=1),
        )
        self._sharing = Sharing.at(memory)
        self._queues = np.array([queue_number[queue] for queue in listed] or [0], np.int64)
        self._members = np.array([consumer_number[consumer] for consumer in ids] or [0], np.int64)

    def _ask(self, consumer: str | None) -> tuple[list[int] | None, tuple[str, str] | None]:
        """Numbers of the queues that a consumer gets (None: null), or the exception."""
        case = self.case
        answer = self.client.allocate(
            self._sharing,
            Cells.of(self._queues),
            shares.NULL if case["mq"] is None else len(case["mq"]),
            Cells.of(self._members),
            shares.NULL if case["cids"] is None else len(case["cids"]),
            self._number[consumer] if consumer else shares.NOBODY,
        )
        if answer == shares.NULL:
            return None, None
        if answer < 0:
            return None, exception_of(answer, self._culprit(answer))
        return self._sharing.result.array[:answer].tolist(), None

    def _culprit(self, answer: int) -> str:
        number = self._sharing.culprit
        if answer == shares.QUEUE_WITHOUT_ROOM:
            return queue_text(self._names[number])
        return self._consumers[number] if answer == shares.CONSUMER_WITHOUT_ROOM else ""
