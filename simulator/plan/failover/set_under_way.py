"""The history of a replica set while it is worked out: what is due, who is away, who is in sync.

What elects its masters is a class of its own for each mode.
"""

from __future__ import annotations

import heapq
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from simulator.plan.failover.set_history import (
    Draw,
    Election,
    Epoch,
    MachineGone,
    SetHistory,
    struck_again,
)
from simulator.scenario import Broker, FaultPeriod

Handler = Callable[[int, int], None]  # is given when, and the number of a fault or a machine
FAULT = 0  # the kind of event that each fault of the set is


class SetUnderWay(ABC):
    """A set to which its faults happen, in order of time; `draw` gives its chances."""

    def __init__(self, broker: Broker, periods: Sequence[FaultPeriod], draw: Draw, end_us: int) -> None:
        self.broker, self.draw, self.end_us = broker, draw, end_us
        self.machines = range(1, broker.replicas + 1)
        self.away: dict[int, MachineGone] = {}
        self.absences: list[MachineGone] = []
        self.epochs, self.elections = [Epoch(1, 0, 0)], list[Election]()
        self.syncs = [(0, frozenset(self.machines))]
        self._due: list[tuple[int, int, int, int]] = []
        self.periods = list(periods)
        for number, period in enumerate(self.periods):
            self.at(period.at_us, FAULT, number)

    @property
    @abstractmethod
    def handlers(self) -> Sequence[Handler]:
        """Who handles each kind of event, that of faults first; of one moment the first kind is first."""

    @property
    def sync(self) -> frozenset[int]:
        """The sync set."""
        return self.syncs[-1][1]

    def at(self, at_us: int, kind: int, number: int) -> None:
        """Have something happen then, unless the run has ended."""
        if at_us < self.end_us:
            heapq.heappush(self._due, (at_us, kind, number, len(self._due)))

    def history(self) -> SetHistory:
        """Let everything happen."""
        handlers = self.handlers
        while self._due:
            at_us, kind, number, _ = heapq.heappop(self._due)
            handlers[kind](at_us, number)
        return SetHistory(self.broker.replicas, self.epochs, self.absences, self.elections, self.syncs)

    def set_sync(self, at_us: int, members: frozenset[int]) -> None:
        """Change the sync set."""
        if members != self.sync:
            self.syncs.append((at_us, members))

    def goes(self, own: MachineGone) -> MachineGone:
        """A machine is away from now on; one that was away already is so as both faults leave it."""
        if own.machine in self.away:
            before = self.away[own.machine]
            self.absences.remove(before)
            own, earlier = struck_again(before, own)
            self.absences += earlier
        self.away[own.machine] = own
        self.absences.append(own)
        return own

    def struck_machine(self, leader: int, last: int) -> int:
        """Whom a fault of the set's process strikes: its leader, else one that is there, first of all `last`; or 0."""
        return leader or next((machine for machine in (last, *self.machines) if machine not in self.away), 0)
