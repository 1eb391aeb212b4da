"""Replay of `lock-*.jsonl` and `delay-*.jsonl`: a broker's queue locks and its delay levels."""

from __future__ import annotations

import numpy as np

from simulator.compiled.records import Array, Cells, size_of
from simulator.consumer.rules.delay_levels import (
    dead_letter_topic,
    deliver_at_ms,
    level_of_queue,
    parse_delay_level,
    queue_of_level,
    retry_topic,
)
from simulator.consumer.rules.queue_lock import QueueLock, try_lock, unlock
from streaming.proof.golden.consumer.consumer_replay import Answers, ConsumerReplay


class LockReplay(ConsumerReplay):
    """One lock table, operation by operation; the clock only moves where the recorder slept."""

    def answers(self) -> Answers:
        """Who got which lock. A recording whose clock was disturbed says nothing."""
        if not self.case["timing_clean"]:
            return
        self._locks: dict[tuple[str, int], QueueLock] = {}
        self._clients: dict[str, int] = {}
        self._memory: list[Array] = []
        now_ms = 1
        for name, *arguments in self.case["ops"]:
            if name == "sleep":
                now_ms += arguments[0]
            elif name == "lock":
                group, client, queue, granted = arguments
                yield name, bool(granted), self._try(group, client, queue, now_ms)
            elif name == "lockBatch":
                group, client, queues, granted = arguments
                yield name, granted, [queue for queue in queues if self._try(group, client, queue, now_ms)]
            else:
                group, client, queues = {"unlockBatch": arguments}[name]
                for queue in queues:
                    unlock(self._lock(group, queue), self._number(client))

    def _try(self, group: str, client: str, queue: int, now_ms: int) -> bool:
        lock, max_live_ms = self._lock(group, queue), self.case["lockMaxLiveTime"]
        return bool(try_lock(lock, self._number(client), now_ms, max_live_ms))

    def _number(self, client: str) -> int:
        return self._clients.setdefault(client, len(self._clients) + 1)

    def _lock(self, group: str, queue: int) -> QueueLock:
        key = (group, queue)
        if key not in self._locks:
            self._locks[key] = QueueLock.at(np.zeros(size_of(QueueLock), np.int64))
        return self._locks[key]


class DelayReplay(ConsumerReplay):
    """One messageDelayLevel, one level, or the topics of one group."""

    def answers(self) -> Answers:
        """Raises KeyError for another kind of question."""
        case = self.case
        if case["k"] == "map":
            yield "level", case["queueId2DelayLevel"], level_of_queue(case["x"])
            yield "queue", case["delayLevel2QueueId"], queue_of_level(case["x"])
        elif case["k"] == "topic":
            yield "topics", [case["retry"], case["dlq"]], [retry_topic(case["group"]), dead_letter_topic(case["group"])]
        else:
            text = {"table": case["messageDelayLevel"]}[case["k"]]
            yield "is default", case["isDefault"], text == self.broker.message_delay_level
            levels = parse_delay_level(text)
            yield "ok", case["ok"], levels.ok
            yield "levels", case["levels"], {str(level): ms for level, ms in levels.delays_ms.items()}
            yield "maxDelayLevel", case["maxDelayLevel"], levels.max_level
            table = np.array(levels.table_ms, np.int64)
            for level, due_ms in case["deliverAt_for_store_1000000"]:
                got = deliver_at_ms(level, 1_000_000, Cells.of(table), levels.max_level)
                yield f"level {level}", due_ms, got
