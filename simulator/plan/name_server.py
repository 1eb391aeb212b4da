"""Which brokers a name server knows of, and when: registrations, scans, expiry, closed connections.

Everything here follows from when the brokers and the name server are away; nothing depends on the producers.
Source: rocketmq 4.2.0-5.3.3, BrokerController.start / registerBrokerAll, RouteInfoManager.scanNotActiveBroker and
onChannelDestroy, NamesrvController, NamesrvConfig.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from simulator.plan.spans import pieces, stretches

US_PER_S = 1_000_000
REGISTER_PERIOD_US = 30 * US_PER_S  # BrokerConfig.registerNameServerPeriod
# A new process registers 10 s after its start, then every period. It also does so as it starts, but since 5.0.0 only
# with name servers that its own scan has reached by then (BrokerOuterAPI.registerBrokerAll, getAvailableNameSrvList):
# a race that chance decides. Of ten starts of 5.3.3 seven won it: of four in a row on one machine two were listed 1.0
# and 1.2 s after they listened, and two 10.0 and 10.1 s after it.
FIRST_REGISTRATION_US = 10 * US_PER_S
EXPIRED_AFTER_US = 120 * US_PER_S
HEARTBEAT_PERIOD_US = US_PER_S  # with enableSlaveActingMaster; where no such broker is listed it lists none
HEARTBEAT_EXPIRED_AFTER_US = 10 * US_PER_S

CLOSED = "closed"  # the process ends and its connections close: noticed at once; it registers when it is back
SILENT = "silent"  # no packet comes any more: expires; the same process goes on afterwards
LOST = "lost"  # the machine is gone without a packet: expires; a new process registers when it is back
STOPPED = "stopped"  # the process stands still: expires; it makes up for a missed registration when it goes on
FOREVER_US = 1 << 60

Span = tuple[int, int]


@dataclass(frozen=True)
class Outage:
    """A broker cannot register in [at_us, until_us)."""

    at_us: int
    until_us: int
    how: str


@dataclass(frozen=True)
class Timing:
    """How a kind of name server keeps its list."""

    scan_period_us: int
    beat_period_us: int = REGISTER_PERIOD_US
    expired_after_us: int = EXPIRED_AFTER_US


ACTING_MASTER = Timing(5 * US_PER_S, HEARTBEAT_PERIOD_US, HEARTBEAT_EXPIRED_AFTER_US)


@dataclass(frozen=True)
class Life:
    """The broker registers at `first_us`, and then from `second_us` on every period, until `until_us`."""

    first_us: int
    second_us: int
    until_us: int

    def next(self, now_us: int, period_us: int) -> int | None:
        """Its first registration at or after `now_us`, or None."""
        if now_us <= self.first_us:
            found = self.first_us
        else:
            found = self.second_us + -(-max(now_us - self.second_us, 0) // period_us) * period_us
        return found if found < self.until_us else None

    def last(self, now_us: int, period_us: int) -> int:
        """Its last registration before `now_us`."""
        if now_us <= self.second_us:
            return self.first_us
        return self.second_us + (now_us - 1 - self.second_us) // period_us * period_us


@dataclass(frozen=True)
class Absence:
    """A broker cannot register in [at_us, until_us), for one reason or several.

    noticed_us: when the connection of a process that ends closes; a machine without power closes nothing, and no packet
    of it comes through a cut. ends_process: whether a new process registers afterwards. froze_us: since when the
    process stood still that goes on at `until_us`. None: it does not.
    """

    at_us: int
    until_us: int
    noticed_us: int | None
    ends_process: bool
    froze_us: int | None


def absences(outages: Iterable[Outage]) -> list[Absence]:
    """What outages that may overlap come to, in time order; those that touch are one."""
    found = []
    for at_us, until_us, together in stretches(outages):
        noticed_us: int | None = None
        froze_us: int | None = None
        ends, is_off = False, False
        for piece_us, _, own in pieces(together):
            hows = {outage.how for outage in own}
            is_off = is_off or LOST in hows
            ends = ends or is_off or CLOSED in hows
            if ends and not is_off and SILENT not in hows and noticed_us is None:
                noticed_us = piece_us
            if STOPPED not in hows:
                froze_us = None
            elif froze_us is None:
                froze_us = piece_us
        found.append(Absence(at_us, until_us, noticed_us, ends, froze_us))
    return found


def _scan_after(us: int, phase_us: int, timing: Timing) -> int:
    """The first scan after `us`."""
    return phase_us + ((us - phase_us) // timing.scan_period_us + 1) * timing.scan_period_us


def broker_spans(
    outages: Iterable[Outage],
    timing: Timing,
    *,
    registers_us: int,
    scans_us: int,
    joins_us: int = 0,
    registers_at_start: Callable[[int], bool] = lambda _: False,
) -> tuple[list[Span], list[Life]]:
    """When a name server that is always up lists a broker, and when the broker registers.

    `registers_us`, `scans_us`: some registration (of a broker that is up from the start) and some scan. A broker
    with `joins_us` above 0 registers for the first time then. `registers_at_start`: whether the new process of that
    number, from 0, does so as it starts: all do up to 4.9.8.
    """
    period = REGISTER_PERIOD_US
    if joins_us > 0:
        life = Life(joins_us, joins_us, FOREVER_US)
    else:
        before = registers_us % period - period
        life = Life(before, before, FOREVER_US)
    spans: list[Span] = []
    lives: list[Life] = []
    known_from: int | None = joins_us
    last, processes = life.first_us, 0
    for outage in (o for o in absences(outages) if o.until_us > joins_us):
        if life.first_us < outage.at_us:
            last = life.last(outage.at_us, timing.beat_period_us)
        if known_from is not None and known_from > outage.at_us:
            known_from = None  # gone before its first registration
        lives.append(Life(life.first_us, life.second_us, outage.at_us))
        expired = _scan_after(last + timing.expired_after_us, scans_us, timing)
        gone = expired if outage.noticed_us is None else min(outage.noticed_us, expired)
        if outage.ends_process:
            periodic = outage.until_us + FIRST_REGISTRATION_US
            back = outage.until_us if registers_at_start(processes) else periodic
            processes += 1
            life = Life(back, periodic, FOREVER_US)
        else:
            upcoming = life.next(outage.until_us, period)
            assert upcoming is not None
            due = None if outage.froze_us is None else life.next(outage.froze_us, period)
            back = upcoming if due is None else min(due, upcoming)
            back = max(back, outage.until_us)
            life = Life(back, upcoming, FOREVER_US)
        if known_from is not None and gone < back:
            spans.append((known_from, gone))
            known_from = back
        elif known_from is None:
            known_from = back
    if known_from is not None:
        spans.append((known_from, FOREVER_US))
    lives.append(life)
    return [span for span in spans if span[0] < span[1]], lives


def known_spans(spans: Sequence[Span], lives: Sequence[Life], down: Iterable[Span]) -> list[Span]:
    """The same of a name server that is down in `down`: it comes back empty, and waits for registrations."""
    found = list(spans)
    for down_at, up_at in sorted(down):
        upcoming = (life.next(up_at, REGISTER_PERIOD_US) for life in lives)
        again = min((at for at in upcoming if at is not None), default=FOREVER_US)
        found = [
            part
            for begin, end in found
            for part in ((begin, min(end, down_at)), (max(begin, again), end))
            if part[0] < part[1]
        ]
    return found
