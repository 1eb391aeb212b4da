"""Results of the messages of a producer group: what the caller got, and the copies that are durable."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from streaming.outputs.dataset import codes, numbers

# The caller got a SendResult, or an exception, or, one-way, nothing; no durable copy, one, more.
FATE_NAMES = {
    "acknowledged_lost": "acknowledged, lost",
    "acknowledged_once": "acknowledged, stored once",
    "acknowledged_doubled": "acknowledged, duplicated",
    "failed_lost": "failed, not stored",
    "failed_once": "failed, although stored",
    "failed_doubled": "failed, although duplicated",
    "oneway_lost": "one-way, lost unseen",
    "oneway_once": "one-way, stored once",
    "oneway_doubled": "one-way, duplicated",
}
FATES = tuple(FATE_NAMES)
AS_HOPED = ("acknowledged_once", "oneway_once")
CALLERS = ("acknowledged", "failed", "oneway")  # what the caller got: the first word of a fate


@dataclass(frozen=True)
class GroupSummary:
    """The messages of one producer group, or of all. Latency is from arrival to the answer to the caller,
    of a batch once.

    failed: messages with any result but SEND_OK (one-way: SENT_ONEWAY).  refused: those of them that made no attempt.
    A batch counts as its messages, its attempts as those of one send. Parts and means are None without a message.
    duplicates: copies stored beyond the first of a message.  duplicated: messages with more than one copy.
    lost: acknowledged, and no copy is durable.  The names of FATES count every message once, by `fate_of`.
    """

    producer_group: str
    messages: int
    failed: int
    refused: int
    success_percent: float | None
    attempts_per_message: float | None
    copies_per_message: float | None
    duplicates: int
    duplicated: int
    lost: int
    acknowledged_lost: int
    acknowledged_once: int
    acknowledged_doubled: int
    failed_lost: int
    failed_once: int
    failed_doubled: int
    oneway_lost: int
    oneway_once: int
    oneway_doubled: int
    p50_ms: float | None
    p99_ms: float | None

    @property
    def lost_unseen(self) -> int:
        """One-way messages of which no copy is durable."""
        return self.oneway_lost

    @property
    def not_stored(self) -> int:
        """Messages whose caller got an exception, and of which no copy is durable."""
        return self.failed_lost

    def of_caller(self, caller: str) -> int:
        """Messages of one of CALLERS."""
        return sum(int(getattr(self, fate)) for fate in FATES if fate.startswith(f"{caller}_"))

    @property
    def adds_up(self) -> bool:
        """Whether every message is in exactly one of the counts, and the column `lost` says the same."""
        return self.messages == sum(map(self.of_caller, CALLERS)) and self.lost == self.acknowledged_lost


def is_refused(batch: pa.RecordBatch) -> np.ndarray:
    """Which of the rows of `sends` are of messages for which no attempt was made: columns attempts and broker.

    A message in a batch that its client made has a broker without attempts of its own.
    """
    return (numbers(batch.column("attempts")) == 0) & batch.column("broker").is_null().to_numpy(zero_copy_only=False)


def fate_of(batch: pa.RecordBatch) -> np.ndarray:
    """Position in FATES of each of the rows of `sends`: by what the caller got, and the copies that are durable.

    A one-way send that throws has failed; nobody acknowledges one that returns.
    """
    one_way = codes(batch.column("result"), {"SENT_ONEWAY": 0}, strict=False) == 0
    caller = np.where(one_way, 6, np.where(numbers(batch.column("acknowledged")), 0, 3))
    return caller + np.minimum(numbers(batch.column("copies_kept")), 2)
