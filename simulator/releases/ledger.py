"""Which releases there are, and how a field is declared that they change."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from difflib import get_close_matches
from typing import Any, TypeVar, cast

from simulator.compiled.jit import ready
from simulator.releases.release_texts import ReleaseTexts
from state.texts import Sentence, at

T = TypeVar("T")

# Every release whose client was published (Maven Central) by PUBLISHED_BY.
PUBLISHED_BY = "2026-11-25"
RELEASES = (
    *("4.2.0", "4.3.0", "4.3.1", "4.3.2", "4.4.0", "4.5.0", "4.5.1", "4.5.2", "4.6.0", "4.6.1", "4.7.0", "4.7.1"),
    *("4.8.0", "4.9.0", "4.9.1", "4.9.2", "4.9.3", "4.9.4", "4.9.5", "4.9.6", "4.9.7", "4.9.8"),
    *("5.0.0", "5.1.0", "5.1.1", "5.1.2", "5.1.3", "5.1.4", "5.2.0", "5.3.0", "5.3.1", "5.3.2", "5.3.3"),
    *("5.4.0", "5.5.0"),
)
NEWEST = RELEASES[-1]  # what nothing says otherwise is taken for


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
    """Declare a field: what the first release has, and by release what is changed.

    It gives a ByRelease, which `every_release` makes values of; to the type checker it is one of the values.
    """
    return cast(T, ByRelease(first, changes or {}))


def declared(of: type) -> dict[str, ByRelease]:
    """The fields declared with `since`.

    Raises ValueError for an unknown release, TypeError for a rule of another name.
    """
    found = {each.name: each.default for each in fields(of) if isinstance(each.default, ByRelease)}
    for name, values in found.items():
        for release in values.changes:
            if release not in RELEASES:
                raise ValueError(at(name, unknown(release)))
        for value in values.values:
            # The numbers of two rules can be of the same types: what tells them apart is what they are called.
            if callable(value) and not value.__name__.startswith(name):
                raise TypeError(f"{name}: {value.__name__} is another rule")
    return found


def every_release(of: Callable[..., T]) -> Mapping[str, T]:
    """What is declared, as each release has it. Raises as `declared`."""
    table = declared(cast(type, of))
    return {
        release: of(release=release, **{name: each.after(RELEASES[: place + 1]) for name, each in table.items()})
        for place, release in enumerate(RELEASES)
    }


def compiled(table: Mapping[str, T], release: str) -> T:
    """What a release has, its functions compiled. Raises ValueError for an unknown one, naming the nearest."""
    if release not in table:
        raise ValueError(unknown(release))
    found = table[release]
    for member in fields(found):  # type: ignore[arg-type]
        ready(getattr(found, member.name))
    return found


def first_with(table: Mapping[str, Any], field: str) -> str:
    """The first release in which a field is true. Raises StopIteration where none is."""
    return next(release for release, found in table.items() if getattr(found, field))


def unknown(release: str) -> Sentence:
    """The sentence for a release that is not known."""
    return ReleaseTexts.UNKNOWN(release=release, near=nearest_release(release))


def nearest_release(release: str) -> str:
    """The known release nearest to any text: one it begins, else by version number, else by spelling."""
    begun = [known for known in RELEASES if known.startswith(f"{release}.")]
    if begun:
        return begun[-1]
    try:
        return min(RELEASES, key=lambda known: _distance(release, known))
    except ValueError:
        return (get_close_matches(release, RELEASES, n=1, cutoff=0.0) or [NEWEST])[0]


def _distance(release: str, other: str) -> int:
    weights = (10_000, 100, 1)
    parts = zip(weights, release.split("."), other.split("."), strict=True)
    return abs(sum(weight * (int(a) - int(b)) for weight, a, b in parts))
