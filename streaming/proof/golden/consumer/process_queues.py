"""Replay of `processqueue-*.jsonl` and `flow-*.jsonl`: what an instance holds of a queue, and when it is pulled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from simulator.compiled.records import Array, Cells, size_of
from simulator.consumer.rules import process_queue as rules
from simulator.consumer.rules.process_queue import CachedMessage, ProcessQueue
from simulator.consumer.rules.pull_delays import FORGET, PULL, PullSettings, flow_control, pull_delay, pull_in_order
from simulator.releases.consumer_release import ConsumerClient
from streaming.proof.golden.consumer.consumer_replay import Answers, ConsumerReplay

BRANCHES = ("no_flow_control", "count_or_size", "count_or_size", "span")


def empty_queue(room: int) -> ProcessQueue:
    """A process queue in memory of its own."""
    queue = ProcessQueue.at(np.zeros(size_of(ProcessQueue) + room * size_of(CachedMessage), np.int64))
    queue.room = room
    return queue


class ProcessQueueReplay(ConsumerReplay):
    """One process queue, operation by operation."""

    def answers(self) -> Answers:
        """After each operation: what it returned, span, counts, bytes, largest offset, backlog, whether any is left."""
        operations = self.case["ops"]
        room = sum(len(operation[1]) for operation in operations if operation[0] in ("put", "again"))
        self._queue = empty_queue(max(room, 1))
        self._bytes: dict[int, int] = {}
        for name, *arguments, expected in operations:
            returned = getattr(self, f"_{name}")(*arguments)
            queue = self._queue
            state = [rules.max_span(queue), queue.msg_count, queue.msg_size, queue.queue_offset_max]
            yield name, expected, [returned, *state, queue.msg_acc_cnt, queue.cached > 0]

    def _put(self, messages: Sequence[Sequence[int]]) -> bool:
        rows = [[offset, size, 0] for offset, size, *_ in messages]
        self._bytes.update({offset: size for offset, size, _ in rows})
        max_offset = messages[-1][2] if messages and len(messages[-1]) > 2 else rules.NO_MAX_OFFSET
        return bool(self.client.put_messages(self._queue, _cells(rows), len(rows), max_offset))

    def _remove(self, offsets: Sequence[int]) -> int:
        rows = [[offset, self._bytes.get(offset, 0)] for offset in offsets]
        return int(self.client.remove_messages(self._queue, _cells(rows), len(rows)))

    def _take(self, most: int) -> list[int]:
        taken = np.zeros(max(most, 1), np.int64)
        return taken[: rules.take_messages(self._queue, most, Cells.of(taken))].tolist()

    def _commit(self) -> int | str:
        offset = int(self.client.commit_taken(self._queue))
        return "ex:NoSuchElementException" if offset == rules.NO_SUCH_ELEMENT else offset

    def _again(self, offsets: Sequence[int]) -> None:
        rows = [[offset, self._bytes.get(offset, 0), 0] for offset in offsets]
        rules.take_again(self._queue, _cells(rows), len(rows))


def _cells(rows: Sequence[Sequence[int]]) -> Cells:
    return Cells.of(np.array([*rows, [0, 0, 0][: len(rows[0]) if rows else 3]], np.int64).reshape(-1))


class FlowReplay(ConsumerReplay):
    """One turn of one queue."""

    def answers(self) -> Answers:
        """What holds the queue back, and when it is looked at again."""
        case, client = self.case, self.client
        settings = pull_settings(client, is_orderly=bool(case.get("orderly")))
        state = case.get("state")
        queue = _cached(client, case) if state is None else empty_queue(1)
        queue.dropped = state == "dropped"
        queue.locked = case.get("locked", 0)
        if "branch" in case:
            yield "branch", case["branch"], BRANCHES[flow_control(queue, settings)]
        # The recorded client subscribes to nothing: a pull that nothing holds back ends there.
        delay = pull_delay(queue, settings, 0, int(state != "not_running"), int(state == "paused"), 0)
        yield "scheduled_ms", case["scheduled_ms"], [] if delay in (FORGET, PULL) else [delay]


def pull_settings(client: ConsumerClient, *, is_orderly: bool) -> PullSettings:
    """The defaults of a release."""
    settings = PullSettings.at(np.zeros(size_of(PullSettings), np.int64))
    settings.pull_threshold_for_queue = client.pull_threshold_for_queue
    settings.pull_threshold_size_for_queue_mib = client.pull_threshold_size_for_queue
    settings.consume_concurrently_max_span = client.consume_concurrently_max_span
    if is_orderly:
        pull_in_order(settings)
    settings.when_exception_ms = client.pull_time_delay_mills_when_exception
    settings.when_flow_control_ms = client.pull_time_delay_mills_when_flow_control
    settings.when_suspended_ms = client.pull_time_delay_mills_when_suspend
    return settings


def _cached(client: ConsumerClient, case: Mapping[str, Any]) -> ProcessQueue:
    """A queue that holds so many messages of so many bytes over such a span."""
    count = case["count"]
    queue = empty_queue(max(count, 1))
    client.put_messages(queue, Cells.of(_messages(case)), count, rules.NO_MAX_OFFSET)
    return queue


def _messages(case: Mapping[str, Any]) -> Array:
    def rows() -> Iterator[list[int]]:
        for place in range(case["count"]):
            is_last = place == case["count"] - 1 and place > 0
            yield [case["span"] if is_last else place, case["bytes"] if place == 0 else 0, 0]
        yield [0, 0, 0]

    return np.array(list(rows()), np.int64).reshape(-1)
