"""A picture on the page with its title, its buttons and the keys of its lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

Keys = Sequence[tuple[str, str]]  # name and colour


@dataclass(frozen=True)
class PictureCard:
    """name: of its figure; note: what is seen; sets: key and text of each button; first: the one that is pressed.

    keys: of lines that are not brokers, by the set they belong to, '' for all.
    """

    name: str
    title: str
    note: str
    sets: Sequence[tuple[str, str]] = ()
    first: str = "share"
    keys: Mapping[str, Keys] = field(default_factory=dict)
