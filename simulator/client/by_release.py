"""What has one value up to a release and another one since."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

T = TypeVar("T")


@dataclass(frozen=True)
class ByRelease:
    """The value of the first release, and that of each release which changes it."""

    first: Any
    changes: Mapping[str, Any]

    @property
    def values(self) -> list[Any]:
        """All values it ever has."""
        return [self.first, *self.changes.values()]

    def after(self, releases: Sequence[str]) -> Any:
        """The value after these releases, the oldest first."""
        return next((self.changes[each] for each in reversed(releases) if each in self.changes), self.first)


def since(first: T, changes: Mapping[str, T] | None = None) -> T:
    """Declare a field of a client: what the first release has, and by release what is changed.

    It gives a ByRelease, which `releases` makes values of; to the type checker it is one of the values.
    """
    return cast(T, ByRelease(first, changes or {}))
