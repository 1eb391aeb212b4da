"""Events of windows of virtual time that are not complete yet, as they wait and as a checkpoint remembers them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from simulator.compiled.records import Array
from simulator.plan.timetable import COLUMNS
from simulator.workload import NO_ARRIVALS, Arrivals, Ints
from state.layout_texts import LayoutTexts
from state.packing import LayoutError, StatePart, pack, unpack

ARRIVALS, OBSERVATIONS = "arrivals_ahead", "observations_ahead"
FIELDS = {
    ARRIVALS: ("window", "at_us", "thread", "topic", "draw", "number"),
    OBSERVATIONS: ("window", *COLUMNS),
}
NOTHING = np.empty((0, len(COLUMNS)), np.int64)


class EventsAhead:
    """Arrivals and broker observations by window, in whatever parts and order they were given."""

    def __init__(self) -> None:
        self._arrivals: dict[int, list[tuple[Arrivals, Ints]]] = {}
        self._observations: dict[int, list[Array]] = {}

    def arrive(self, window: int, events: Arrivals, numbers: Ints | None = None) -> None:
        """Add arrivals of a window; `numbers` tells those of one thread apart that share a microsecond."""
        if len(events):
            own = np.zeros(len(events), np.int64) if numbers is None else numbers
            self._arrivals.setdefault(window, []).append((events, own))

    def announce(self, window: int, rows: Array) -> None:
        """Add broker observations int64[n, 5] that are known from the begin of a window on."""
        if len(rows):
            self._observations.setdefault(window, []).append(rows)

    def windows_until(self, last: int) -> list[int]:
        """The windows up to `last` that have events."""
        return sorted(window for window in {*self._arrivals, *self._observations} if window <= last)

    def take(self, window: int) -> tuple[Array, Arrivals]:
        """Give a window's observations and arrivals in their total order, and forget them."""
        announced, parts = self._observations.pop(window, []), self._arrivals.pop(window, [])
        rows = announced[0] if len(announced) == 1 else NOTHING
        if len(announced) > 1:
            rows = np.concatenate(announced)
            rows = rows[np.lexsort(rows.T[::-1])]
        return rows, _merged(parts)

    def arrivals(self) -> Array:
        """Every arrival that waits, int64[n, 6] as FIELDS names them."""
        rows = [
            np.stack([np.full(len(some), window), some.at_us, some.thread, some.topic, some.draw, numbers], axis=1)
            for window, parts in self._arrivals.items()
            for some, numbers in parts
        ]
        return np.concatenate(rows) if rows else np.empty((0, len(FIELDS[ARRIVALS])), np.int64)

    def observations(self) -> Array:
        """Every observation that waits, int64[n, 6] as FIELDS names them."""
        rows = [
            np.concatenate([np.full((len(some), 1), window), some], axis=1)
            for window, parts in self._observations.items()
            for some in parts
        ]
        return np.concatenate(rows) if rows else np.empty((0, len(FIELDS[OBSERVATIONS])), np.int64)

    def packed(self, others: Mapping[str, StatePart] | None = None) -> bytes:
        """What a checkpoint remembers, with other parts; nothing where there is nothing."""
        found = {ARRIVALS: self.arrivals(), OBSERVATIONS: self.observations()}
        parts = {name: StatePart(rows.reshape(-1), FIELDS[name]) for name, rows in found.items() if len(rows)}
        parts |= others or {}
        return pack(parts) if parts else b""

    @classmethod
    def unpacked(cls, packed: bytes) -> tuple[EventsAhead, dict[str, StatePart]]:
        """What `packed` was called for, and the other parts. Raises LayoutError."""
        ahead, parts = cls(), unpack(packed) if packed else {}
        rows = {}
        for name, fields in FIELDS.items():
            part = parts.pop(name, StatePart(np.empty(0, np.int64), fields))
            if tuple(part.fields) != fields or len(part.values) % len(fields):
                raise LayoutError(LayoutTexts.OTHER_FIELDS(region=name))
            rows[name] = part.values.reshape(-1, len(fields))
        for window in np.unique(rows[ARRIVALS][:, 0]):
            _, at_us, thread, topic, draw, numbers = rows[ARRIVALS][rows[ARRIVALS][:, 0] == window].T.copy()
            ahead.arrive(int(window), Arrivals(at_us, thread, topic, draw), numbers)
        for window in np.unique(rows[OBSERVATIONS][:, 0]):
            ahead.announce(int(window), rows[OBSERVATIONS][rows[OBSERVATIONS][:, 0] == window][:, 1:].copy())
        return ahead, parts


def _merged(parts: list[tuple[Arrivals, Ints]]) -> Arrivals:
    if not parts:
        return NO_ARRIVALS
    if len(parts) == 1 and not parts[0][1].any():
        return parts[0][0]
    at_us, thread, topic, draw = (
        np.concatenate([getattr(some, name) for some, _ in parts]) for name in ("at_us", "thread", "topic", "draw")
    )
    order = np.lexsort((np.concatenate([numbers for _, numbers in parts]), thread, at_us))
    return Arrivals(at_us[order], thread[order], topic[order], draw[order])
