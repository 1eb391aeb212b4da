"""How far time is complete, from what is known of each partition of the topics."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np

from state.layout_texts import LayoutTexts
from state.packing import LayoutError, StatePart
from streaming.kafka.intake.record_blocks import ENDED, Partition
from streaming.texts.kafka_texts import KafkaTexts

PART, FIELDS = "kafka_partitions", ("topic", "partition", "mark", "is_quiet")
UNREAD = -(1 << 62)


class Partitions:
    """What one cell knows: of each partition the latest virtual time read from it, and whether it is quiet.

    A partition is quiet when all of it has been read and nothing came for some time: then it holds nobody up.
    """

    def __init__(self) -> None:
        self._marks: dict[Partition, int] = {}
        self._quiet: set[Partition] = set()

    def tell(self, payload: bytes) -> None:
        """Take which partitions there are, and which are quiet: JSON [[topic, partition, is_quiet], ...]."""
        marks = json.loads(payload)
        self._quiet = {Partition(topic, number) for topic, number, is_quiet in marks if is_quiet}
        for topic, number, _ in marks:
            self._marks.setdefault(Partition(topic, number), UNREAD)

    def read(self, place: Partition, mark: int) -> None:
        """Take that a partition was read up to a time; ENDED if nothing follows."""
        self._marks[place] = max(self._marks.get(place, UNREAD), mark)
        self._quiet.discard(place)

    @property
    def has_ended(self) -> bool:
        """Whether nothing follows anywhere."""
        held = self._held()
        return bool(held) and min(held) == ENDED

    def complete_us(self, lateness_us: int) -> int:
        """Virtual time before which nothing comes any more, if no record is later than that; never negative."""
        held = [mark for mark in self._held() if mark != ENDED]
        return max(min(held, default=0) - lateness_us, 0)

    def _held(self) -> list[int]:
        return [mark for place, mark in self._marks.items() if place not in self._quiet]

    def part(self, topics: Sequence[str]) -> dict[str, StatePart]:
        """What a checkpoint remembers."""
        rows = [
            (topics.index(place.topic), place.partition, mark, int(place in self._quiet))
            for place, mark in sorted(self._marks.items())
        ]
        return {PART: StatePart(np.array(rows, np.int64).reshape(-1), FIELDS)} if rows else {}

    @classmethod
    def of(cls, parts: dict[str, StatePart], topics: Sequence[str]) -> Partitions:
        """What `part` gave. Raises LayoutError if it is of another layout or of other topics."""
        own, part = cls(), parts.get(PART, StatePart(np.empty(0, np.int64), FIELDS))
        if tuple(part.fields) != FIELDS:
            raise LayoutError(LayoutTexts.OTHER_FIELDS(region=PART))
        for topic, number, mark, is_quiet in part.values.reshape(-1, len(FIELDS)).tolist():
            if topic >= len(topics):
                raise LayoutError(KafkaTexts.STATE_OF_OTHER_TOPICS())
            place = Partition(topics[topic], number)
            own._marks[place] = mark
            if is_quiet:
                own._quiet.add(place)
        return own
