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
UNKNOWN = -1  # in the place of is_quiet: nobody has named the partitions yet


class Partitions:
    """What one cell knows: of each partition the latest virtual time read from it, and whether it is quiet.

    A partition is quiet when all of it has been read and nothing came for some time: then it holds nobody up.
    """

    def __init__(self) -> None:
        self._marks: dict[Partition, int] = {}
        self._quiet: set[Partition] = set()
        self._are_known = False  # else others than those that were read may be there

    def tell(self, payload: bytes) -> None:
        """Take which partitions there are, and which are quiet: JSON [[topic, partition, is_quiet], ...]."""
        marks = json.loads(payload)
        self._are_known = self._are_known or bool(marks)
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
        return self._are_known and bool(held) and min(held) == ENDED

    def complete_us(self, lateness_us: int) -> int:
        """Virtual time before which nothing comes any more, if no record is later than that; never negative."""
        held = [mark for mark in self._held() if mark != ENDED] if self._are_known else []
        return max(min(held, default=0) - lateness_us, 0)

    def _held(self) -> list[int]:
        return [mark for place, mark in self._marks.items() if place not in self._quiet]

    def _quiet_mark(self, place: Partition) -> int:
        return int(place in self._quiet) if self._are_known else UNKNOWN

    def part(self, topics: Sequence[str]) -> dict[str, StatePart]:
        """What a checkpoint remembers."""
        rows = [
            (topics.index(place.topic), place.partition, mark, self._quiet_mark(place))
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
            own._are_known = is_quiet != UNKNOWN
            if is_quiet == 1:
                own._quiet.add(place)
        return own
