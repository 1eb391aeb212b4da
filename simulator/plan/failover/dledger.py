"""A set of DLedger: its members elect a leader among themselves, and a message is acknowledged by a majority.

Source: dledger 0.3.1, DLedgerLeaderElector (heartBeatTimeIntervalMs 2 s, maxHeartBeatLeak 3, votes after 300 ms to
1 s), DLedgerRoleChangeHandler; times measured on a real cluster of 5.3.3: a leader is named 8.5 and 9.4 s after a kill.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from simulator.engine.memory.replica import IS_GONE
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
)
from simulator.scenario import Broker, FaultPeriod
from simulator.units import US_PER_S

BEAT_US, LEAK = 2 * US_PER_S, 3
VOTE_US = (300_000, 1_000_000)
ROLE_US = (1_000_000, 2_000_000)  # the new leader starts its services and registers
RETURNS_US = (1_000_000, 3_000_000)


def dledger_history(broker: Broker, periods: Sequence[FaultPeriod], draw: Draw, end_us: int) -> SetHistory:
    """What happens to a set of DLedger; `periods`: its faults, in order of time."""
    machines = range(1, broker.replicas + 1)
    absences: list[MachineGone] = []
    epochs, elections = [Epoch(1, 0, 0)], list[Election]()
    backs_us = dict[MachineGone, int]()
    for period in periods:
        epoch = epochs[-1]
        if period.kind in OF_SLAVES or period.at_us < epoch.begins_us:
            continue
        own = absence_of(period, epoch.machine, end_us)
        absences.append(own)
        beats_us = BEAT_US * LEAK - draw(0, BEAT_US)
        # The first vote names nobody: both are candidates of their own.
        at_us = own.at_us + beats_us + draw(*VOTE_US) + draw(*VOTE_US) + draw(*ROLE_US)
        alive = [m for m in machines if not any(a.machine == m and a.at_us <= at_us < a.until_us for a in absences)]
        if own.how != IS_GONE and own.until_us <= at_us:
            continue
        if 2 * len(alive) <= broker.replicas:
            elections.append(Election(at_us, 0, len(epochs), tuple(alive), "no majority is there"))
            at_us = min((a.until_us for a in absences if a.until_us > at_us), default=FOREVER_US) + draw(*ROLE_US)
            alive = [m for m in machines if not any(a.machine == m and a.at_us <= at_us < a.until_us for a in absences)]
        if at_us >= end_us:
            at_us = FOREVER_US
        delisted_us = own.at_us + draw(*DELISTED_US) if own.how == IS_GONE else at_us
        epochs[-1] = replace(epoch, ends_us=own.at_us, delisted_us=delisted_us, end=own)
        if at_us == FOREVER_US:
            break
        machine = alive[draw(0, len(alive))]
        epochs.append(Epoch(machine, at_us, at_us))
        elections.append(Election(at_us, machine, len(epochs), tuple(alive), "a majority voted"))
        backs_us[own] = own.until_us + draw(*RETURNS_US)
    moments = sorted({0, *(epoch.begins_us for epoch in epochs), *(us for us in backs_us.values() if us < end_us)})
    sync = [
        (now_us, frozenset(machines) - {own.machine for own, us in backs_us.items() if own.at_us <= now_us < us})
        for now_us in moments
    ]
    return SetHistory(broker.replicas, epochs, absences, elections, sync)
