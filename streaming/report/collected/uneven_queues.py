"""Queues of one broker that do not get the same load: as with a selector by hash, or counters that lost their step."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import pyarrow as pa

from streaming.outputs.dataset import RunOutput, codes, numbers
from streaming.outputs.tables.number_text import number, percent
from streaming.report.texts.card_texts import CardTexts

MAX_ROWS = 12
MAX_QUEUES = 32
UNEVEN = 1.5  # times the mean of the broker's queues
SURE = 6  # standard deviations of a count that is left to chance


class QueueTotals:
    """Reader of `attempts`: attempts by topic, broker and queue id."""

    columns = ("topic", "broker", "queue_id")

    def __init__(self, output: RunOutput) -> None:
        self.brokers = output.brokers
        # topic -> [brokers, queues], as wide as the largest queue id so far
        self.counts: dict[str, np.ndarray] = defaultdict(lambda: np.zeros((len(self.brokers), 1), dtype=np.int64))

    def add(self, batch: pa.RecordBatch) -> None:
        """Take the next attempts."""
        queue = numbers(batch.column("queue_id")).astype(np.int64)
        broker = codes(batch.column("broker"), self.brokers)
        names = {name: place for place, name in enumerate(batch.column("topic").unique().drop_null().to_pylist())}
        topic = codes(batch.column("topic"), names)
        wide = int(queue.max(initial=0)) + 1
        shape = (len(names), len(self.brokers), wide)
        picked = (queue >= 0) & (broker >= 0) & (topic >= 0)
        flat = ((topic * shape[1] + broker) * wide + queue)[picked]
        found = np.bincount(flat, minlength=int(np.prod(shape))).reshape(shape)
        for name, place in names.items():
            old = self.counts[name]
            new = np.zeros((len(self.brokers), max(wide, old.shape[1])), dtype=np.int64)
            new[:, : old.shape[1]] += old
            new[:, :wide] += found[place]
            self.counts[name] = new

    def uneven(self) -> list[tuple[str, str, np.ndarray]]:
        """Topic, broker and attempts by queue id, of topics in which chance does not explain the busiest queue."""
        rows = []
        for topic, counts in sorted(self.counts.items()):
            own = [(broker, _without_end(counts[place])) for broker, place in self.brokers.items()]
            used = [(topic, broker, queues) for broker, queues in own if queues.size]
            rows += used if any(_is_uneven(queues) for _, _, queues in used) else []
        return rows


def queue_card(totals: QueueTotals) -> dict[str, Any] | None:
    """What the card of uneven queues shows; None where all are even."""
    rows = totals.uneven()
    if not rows:
        return None
    of_topic = {topic: int(totals.counts[topic].sum()) for topic, _, _ in rows}
    topic, broker, queues = max(rows, key=lambda row: row[2].max() / of_topic[row[0]])
    share = percent(100 * queues.max() / of_topic[topic])
    note = CardTexts.BUSIEST(queue=int(queues.argmax()), broker=broker, percent=share, topic=topic)
    if len(rows) > MAX_ROWS:
        note = note.followed_by(CardTexts.FIRST_ROWS(most=MAX_ROWS, rows=len(rows)))
    if any(own.size > MAX_QUEUES for _, _, own in rows):
        note = note.followed_by(CardTexts.QUEUES_LEFT_OUT(first=MAX_QUEUES))
    lines = [
        (f"{broker} {topic}" if len(of_topic) > 1 else broker, _shares(queues[:MAX_QUEUES], of_topic[topic]))
        for topic, broker, queues in rows[:MAX_ROWS]
    ]
    return {"note": note, "width": min(max(queues.size for _, _, queues in rows), MAX_QUEUES), "rows": lines}


def _shares(queues: np.ndarray, total: int) -> list[tuple[int, str]]:
    """Of each queue how much of its cell is coloured, and its per cent of the attempts of the topic."""
    shares = [100 * int(count) / total for count in queues]
    return [(min(round(3 * share), 100), number(share, 1)) for share in shares]


def _without_end(queues: np.ndarray) -> np.ndarray:
    """The counts up to the last queue that was used."""
    used = np.flatnonzero(queues)
    return queues[: used[-1] + 1] if used.size else queues[:0]


def _is_uneven(queues: np.ndarray) -> bool:
    mean = queues.mean()
    return bool(queues.max() > max(UNEVEN * mean, mean + SURE * np.sqrt(mean)))
