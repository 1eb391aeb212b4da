"""What is measured of a FIFO group: whether its order holds, what waits behind failures, which queues are blocked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from streaming.proof.consumers.consumer_recording import Action
from streaming.proof.consumers.group_figures import SECOND_MS, GroupFigure
from streaming.proof.grpc.deliveries_seen import DeliveriesSeen

WAITS_MS = 900  # a message that fails is due again after a second, and holds up those behind it for that long
BLOCKED_MS = 20_000


def order_figures(seen: DeliveriesSeen, actions: Sequence[Action]) -> Iterator[GroupFigure]:
    """Every figure of the order; `actions`: what was done to the group's clients."""
    queues = [_Queue(seen, queue) for queue in np.unique(seen.queue)]
    yield GroupFigure("first delivered after a later one", sum(queue.overtaken for queue in queues), "messages")
    for action in actions:
        silences = [queue.longest_ms(action.at_ms) for queue in queues]
        name = f"{action.target} killed: "
        yield GroupFigure(f"{name}longest silence of a queue", max(silences) / SECOND_MS, "s")
        blocked = sum(silence >= BLOCKED_MS for silence in silences)
        yield GroupFigure(f"{name}queues silent for 20 s", blocked, "messages")
    if not actions:
        first = seen.attempt == 1
        waits = (seen.begin_ms - seen.sent_ms)[first] >= WAITS_MS
        yield GroupFigure("first delivered 0.9 s late", int(waits.sum()), "messages")


class _Queue:
    """The first deliveries of one queue, by begin."""

    def __init__(self, seen: DeliveriesSeen, queue: str) -> None:
        own = (seen.queue == queue) & (seen.attempt == 1)
        self.begin_ms, self.offset = seen.begin_ms[own], seen.offset[own]

    @property
    def overtaken(self) -> int:
        """Messages that are delivered for the first time after one that is behind them."""
        return int((self.offset < np.maximum.accumulate(self.offset)).sum()) if len(self.offset) else 0

    def longest_ms(self, from_ms: float) -> float:
        """The longest time without a message, from the last one before a moment on."""
        before = self.begin_ms[self.begin_ms < from_ms][-1:]
        edges = np.concatenate([before, self.begin_ms[self.begin_ms >= from_ms]])
        return float(np.diff(edges).max()) if len(edges) > 1 else 0.0
