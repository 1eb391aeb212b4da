"""What became of the messages of a producer group: what the caller was told, and what was kept."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from streaming.results.dataset import codes, numbers

# The caller was told OK (SEND_OK, another SendStatus, SENT_ONEWAY) or failed; lost, stored, doubled.
FATE_NAMES = {
    "told_ok_lost": "told OK, lost",
    "told_ok_once": "told OK, stored once",
    "told_ok_doubled": "told OK, doubled",
    "thrown_lost": "failed, not stored",
    "thrown_once": "failed although stored",
    "thrown_doubled": "failed although doubled",
}
FATES = tuple(FATE_NAMES)


@dataclass(frozen=True)
class GroupSummary:
    """The messages of one producer group, or of all. Latency is from arrival to the answer to the caller.

    failed: messages with any result but SEND_OK (one-way: SENT_ONEWAY).  refused: those of them that made no attempt.
    A batch counts as its messages, its attempts as those of one send.
    duplicates: copies stored beyond the first of a message.  lost: messages of which no copy is kept.
    The six that begin with told_ok_ or thrown_ count every message once, by `fate_of`.
    """

    producer_group: str
    messages: int
    failed: int
    refused: int
    success_percent: float
    attempts_per_message: float
    copies_per_message: float
    duplicates: int
    lost: int
    told_ok_lost: int
    told_ok_once: int
    told_ok_doubled: int
    thrown_lost: int
    thrown_once: int
    thrown_doubled: int
    p50_ms: float | None
    p99_ms: float | None

    @property
    def told_ok(self) -> int:
        """Messages whose caller got no exception."""
        return self.told_ok_lost + self.told_ok_once + self.told_ok_doubled

    @property
    def thrown(self) -> int:
        """Messages whose caller got an exception."""
        return self.thrown_lost + self.thrown_once + self.thrown_doubled

    @property
    def adds_up(self) -> bool:
        """Whether every message is in exactly one of the six counts."""
        return self.messages == self.told_ok + self.thrown and self.lost == (self.told_ok_lost + self.thrown_lost)


def is_refused(batch: pa.RecordBatch) -> np.ndarray:
    """Which of the rows of `sends` are of messages for which no attempt was made: columns attempts and broker.

    A message in a batch that its client made has a broker without attempts of its own.
    """
    return (numbers(batch.column("attempts")) == 0) & batch.column("broker").is_null().to_numpy(zero_copy_only=False)


def fate_of(batch: pa.RecordBatch) -> np.ndarray:
    """Position in FATES of each of the rows of `sends`: by what the caller was told, and the copies that are kept.

    A one-way send that returns is told to be well, though nobody acknowledges it. Copies kept: none, one, more.
    """
    one_way = codes(batch.column("result"), {"SENT_ONEWAY": 0}, strict=False) == 0
    told_well = numbers(batch.column("acknowledged")) | one_way
    return np.where(told_well, 0, 3) + np.minimum(numbers(batch.column("copies_kept")), 2)
