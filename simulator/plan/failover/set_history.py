"""What happens to the machines of a replica set in the course of a run: who is master, who is away, who is in sync."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from simulator.engine.memory.replica import IS_FROZEN, IS_GONE, IS_MUTE
from simulator.scenario import FaultPeriod

Draw = Callable[[int, int], int]  # a number in [low, high)

FOREVER_US = 1 << 50
DELISTED_US = (60_000, 130_000)  # measured: from a closed connection to the route without id 0
# what a fault of a broker makes of the machine that it strikes
STRIKES = {
    "kill": IS_GONE, "restart": IS_GONE, "rolling_restart": IS_GONE, "master_lost": IS_GONE,
    "hang": IS_FROZEN, "pause": IS_FROZEN,
    "silent_death": IS_MUTE, "power_loss": IS_MUTE, "disk_loss": IS_MUTE,
}  # fmt: skip
OF_SLAVES = ("slave_lag", "slave_lost")


@dataclass(frozen=True)
class MachineGone:
    """A machine, numbered from 1, does not answer in [at_us, until_us); `how`: IS_GONE, IS_MUTE or IS_FROZEN.

    As the end of an epoch IS_SLAVE too: it answers, and leads no more.
    """

    machine: int
    at_us: int
    until_us: int
    how: int
    graceful: bool = False


@dataclass(frozen=True)
class Election:
    """An attempt to name a master. `machine` 0: nobody could be elected.

    sync: the sync set as it is decided; why: of the attempt.
    """

    at_us: int
    machine: int
    epoch: int
    sync: tuple[int, ...]
    why: str


@dataclass(frozen=True)
class Epoch:
    """A machine is master in [begins_us, ends_us), and name servers name it in [listed_us, delisted_us)."""

    machine: int
    begins_us: int
    listed_us: int
    ends_us: int = FOREVER_US
    delisted_us: int = FOREVER_US
    end: MachineGone | None = None


@dataclass(frozen=True)
class SetHistory:
    """epochs: in order of time. sync: (from when, members), in order of time, the first from 0."""

    replicas: int
    epochs: Sequence[Epoch]
    absences: Sequence[MachineGone]
    elections: Sequence[Election]
    sync: Sequence[tuple[int, frozenset[int]]]
    is_struck: bool = True  # by any fault, of its slaves too

    def state_of(self, machine: int, at_us: int) -> int | None:
        """How a machine is away at a moment, None while it is there."""
        held = [one for one in self.absences if one.machine == machine and one.at_us <= at_us < one.until_us]
        return held[-1].how if held else None


def undisturbed(replicas: int) -> SetHistory:
    """The history of a set that nothing happens to."""
    return SetHistory(replicas, [Epoch(1, 0, 0)], [], [], [(0, frozenset(range(1, replicas + 1)))], is_struck=False)


def absence_of(period: FaultPeriod, machine: int, end_us: int) -> MachineGone:
    """What a fault of a process makes of the machine that it strikes; one without an end within the run has none."""
    until_us = period.until_us if period.until_us < end_us else FOREVER_US
    is_restart = period.kind in ("restart", "rolling_restart")
    graceful = is_restart and period.details.get("graceful", True)
    return MachineGone(machine, period.at_us, until_us, STRIKES[period.kind], graceful)


def struck_again(before: MachineGone, own: MachineGone) -> tuple[MachineGone, list[MachineGone]]:
    """A machine that is away is struck once more: it is away until both are over, and gone once it is killed.

    The list has what it was before the second fault, where that makes another absence of it.
    """
    until_us = max(before.until_us, own.until_us)
    if own.how != IS_GONE or before.how == IS_GONE:
        return replace(before, until_us=until_us), []
    earlier = [replace(before, until_us=own.at_us)] if before.at_us < own.at_us else []
    return replace(own, until_us=until_us), earlier


def lags_since(periods: Sequence[FaultPeriod], machine: int, at_us: int) -> int | None:
    """Since when a slave copies nothing at a moment, None while it copies; `periods`: the faults of its set."""
    lags = (period for period in periods if period.kind == "slave_lag" and period.value in (0, machine))
    return min((period.at_us for period in lags if period.at_us <= at_us < period.until_us), default=None)
