"""One finding: what happened, how much of it, when and why; and their order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from state.texts import Sentence

# The worst first; kinds in one tuple are ordered by their size.
ORDER = (
    ("lost",), ("lost_unseen",), ("readable_rolled_back",), ("failed",), ("given_up",), ("no_master",),
    ("failed_starts",),
    ("missed", "skipped", "lost_pops"), ("dead_letters",),
    ("backlog",), ("consumed_twice",), ("revived", "refused_pops"), ("late_delays",), ("late_transactions",),
    ("failed_deliveries", "expired", "deduplicated"),
    ("lag_verdict",), ("duplicates", "readable_twice"), ("waits", "never_sent"), ("retries",), ("check_backs",),
    ("load",), ("unowned", "double_owned"), ("isolation",),
    ("queue",),
)  # fmt: skip
MOST = 10


@dataclass(frozen=True)
class ReportFinding:
    """One sentence. size: messages; of waits times their p99 in seconds; of isolation seconds.

    cause: why, "" where the tables do not show it. because: ids of the causes. without: by cause, the size with that
    cause left out. proven: the causes were left out, and it vanished or shrank.
    place: the id of what to look at on the page, without `title-`.
    """

    kind: str
    text: str
    place: str
    size: float
    cause: str = ""
    from_us: int | None = None
    until_us: int | None = None
    because: tuple[str, ...] = ()
    without: Mapping[str, float] = field(default_factory=dict)
    proven: bool = False

    @property
    def what(self) -> Sentence:
        """The sentence without its cause and its full stop."""
        text = self.text if isinstance(self.text, Sentence) else Sentence(self.text)
        what = text.removesuffix(".").removesuffix(f": {self.cause}")
        return Sentence.of(what, text.id, text.place, text.facts)

    def as_json(self) -> dict[str, object]:
        """Plain values; times in seconds of virtual time."""
        times = {"from_s": self.from_us, "until_s": self.until_us}
        seconds = {name: None if us is None else us / 1e6 for name, us in times.items()}
        about = {"because": list(self.because), "proven": self.proven, "without": dict(self.without)}
        return {
            "kind": self.kind,
            "text": self.text,
            "cause": self.cause,
            "size": round(self.size, 3),
            **seconds,
            **about,
        }


def in_order(found: Iterable[ReportFinding]) -> list[ReportFinding]:
    """The worst kind first, in each by size; at most MOST."""
    rank = {kind: place for place, kinds in enumerate(ORDER) for kind in kinds}
    return sorted(found, key=lambda one: (rank[one.kind], -one.size, one.text))[:MOST]
