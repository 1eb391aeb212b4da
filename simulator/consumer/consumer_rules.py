"""The rules of a consumer that releases change: each with its type, the first release's function and the changes.

Booleans are 0 or 1; queues and consumers are numbers. Source: rocketmq tags rocketmq-all-4.2.0 to rocketmq-all-5.3.3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from simulator.client.by_release import since
from simulator.compiled.records import Cells
from simulator.consumer.allocation.allocate import allocate_4_2_0, allocate_4_8_0, allocate_4_9_3
from simulator.consumer.allocation.sharing import Sharing
from simulator.consumer.client import process_queue
from simulator.consumer.client.process_queue import ProcessQueue


class Allocate(Protocol):
    """Number of queues of a consumer, which are in `sharing.result`; NULL or an exception (allocation.sharing)."""

    def __call__(
        self, sharing: Sharing, queues: Cells, queue_count: int, members: Cells, member_count: int, me: int, /
    ) -> int: ...


class PutMessages(Protocol):
    """1 if an orderly consumption has to be started; messages: offset, bytes, number of each."""

    def __call__(self, queue: ProcessQueue, messages: Cells, count: int, max_offset: int, /) -> int: ...


class RemoveMessages(Protocol):
    """The offset to commit, or NOTHING_CACHED; messages: offset and bytes of each."""

    def __call__(self, queue: ProcessQueue, messages: Cells, count: int, /) -> int: ...


class CommitTaken(Protocol):
    """The offset behind the last taken message, or NO_SUCH_ELEMENT."""

    def __call__(self, queue: ProcessQueue, /) -> int: ...


@dataclass(frozen=True, kw_only=True)
class ConsumerRules:
    """The rules of a consumer's client."""

    allocate: Allocate = since(allocate_4_2_0, {"4.8.0": allocate_4_8_0, "4.9.3": allocate_4_9_3})
    put_messages: PutMessages = since(process_queue.put_messages)
    # 5.0.0 to 5.1.4 do not have what 4.9.8, which is younger, set right
    remove_messages: RemoveMessages = since(
        process_queue.remove_messages_4_2_0,
        {
            "4.9.8": process_queue.remove_messages_4_9_8,
            "5.0.0": process_queue.remove_messages_4_2_0,
            "5.2.0": process_queue.remove_messages_4_9_8,
        },
    )
    commit_taken: CommitTaken = since(
        process_queue.commit_taken_4_2_0,
        {
            "4.9.8": process_queue.commit_taken_4_9_8,
            "5.0.0": process_queue.commit_taken_4_2_0,
            "5.2.0": process_queue.commit_taken_4_9_8,
        },
    )
