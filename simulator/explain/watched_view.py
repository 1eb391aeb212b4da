"""A view whose reader is watched: which queues of the list it looks at, in which order."""

from __future__ import annotations

from typing import cast

from simulator.client.view import QueueEntry, View
from simulator.compiled.records import Record, Region


class _Instead:
    """A record with one of its fields replaced."""

    def __init__(self, record: Record, name: str, other: object) -> None:
        self.__dict__.update({"_record": record, name: other})

    def __getattr__(self, name: str) -> object:
        return getattr(self._record, name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(self._record, name, value)


class _Entries:
    """The entries of a queue list; the place of each that is read is noted."""

    def __init__(self, entries: Region[QueueEntry]) -> None:
        self.entries = entries
        self.read: list[int] = []

    def __getitem__(self, place: int) -> QueueEntry:
        if self.read[-1:] != [int(place)]:  # the entry that is taken is read once more
            self.read.append(int(place))
        return self.entries[place]


def watched(view: View) -> tuple[View, list[int]]:
    """A view to be handed to a rule in plain Python, and the places of its list that are read, filled as it runs."""
    entries = _Entries(view.queues.queues)
    return cast(View, _Instead(view, "queues", _Instead(view.queues, "queues", entries))), entries.read
