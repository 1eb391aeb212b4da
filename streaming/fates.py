"""What became of the messages of a producer group: what the caller was told, and what was kept."""

from __future__ import annotations

from dataclasses import dataclass

FATES = (
    "acknowledged_lost", "acknowledged_once", "acknowledged_doubled", "thrown_lost", "thrown_once", "thrown_doubled"
)  # fmt: skip


@dataclass(frozen=True)
class GroupSummary:
    """The messages of one producer group, or of all. Latency is from arrival to the answer to the caller.

    failed: messages with any result but SEND_OK (one-way: SENT_ONEWAY).  refused: those of them that made no attempt.
    A batch counts as its messages.  duplicates: copies stored beyond the first of a message.
    lost: messages of which no copy is kept.  The six that begin with acknowledged_ or thrown_ count every message
    once: by whether the caller got a SendResult or an exception, and by the copies that are kept: none, one, more.
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
    acknowledged_lost: int
    acknowledged_once: int
    acknowledged_doubled: int
    thrown_lost: int
    thrown_once: int
    thrown_doubled: int
    p50_ms: float | None
    p99_ms: float | None

    @property
    def acknowledged(self) -> int:
        """Messages whose caller got a SendResult."""
        return self.acknowledged_lost + self.acknowledged_once + self.acknowledged_doubled

    @property
    def thrown(self) -> int:
        """Messages whose caller got an exception."""
        return self.thrown_lost + self.thrown_once + self.thrown_doubled

    @property
    def adds_up(self) -> bool:
        """Whether every message is in exactly one of the six counts."""
        return self.messages == self.acknowledged + self.thrown and self.lost == (
            self.acknowledged_lost + self.thrown_lost
        )
