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
NONE = {name: np.empty((0, size_of(record)), np.int64) for name, record in FOLLOWED.items()}


class FollowedRows:
    """Appends, losses and answers, by table; those whose time has not come are kept, and stored."""

    def __init__(self, plan: ConsumerPlan) -> None:
        self._plan = plan
        self._pending = dict(NONE)
        self._fresh: dict[str, list[Array]] = {name: [] for name in NONE}
        self._taken = dict(NONE)  # a machine holds their addresses only

    def add(self, name: str, cells: Array, count: int) -> None:
        """Take over the first `count` rows of that table, in whose cells they lie."""
        rows = cells.reshape(-1, size_of(FOLLOWED[name]))[:count].copy()
        at = columns(FOLLOWED[name])
        if "delay" in at:
            self._plan.delays.mark(rows, at)
            self._plan.transactions.mark(rows, at)
        self._fresh[name].append(rows)

    def hand_over(self, world: ConsumerWorld, until_us: int) -> None:
        """Let a machine read those before that moment, in order of time; those of one moment as they were put out."""
        for name, record in FOLLOWED.items():
            at_us = columns(record)["at_us"]
            rows = np.concatenate([self._pending[name], *self._fresh[name]])
            rows = rows[np.argsort(rows[:, at_us], kind="stable")]
            now = int(np.searchsorted(rows[:, at_us], until_us))
            taken = self._taken[name] = np.ascontiguousarray(rows[:now])
            self._pending[name], self._fresh[name] = rows[now:].copy(), []
            read = getattr(world, name)
            read.rows, read.count, read.next = Region.of(record, taken.reshape(-1)), now, 0

    def parts(self) -> dict[str, StatePart]:
        """What is stored: the rows whose time has not come."""
        return {
            PREFIX + name: StatePart(rows.reshape(-1), list(layout_of(FOLLOWED[name]).cells))
            for name, rows in self._pending.items()
        }

    def restore(self, parts: Mapping[str, StatePart]) -> None:
        """Take over what was stored."""
        for name, none in NONE.items():
            self._pending[name] = parts[PREFIX + name].values.reshape(-1, none.shape[1])

    def take_over(self, other: FollowedRows) -> None:
        """Go on with what another one keeps."""
        self._pending = {name: rows.copy() for name, rows in other._pending.items()}
