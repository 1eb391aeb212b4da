"""Rejects by their reasons: how many, an example of each, and whether they look like failures."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

FAILURE = r"(?i)exception|time_?out|fail|error|busy|not_available|refused"
KEPT = 100  # reasons of a part


@dataclass
class RejectGroup:
    """Rejects of one reason. position, value: of the first of them."""

    count: int
    position: str
    value: str


@dataclass
class RejectGroups:
    """Follows the rejects of a log; groups: by their reason. failures: how many look like attempts that failed."""

    groups: dict[str, RejectGroup] = field(default_factory=dict)
    failures: int = 0

    def add(self, rejected: pa.Table) -> None:
        """Take the next rejects, in the order of the log."""
        self.failures += pc.sum(pc.match_substring_regex(rejected.column("record"), FAILURE)).as_py() or 0
        for reject in rejected.to_pylist():
            group = self.groups.get(reject["reason"])
            if group is not None:
                group.count += 1
            elif len(self.groups) < KEPT:
                self.groups[reject["reason"]] = RejectGroup(1, reject["position"], reject["value"] or "")

    def follow(self, after: dict[str, Any]) -> None:
        """Take what was seen of the next part of the log, as `asdict` has it."""
        self.failures += after.get("failures", 0)
        for reason, group in after.get("groups", {}).items():
            own = self.groups.setdefault(reason, RejectGroup(0, group["position"], group["value"]))
            own.count += group["count"]

    def most(self, count: int) -> list[dict[str, Any]]:
        """The most frequent reasons: reason, count, position and value."""
        ranked = sorted(self.groups.items(), key=lambda one: (-one[1].count, one[0]))
        return [{"reason": reason} | asdict(group) for reason, group in ranked[:count]]
