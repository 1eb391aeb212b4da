"""The rules of a consumer that releases change. Which release has which: `simulator.releases.consumer_release`.

Booleans are 0 or 1; queues and consumers are numbers. Source: rocketmq tags rocketmq-all-4.2.0 to rocketmq-all-5.3.3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from simulator.compiled.records import Cells
from simulator.consumer.allocation.sharing import Sharing
from simulator.consumer.rules.process_queue import ProcessQueue


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

    allocate: Allocate
    put_messages: PutMessages
    remove_messages: RemoveMessages
    commit_taken: CommitTaken
