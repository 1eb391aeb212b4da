"""Consequences grouped by their causes, the worst group first; what no cause explains comes last."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from simulator.causes.consequence import Consequence


@dataclass(frozen=True)
class CauseGroup:
    """The consequences of the same causes, the most costly first. because: ids, none for what nothing explains."""

    because: tuple[str, ...]
    consequences: tuple[Consequence, ...]

    @property
    def proven(self) -> bool:
        """Whether the causes of all of them were left out."""
        return all(one.proven for one in self.consequences)


def grouped(found: Iterable[Consequence]) -> list[CauseGroup]:
    """The groups, those with the most costly consequence first."""
    groups: dict[tuple[tuple[str, ...], bool], list[Consequence]] = {}
    for one in sorted(found, key=lambda own: own.rank):
        groups.setdefault((one.because, one.each_would_do), []).append(one)
    made = [CauseGroup(because, tuple(own)) for (because, _), own in groups.items()]
    return sorted(made, key=lambda group: (not group.because, group.consequences[0].rank))
