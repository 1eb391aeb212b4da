"""What stands out in a run: one consequence, its kind, place, stretch of time, figure and causes."""

from __future__ import annotations

from dataclasses import dataclass, field

LOST, FAILED, LATE, SHIFTED = range(4)
INVISIBLE_US = 310_000_000  # what was popped comes again so much later, at most
SLOW = "slow"  # detail: of so much of it that this may be why a running instance was at it, or had it waiting

# The most costly first.
KINDS: dict[str, int] = {
    "lost": LOST, "missed": LOST, "lost_pops": LOST, "skipped": LOST,
    "failed": FAILED, "dead_letters": FAILED, "never_sent": FAILED, "no_master": FAILED,
    "failed_starts": FAILED,
    "backlog": LATE, "consumed_twice": LATE, "revived": LATE, "refused_pops": LATE,
    "delivered_again": LATE, "failed_deliveries": LATE, "late_delays": LATE, "late_transactions": LATE,
    "duplicates": LATE, "readable_twice": LATE, "waits": LATE, "retries": LATE, "unowned": LATE, "double_owned": LATE,
    "load": SHIFTED, "isolation": SHIFTED, "hot_queue": SHIFTED,
}  # fmt: skip
RANKS = {kind: (cost, place) for place, (kind, cost) in enumerate(KINDS.items())}


@dataclass(frozen=True)
class Consequence:
    """What happened. place: a producer group, consumer group, broker or topic.

    size: messages, copies, half messages, deliveries or starts; of backlog the highest lag. Of unowned and
    double_owned it is seconds of all queues, of no_master seconds, of isolation seconds of all producers. Of load it is
    the points (0..100) by which a broker's part of the attempts differs. Of late_delays it is milliseconds, of
    hot_queue the part of the messages, 0..100.
    at_us: when it was highest. detail: of revived and consumed_twice SLOW or "".
    gone_us: when a backlog is gone, None if it never is. usual: what the figure is without anything that happens.
    because: ids of the causes, each of which it needs, or any of which would do (`each_would_do`).
    without: cause -> size with that cause left out. proven: the causes were left out and it vanished or shrank;
    not proven: they overlap it in time. spans: the stretches [from_us, until_us) in which it happened. sizes: its size
    by what was left out. weight: of load, the attempts to all brokers in its stretch.
    """

    kind: str
    place: str
    from_us: int
    until_us: int
    size: float
    at_us: int = 0
    gone_us: int | None = None
    usual: float = 0.0
    detail: str = ""
    because: tuple[str, ...] = ()
    without: dict[str, float] = field(default_factory=dict)
    each_would_do: bool = False
    proven: bool = False
    spans: tuple[tuple[int, int], ...] = ()
    weight: float = 0.0
    sizes: dict[tuple[str, ...], float] = field(default_factory=dict, repr=False, compare=False)

    @property
    def rank(self) -> tuple[int, int, float, str]:
        """The most costly kind first, in a kind by its size."""
        return (*RANKS[self.kind], -self.size, self.place)

    @property
    def cost(self) -> int:
        """LOST, FAILED, LATE or SHIFTED."""
        return RANKS[self.kind][0]
