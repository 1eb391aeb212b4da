"""Which brokers a name server knows of, and when: registrations, scans, expiry, closed connections.

Everything here follows from when the brokers and the name server are away; nothing depends on the producers.
Source: rocketmq 4.2.0-5.3.3, BrokerController.start / registerBrokerAll, RouteInfoManager.scanNotActiveBroker and
onChannelDestroy, NamesrvController, NamesrvConfig.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from simulator.plan.spans import pieces

US_PER_S = 1_000_000
REGISTER_PERIOD_US = 30 * US_PER_S  # BrokerConfig.registerNameServerPeriod
# A new process registers 10 s after its start, then every period. It also does so as it starts, but since 5.0.0 only
# with name servers that its own scan has reached by then (BrokerOuterAPI.registerBrokerAll, getAvailableNameSrvList):
# a race that chance decides. Of ten starts of 5.3.3 seven won it: of four in a row on one machine two were listed 1.0
# and 1.2 s after they listened, and two 10.0 and 10.1 s after it.
FIRST_REGISTRATION_US = 10 * US_PER_S
EXPIRED_AFTER_US = 120 * US_PER_S
HEARTBEAT_PERIOD_US = US_PER_S  # with enableSlaveActingMaster
HEARTBEAT_EXPIRED_AFTER_US = 10 * US_PER_S

CLOSED = "closed"  # the process ends and its connections close: noticed at once; it registers when it is back
SILENT = "silent"  # no packet comes any more: expires; the same process goes on afterwards
LOST = "lost"  # the machine is gone without a packet: expires; a new process registers when it is back
STOPPED = "stopped"  # the process stands still: expires; it makes up for a missed registration when it goes on
FOREVER_US = 1 << 60
HOW = (STOPPED, SILENT, LOST, CLOSED)  # of two at once the later in this row counts

Span = tuple[int, int]


@dataclass(frozen=True)
class Outage:
    """A broker cannot register in [at_us, until_us)."""

    at_us: int
    until_us: int
    how: str


@dataclass(frozen=True)
class Timing:
    """How a kind of name server keeps its list. `first_scan_us` is after its start."""

    scan_period_us: int
    first_scan_us: int
    register_period_us: int = REGISTER_PERIOD_US
    expired_after_us: int = EXPIRED_AFTER_US


SCANS_4 = Timing(10 * US_PER_S, 5 * US_PER_S)
SCANS_5 = Timing(5 * US_PER_S, 5_000)
ACTING_MASTER = Timing(5 * US_PER_S, 5_000, HEARTBEAT_PERIOD_US, HEARTBEAT_EXPIRED_AFTER_US)


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


def merged(outages: Iterable[Outage]) -> list[Outage]:
    """The outages in time order without overlaps; where several hold, the one that says most counts."""
    found: list[Outage] = []
    for at_us, until_us, holding in pieces(outages):
        how = max((o.how for o in holding), key=HOW.index)
        if found and found[-1].until_us == at_us and found[-1].how == how:
            found[-1] = Outage(found[-1].at_us, until_us, how)
        else:
            found.append(Outage(at_us, until_us, how))
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
    period = timing.register_period_us
    if joins_us > 0:
        life = Life(joins_us, joins_us, FOREVER_US)
    else:
        before = registers_us % period - period
        life = Life(before, before, FOREVER_US)
    spans: list[Span] = []
    lives: list[Life] = []
    known_from: int | None = joins_us
    last, processes = life.first_us, 0
    for outage in (o for o in merged(outages) if o.until_us > joins_us):
        if life.first_us < outage.at_us:
            last = life.last(outage.at_us, period)
        if known_from is not None and known_from > outage.at_us:
            known_from = None  # gone before its first registration
        lives.append(Life(life.first_us, life.second_us, outage.at_us))
        expired = _scan_after(last + timing.expired_after_us, scans_us, timing)
        gone = outage.at_us if outage.how == CLOSED else expired
        if outage.how in (CLOSED, LOST):
            periodic = outage.until_us + FIRST_REGISTRATION_US
            back = outage.until_us if registers_at_start(processes) else periodic
            processes += 1
            life = Life(back, periodic, FOREVER_US)
        else:
            due, upcoming = life.next(outage.at_us, period), life.next(outage.until_us, period)
            assert due is not None
            assert upcoming is not None
            makes_up = outage.how == STOPPED and due < outage.until_us
            back = outage.until_us if makes_up else upcoming
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


def known_spans(spans: Sequence[Span], lives: Sequence[Life], down: Iterable[Span], timing: Timing) -> list[Span]:
    """The same of a name server that is down in `down`: it comes back empty, and waits for registrations."""
    found = list(spans)
    for down_at, up_at in sorted(down):
        upcoming = (life.next(up_at, timing.register_period_us) for life in lives)
        again = min((at for at in upcoming if at is not None), default=FOREVER_US)
        found = [
            part
            for begin, end in found
            for part in ((begin, min(end, down_at)), (max(begin, again), end))
            if part[0] < part[1]
        ]
    return found
