"""A set of DLedger: its members elect a leader among themselves, and a message is acknowledged by a majority.

Without a majority nobody leads: votes fail until enough members are back, and a leader whose heartbeats no majority
answers for 6 s stops leading, too. What strikes a set that nobody leads strikes one of its candidates.

Source: dledger 0.3.1, DLedgerLeaderElector (heartBeatTimeIntervalMs 2 s, maxHeartBeatLeak 3, votes after 300 ms to
1 s; sendHeartbeats, maintainAsFollower), DLedgerRoleChangeHandler; times measured on a real cluster of 5.3.3: a leader
is named 8.5 and 9.4 s after a kill.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from simulator.engine.memory.replica import IS_GONE, IS_SLAVE
from simulator.plan.failover.set_history import (
    DELISTED_US,
    FOREVER_US,
    OF_SLAVES,
    Draw,
    Election,
    Epoch,
    MachineGone,
    SetHistory,
    absence_of,
    lags_since,
)
from simulator.plan.failover.set_under_way import Handler, SetUnderWay
from simulator.scenario import Broker, FaultPeriod
from simulator.units import US_PER_S

BEAT_US, LEAK = 2 * US_PER_S, 3
VOTE_US = (300_000, 1_000_000)
ROLE_US = (1_000_000, 2_000_000)  # the new leader starts its services and registers
RETURNS_US = (1_000_000, 3_000_000)

BACK, JOINS, MISSED, UNHEARD, VOTED = range(1, 6)  # kinds of events, behind that of faults


class _Members(SetUnderWay):
    """Members that vote."""

    def __init__(self, broker: Broker, periods: Sequence[FaultPeriod], draw: Draw, end_us: int) -> None:
        super().__init__(broker, periods, draw, end_us)
        self.leader, self.last, self.voted_us = 1, 1, 0  # voted_us: of the vote that counts
        self.gone: MachineGone | None = None  # how the leader went last

    @property
    def handlers(self) -> Sequence[Handler]:
        """As the kinds of events are numbered."""
        return self._strike, self._return, self._join, self._miss, self._step_down, self._vote

    @property
    def _there(self) -> list[int]:
        return [machine for machine in self.machines if machine not in self.away]

    @property
    def _has_majority(self) -> bool:
        return 2 * len(self._there) > self.broker.replicas

    # faults

    def _strike(self, at_us: int, number: int) -> None:
        period = self.periods[number]
        if period.kind == "slave_lost":
            for machine in self._there:
                if machine != self.leader and period.value in (0, machine):
                    self._leave(MachineGone(machine, at_us, period.until_us, IS_GONE))
        if period.kind not in OF_SLAVES:
            machine = self.struck_machine(self.leader, self.last)
            if machine == 0:
                return
            own = self._leave(absence_of(period, machine, self.end_us))
            if machine == self.leader:
                self._leader_is_gone(at_us, own)
        if self.leader in self._there and not self._has_majority:
            self.at(at_us + BEAT_US * LEAK - self.draw(0, BEAT_US), UNHEARD, self.leader)

    def _leave(self, own: MachineGone) -> MachineGone:
        own = self.goes(own)
        self.at(own.until_us, BACK, own.machine)
        return own

    def _leader_is_gone(self, at_us: int, own: MachineGone) -> None:
        """Its followers miss its heartbeats. The first vote names nobody: both are candidates of their own.

        One that starts again sooner is a candidate, too.
        """
        self.gone = own
        if self.voted_us > at_us:
            return
        missed_us = own.at_us + BEAT_US * LEAK - self.draw(0, BEAT_US)
        voted_us = missed_us + self.draw(*VOTE_US) + self.draw(*VOTE_US) + self.draw(*ROLE_US)
        if own.how == IS_GONE or own.until_us > voted_us:
            self.voted_us = voted_us
            self.at(missed_us, MISSED, own.machine)
            self.at(voted_us, VOTED, 0)

    def _miss(self, at_us: int, machine: int) -> None:
        """The followers of a leader that was away are candidates."""
        own = self.gone
        if self.leader == machine and own is not None:
            delisted_us = own.at_us + self.draw(*DELISTED_US) if own.how == IS_GONE else FOREVER_US
            self._end_epoch(own, delisted_us)

    def _step_down(self, at_us: int, machine: int) -> None:
        """A leader that no majority answers leads no more."""
        if self.leader == machine and machine not in self.away and not self._has_majority:
            self._end_epoch(MachineGone(machine, at_us, FOREVER_US, IS_SLAVE), at_us + self.draw(*DELISTED_US))
            self._nobody(at_us, "no majority answers the leader")

    def _end_epoch(self, own: MachineGone, delisted_us: int) -> None:
        self.epochs[-1] = replace(self.epochs[-1], ends_us=own.at_us, delisted_us=delisted_us, end=own)
        self.leader, self.last = 0, own.machine

    # votes

    def _nobody(self, at_us: int, why: str) -> None:
        self.voted_us = 0
        if not self.elections or self.elections[-1].machine:
            self.elections.append(Election(at_us, 0, len(self.epochs), tuple(self._there), why))

    def _vote(self, at_us: int, _: int) -> None:
        if self.leader or at_us != self.voted_us:
            return
        if not self._has_majority:
            self._nobody(at_us, "no majority is there")
            return
        there = self._there
        complete = [m for m in there if lags_since(self.periods, m, at_us) is None] or there
        self.leader = complete[self.draw(0, len(complete))]
        before = self.epochs[-1]
        if before.delisted_us == FOREVER_US:
            self.epochs[-1] = replace(before, delisted_us=at_us)
        self.epochs.append(Epoch(self.leader, at_us, at_us))
        self.elections.append(Election(at_us, self.leader, len(self.epochs), tuple(there), "a majority voted"))
        self.set_sync(at_us, frozenset(there))

    # returns

    def _return(self, at_us: int, machine: int) -> None:
        own = self.away.get(machine)
        if own is None or own.until_us > at_us:
            return
        del self.away[machine]
        if self.leader not in (0, machine):
            self.at(at_us + self.draw(*RETURNS_US), JOINS, machine)
        elif self.leader == 0 and self.voted_us <= at_us and self._has_majority:
            self.voted_us = at_us + self.draw(*ROLE_US)
            self.at(self.voted_us, VOTED, 0)

    def _join(self, at_us: int, machine: int) -> None:
        if self.leader and machine not in self.away:
            self.set_sync(at_us, self.sync | {machine})


def dledger_history(broker: Broker, periods: Sequence[FaultPeriod], draw: Draw, end_us: int) -> SetHistory:
    """What happens to a set of DLedger; `periods`: its faults, in order of time."""
    return _Members(broker, periods, draw, end_us).history()
