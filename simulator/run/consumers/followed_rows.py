"""What brokers did that consumers follow: rows that the event loop puts out before or as their time comes."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from simulator.compiled.records import Array, Region, layout_of, size_of
from simulator.compiled.region_store import columns
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.engine.memory.output import FOLLOWED
from simulator.plan.consumers.consumer_plan import ConsumerPlan
from state.packing import StatePart

PREFIX = "consumers."
PENDING = tuple(PREFIX + name for name in FOLLOWED)


class FollowedRows:
    """Appends, losses and answers, by table; those whose time has not come are kept, and stored."""

    def __init__(self, plan: ConsumerPlan) -> None:
        self._plan = plan
        self._rows = {name: np.empty((0, size_of(record)), np.int64) for name, record in FOLLOWED.items()}
        self._counts = dict.fromkeys(FOLLOWED, 0)  # of these rows, the rest is room
        self._taken = dict(self._rows)  # a machine holds their addresses only

    def add(self, name: str, cells: Array, count: int) -> None:
        """Take over the first `count` rows of that table, in whose cells they lie."""
        rows, before = cells.reshape(-1, size_of(FOLLOWED[name]))[:count], self._counts[name]
        own = self._rows[name]
        if before + count > len(own):
            own = self._rows[name] = _with_room(own[:before], before + count)
        added = own[before : before + count]
        added[:] = rows
        self._counts[name] += count
        at = columns(FOLLOWED[name])
        if "delay" in at:
            self._plan.delays.mark(added, at)
            self._plan.transactions.mark(added, at)

    def hand_over(self, world: ConsumerWorld, until_us: int) -> None:
        """Let a machine read those before that moment, in order of time; those of one moment as they were put out."""
        for name, record in FOLLOWED.items():
            own = self._rows[name]
            at_us = own[: self._counts[name], columns(record)["at_us"]]
            order, now = in_order(at_us), int(np.count_nonzero(at_us < until_us))
            if now > len(self._taken[name]):
                self._taken[name] = _with_room(self._taken[name][:0], now)
            taken = self._taken[name][:now]
            own.take(order[:now], axis=0, out=taken, mode="clip")  # else what it takes is copied once more
            self._counts[name] = len(order) - now
            own[: len(order) - now] = own[order[now:]]
            read = getattr(world, name)
            read.rows, read.count, read.next = Region.of(record, taken.reshape(-1)), now, 0

    def parts(self) -> dict[str, StatePart]:
        """What is stored: the rows whose time has not come."""
        return {
            PREFIX + name: StatePart(rows[: self._counts[name]].reshape(-1), list(layout_of(FOLLOWED[name]).cells))
            for name, rows in self._rows.items()
        }

    def restore(self, parts: Mapping[str, StatePart]) -> None:
        """Take over what was stored."""
        for name, none in self._rows.items():
            self._keep(name, parts[PREFIX + name].values.reshape(-1, none.shape[1]))

    def take_over(self, other: FollowedRows) -> None:
        """Go on with what another one keeps."""
        for name, rows in other._rows.items():
            self._keep(name, rows[: other._counts[name]])

    def _keep(self, name: str, rows: Array) -> None:
        self._rows[name], self._counts[name] = rows.copy(), len(rows)


def in_order(at_us: Array) -> Array:
    """The places of times, which are at least 0, in their order; those of one moment as they stand."""
    bits = len(at_us).bit_length()
    if int(at_us.max(initial=0)) >> 63 - bits:
        return np.argsort(at_us, kind="stable")
    keys = at_us << bits  # a number for both is sorted several times as fast as places by their times
    keys |= np.arange(len(at_us))
    keys.sort()
    keys &= (1 << bits) - 1
    return keys


def _with_room(rows: Array, count: int) -> Array:
    """The rows in an array with room for so many, or for twice as many as they are."""
    own = np.empty((max(count, 2 * len(rows)), rows.shape[1]), np.int64)
    own[: len(rows)] = rows
    return own
