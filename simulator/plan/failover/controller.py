"""The controller of RocketMQ 5: it hears of a master that is gone, and elects another member of its sync set.

Times that a scan or a heartbeat decides have phases that the seed draws; the rest was measured on real clusters of
5.3.3. Source: rocketmq 5.0.0-5.5.0, DefaultBrokerHeartbeatManager (onBrokerChannelClose, scanNotActiveBroker),
DLedgerController.scanInactiveMasterAndTriggerReelect, ReplicasInfoManager.electMaster, DefaultElectPolicy,
RaftBrokerHeartBeatManager (scanNotActiveBroker returns where it should go on, 5.2.0-5.5.0: #9717, #10416),
ReplicasManager.checkSyncStateSetAndDoReport, AutoSwitchHAService.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from simulator.engine.memory.replica import IS_FROZEN, IS_GONE
from simulator.kernel.latency import WORDS, service_us
from simulator.plan.failover.controller_life import Span, led_from
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
from simulator.plan.failover.set_under_way import Handler, SetUnderWay
from simulator.plan.failover.slow_copying import (
    NOTHING_STORED,
    Stored,
    copied_per_s,
    has_slow,
    lacks_since,
    lag_ends_us,
)
from simulator.releases.controller_release import CONTROLLERS, ControllerRelease
from simulator.releases.ledger import NEWEST
from simulator.scenario import Broker, FaultPeriod
from simulator.units import US_PER_S, format_duration

REGISTER_US = 30 * US_PER_S  # registerNameServerPeriod
NOT_REGISTERED_US = 120 * US_PER_S  # channelExpiredTimeout
NAME_SERVER_SCAN_US = 5 * US_PER_S  # NamesrvConfig.scanNotActiveBrokerInterval
# measured: from a closed connection to the election; how long a graceful stop keeps its connection to the controller
NOTICES_US = (80_000, 170_000)
SHUTDOWN_US = (5_300_000, 5_510_000)
# from an election to the route that names the new master: at once, or where the old one stands still
LISTED_US = (1_000, 100_000)
LISTED_OVER_US = (460_000, 900_000)
RETURNS_US = (5_100_000, 5_700_000)  # from the start of a slave, or its next look for the master, until it is in sync
ELECTED_ON_RETURN_US = 30_000
CHANNEL_IDLE_US = 120 * US_PER_S  # serverChannelMaxIdleTimeSeconds: then a controller closes a silent connection
RACE_US = (5_000_000, 11_000_000)  # a slave that registered after the new master had
HUNG_US = (5_200_000, 15_500_000)  # from the moment at which the old master goes on
# A master that was frozen truncates its log as it goes on; in three of four runs that stood still for minutes.
TRUNCATES_US = (105_000_000, 106_000_000)

NOBODY_LEADS = "no controller leads"
NOBODY_KNOWN = "the controller that leads has heard of no machine"
CLOSED = "its connection closed"
MISSED = "a controller led again, and its scan found the master gone"

NOTICED, RETRY, BACK, IN_SYNC, LEAVES, CAUGHT_UP = range(1, 7)  # kinds of events, behind that of faults


@dataclass(frozen=True)
class Control:
    """What the controllers do. scans_us: periods of their scans, of silent machines and, if their release has that one,
    of sets without an active master. gaps: in which none leads; per_s: messages of a set. is_jraft: the scan for silent
    machines never looks, so that only connections that close show who is gone. stored: where a slave of the set copies
    slowly; sent_per_s: bytes that the set's master sends to a slave a second at most, 0: any.
    """

    scans_us: Sequence[int]
    gaps: Sequence[Span]
    per_s: float
    end_us: int
    rules: ControllerRelease = CONTROLLERS[NEWEST]
    is_jraft: bool = False
    stored: Stored = NOTHING_STORED
    sent_per_s: int = 0

    def leads_since(self, at_us: int) -> int:
        """When the controller that leads at a moment began to."""
        return max((until_us for _, until_us in self.gaps if until_us <= at_us), default=0)

    def stored_at(self, at_us: int) -> int:
        """How many messages a set has then, at the producers' first rates."""
        return int(at_us * self.per_s / US_PER_S)


class _Controller(SetUnderWay):
    """A set whose masters the controller elects."""

    def __init__(self, broker: Broker, periods: Sequence[FaultPeriod], draw: Draw, control: Control) -> None:
        super().__init__(broker, periods, draw, control.end_us)
        self.control = control
        self.master, self.last, self.epoch = 1, 1, 1
        self.started_us: dict[int, int] = {}
        self.unheard = set[int]()  # masters that went while no controller led, and that no scan will find
        self.missed = set[int]()  # masters that went while no controller led, and that its first scan will find
        self.beats_us = [draw(0, broker.broker_heartbeat_interval_us) for _ in self.machines]
        self.scans_us = [(draw(0, period_us), period_us) for period_us in control.scans_us]
        latencies = enumerate(broker.machine_latencies, 1)
        self.late_us = {machine: service_us(own.service_table_us(), WORDS // 2) for machine, own in latencies}
        self.registers_us = [draw(0, REGISTER_US) for _ in self.machines]
        self.joins: dict[int, int] = {}  # machine -> when it will be in sync; others that were planned do not count

    @property
    def handlers(self) -> Sequence[Handler]:
        """As the kinds of events are numbered."""
        return self._strike, self._notice, self._retry, self._return, self._join, self._leave, self._catch_up

    # faults

    def _strike(self, at_us: int, number: int) -> None:
        period = self.periods[number]
        if period.kind in OF_SLAVES:
            self._strike_slaves(period)
            return
        machine = self.struck_machine(self.master, self.last)
        if machine == 0:
            return
        own = self.goes(absence_of(period, machine, self.end_us))
        self.joins.pop(machine, None)
        self.at(own.until_us, BACK, machine)
        if machine == self.master:
            self.at(self._noticed_us(own), NOTICED, machine)

    def _strike_slaves(self, period: FaultPeriod) -> None:
        for machine in self.machines:
            if machine == self.master or machine in self.away or period.value not in (0, machine):
                continue
            if period.kind == "slave_lost":
                self.goes(MachineGone(machine, period.at_us, period.until_us, IS_GONE))
            limit_us = period.at_us + self.broker.ha_max_time_slave_not_catchup_us
            leaves_us = limit_us + self.draw(0, self.broker.check_sync_state_set_period_us)
            is_looked_at = self.broker.rules.checks_sync_set or period.kind == "slave_lost"  # its connection closes
            if leaves_us < period.until_us and is_looked_at:
                self.at(leaves_us, LEAVES, machine)
            self.at(period.until_us, CAUGHT_UP if copied_per_s(period) else BACK, machine)

    def _noticed_us(self, own: MachineGone) -> int:
        """When the controller finds that a master is gone."""
        if own.how == IS_GONE:
            return own.at_us + self.draw(*(SHUTDOWN_US if own.graceful else NOTICES_US))
        last_us = self._last_beat_us(own.machine, own.at_us)
        if self.control.is_jraft:
            return last_us + CHANNEL_IDLE_US
        return self._scanned_us(last_us + self.broker.controller_heart_beat_timeout_us)

    def _last_beat_us(self, machine: int, at_us: int) -> int:
        beat_us, period_us = self.beats_us[machine - 1], self.broker.broker_heartbeat_interval_us
        return beat_us + (at_us - beat_us) // period_us * period_us

    def _scanned_us(self, from_us: int) -> int:
        """The first scan from then on."""
        return min(scan_us + -(-(from_us - scan_us) // period_us) * period_us for scan_us, period_us in self.scans_us)

    def _unled(self, at_us: int, kind: int, number: int, why: str) -> bool:
        """Whether no controller leads then: what is to happen does so at the first scan of the next one."""
        led_us = led_from(self.control.gaps, at_us)
        if led_us == at_us:
            return False
        if kind != IN_SYNC:
            self._elect_nobody(at_us, why)
        if kind == NOTICED and self.control.is_jraft:
            self.unheard.add(number)
        elif kind == IN_SYNC or self.control.rules.scans_inactive_masters:
            self.at(self._scanned_us(led_us), kind, number)
            if kind == NOTICED:
                self.missed.add(number)
        return True

    def _elect_nobody(self, at_us: int, why: str) -> None:
        if not self.elections or self.elections[-1].machine:
            self.elections.append(Election(at_us, 0, self.epoch, tuple(sorted(self.sync)), why))

    # elections

    def _notice(self, at_us: int, machine: int) -> None:
        is_missed = machine in self.missed
        self.missed.discard(machine)
        if self.master != machine:
            return
        own = self.away.get(machine)
        if own is None or (own.how != IS_GONE and own.until_us <= at_us):
            return  # it answers again
        if self._unled(at_us, NOTICED, machine, NOBODY_LEADS):
            return
        if not self._is_known(machine, at_us):
            self._elect_nobody(at_us, NOBODY_KNOWN)
            return
        self._end_epoch(own)
        silent_us = CHANNEL_IDLE_US if self.control.is_jraft else self.broker.controller_heart_beat_timeout_us
        silent = f"no heartbeat for {format_duration(silent_us)}"
        self._elect(at_us, MISSED if is_missed else CLOSED if own.how == IS_GONE else silent)

    def _end_epoch(self, own: MachineGone) -> None:
        delisted_us = FOREVER_US  # until another machine is named instead
        if own.how == IS_GONE:
            delisted_us = own.at_us + self.draw(*DELISTED_US)
        elif self.control.is_jraft:  # name servers miss it at about the same time
            since_us = own.at_us - (own.at_us - self.registers_us[own.machine - 1]) % REGISTER_US
            delisted_us = since_us + NOT_REGISTERED_US + self.draw(0, NAME_SERVER_SCAN_US)
        epoch = self.epochs[-1]
        self.epochs[-1] = replace(epoch, ends_us=own.at_us, delisted_us=delisted_us, end=own)
        self.master, self.last = 0, own.machine

    def _is_known(self, machine: int, at_us: int) -> bool:
        """Whether the controller that leads has heard of a machine: by its heartbeats, or up to 5.0.0 by its start."""
        is_new = self.started_us.get(machine, 0) >= self.control.leads_since(at_us)
        return is_new or self.control.rules.knows_by_heartbeat

    def _is_heard(self, machine: int, at_us: int) -> bool:
        """Whether the controller takes a machine for alive: one that froze less than 10 s ago, too."""
        if not self._is_known(machine, at_us):
            return False
        own = self.away.get(machine)
        missed_us = self.broker.controller_heart_beat_timeout_us - self.broker.broker_heartbeat_interval_us
        return own is None or (own.how != IS_GONE and at_us < own.at_us + missed_us)

    def _elect(self, at_us: int, why: str) -> None:
        heard = [machine for machine in self.machines if self._is_heard(machine, at_us)]
        electable = [machine for machine in heard if machine in self.sync]
        if not electable and self.broker.enable_elect_unclean_master:
            electable = heard
        if not electable:
            self._elect_nobody(at_us, why)
            if self.control.rules.scans_inactive_masters:
                self.at(at_us + self.control.scans_us[-1], RETRY, 0)
            return
        best = self._best(electable, at_us)
        machine = best[self.draw(0, len(best))]
        self._crown(at_us, machine, why)

    def _best(self, electable: Sequence[int], at_us: int) -> Sequence[int]:
        """Those with the greatest offset at their last heartbeats, and of these those with the least priority.

        Without priorities this is chance, as is when each sends its heartbeats, but for those that lag.
        """
        priorities = self.broker.broker_election_priority if self.control.rules.compares_priority else ()
        if priorities or self.late_us or has_slow(self.periods):
            ranked = priorities or [0] * len(self.machines)
            ranks = {m: (-self.control.stored_at(self._copied_us(m, at_us)), ranked[m - 1]) for m in electable}
        else:
            ranks = {m: (-self._has_until_us(m, at_us), 0) for m in electable}
        return [machine for machine in electable if ranks[machine] == min(ranks.values())]

    def _copied_us(self, machine: int, at_us: int) -> int:
        """Up to when a machine has everything, as its last heartbeat says; a slave has it later by its median.

        Nothing is stored once the master is gone.
        """
        beat_us, gone = self._last_beat_us(machine, at_us), self.away.get(self.last)
        ends_us = beat_us if gone is None else min(beat_us, gone.at_us)
        return min(beat_us - self.late_us.get(machine, 0), ends_us, self._has_until_us(machine, beat_us))

    def _has_until_us(self, machine: int, at_us: int) -> int:
        """Up to when a machine has everything."""
        since_us = lacks_since(self.periods, machine, at_us, self.control.stored)
        return at_us if since_us is None else since_us

    def _crown(self, at_us: int, machine: int, why: str) -> None:
        self.epoch += 1
        self.master = machine
        self.elections.append(Election(at_us, machine, self.epoch, (machine,), why))
        before = self.epochs[-1]
        listed_us = at_us + self.draw(*(LISTED_OVER_US if before.delisted_us == FOREVER_US else LISTED_US))
        if before.delisted_us > listed_us:
            self.epochs[-1] = replace(before, delisted_us=listed_us)
        self.epochs.append(Epoch(machine, at_us, listed_us))
        self.set_sync(at_us, frozenset({machine}))
        self.joins.clear()
        for other in self.machines:
            if other != machine and other not in self.away:
                self._follow(other, self._has_all_us(at_us, at_us + self._finds_master_us(other, at_us, before)))

    def _finds_master_us(self, machine: int, at_us: int, before: Epoch) -> int:
        """How long a slave needs until it copies from a new master: it reads where that is as it registers.

        One that registers before the new master has gets no address, and asks again at its next registration; where
        the old master stands still it gets that one's, connects and waits until that goes on.
        """
        if before.end is not None and before.end.how == IS_FROZEN:
            return max(before.end.until_us - at_us, 0) + self.draw(*HUNG_US)
        if self.draw(0, 2):
            return self.draw(*RACE_US)
        phase_us = self.registers_us[machine - 1]
        return REGISTER_US - (at_us - phase_us) % REGISTER_US + self.draw(*RETURNS_US)

    def _retry(self, at_us: int, _: int) -> None:
        if self.master == 0 and not self._unled(at_us, RETRY, 0, NOBODY_LEADS):
            self._elect(at_us, "no member of the sync set was there")

    # returns

    def _follow(self, machine: int, at_us: int) -> None:
        self.joins[machine] = at_us
        self.at(at_us, IN_SYNC, machine)

    def _return(self, at_us: int, machine: int) -> None:
        own = self.away.get(machine)
        if own is not None and own.until_us > at_us:
            return
        if own is not None and (own.how == IS_GONE or self.master == 0) and self._waits_for_leader(at_us, own):
            return
        if own is not None and machine in self.unheard:
            self._ask_for_election(at_us, own)
        self.away.pop(machine, None)
        if own is not None and own.how == IS_GONE:
            self.started_us[machine] = at_us
        if self.master == machine:
            return
        if self.master == 0:
            if own is not None and (machine in self.sync or self.broker.enable_elect_unclean_master):
                self._crown(at_us + ELECTED_ON_RETURN_US, machine, "a member of the sync set came back")
            return
        is_frozen = own is not None and own.how == IS_FROZEN
        joins_us = at_us + self.draw(*(TRUNCATES_US if is_frozen and self.draw(0, 4) else RETURNS_US))
        self._follow(machine, joins_us if own is None else self._has_all_us(own.at_us, joins_us))

    def _ask_for_election(self, at_us: int, own: MachineGone) -> None:
        """A master that no controller missed starts, and asks for an election as each process does.

        It stays the master while its last heartbeat is not old; its next one comes only after that.
        """
        self.unheard.remove(own.machine)
        last_us = self._last_beat_us(own.machine, own.at_us)
        if self.master == own.machine and at_us >= last_us + self.broker.controller_heart_beat_timeout_us:
            self._end_epoch(own)
            self._elect(at_us + ELECTED_ON_RETURN_US, "its process started, and asked for an election")

    def _has_all_us(self, since_us: int, at_us: int) -> int:
        """When a slave has everything that has copied nothing since, and is copying at `at_us`."""
        own = self.control
        if own.sent_per_s == 0:
            return at_us
        return own.stored.sent_after(at_us, own.stored.between_bytes(since_us, at_us), own.sent_per_s, self.end_us)

    def _waits_for_leader(self, at_us: int, own: MachineGone) -> bool:
        """A process that starts registers with a controller first, again and again until one leads."""
        led_us = led_from(self.control.gaps, at_us)
        if led_us > at_us:
            self.absences.remove(own)
            self.away[own.machine] = replace(own, until_us=led_us)
            self.absences.append(self.away[own.machine])
            self.at(led_us, BACK, own.machine)
        return led_us > at_us

    def _join(self, at_us: int, machine: int) -> None:
        if self.joins.get(machine) == at_us and self._unled(at_us, IN_SYNC, machine, NOBODY_LEADS):
            self.joins[machine] = self._scanned_us(led_from(self.control.gaps, at_us))
            return
        if self.master and machine not in self.away and self.joins.get(machine) == at_us:
            copies_us = lag_ends_us(self.periods, machine, at_us)
            if copies_us > at_us:
                self._follow(machine, copies_us)
            else:
                self.set_sync(at_us, self.sync | {machine})

    def _leave(self, at_us: int, machine: int) -> None:
        if self.master in (0, machine) or self.joins.get(machine, 0) > at_us:
            return
        led_us = led_from(self.control.gaps, at_us)
        if led_us > at_us:
            self.at(led_us, LEAVES, machine)
        else:
            self.set_sync(at_us, self.sync - {machine})

    def _catch_up(self, at_us: int, machine: int) -> None:
        """A slave that copied slowly has everything, and acknowledges it."""
        if self.master not in (0, machine) and machine not in self.away and self.joins.get(machine, 0) <= at_us:
            self._follow(machine, at_us)


def controller_history(broker: Broker, periods: Sequence[FaultPeriod], draw: Draw, control: Control) -> SetHistory:
    """What happens to a set whose master the controller elects; `periods`: its faults, in order of time."""
    return _Controller(broker, periods, draw, control).history()
