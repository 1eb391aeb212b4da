"""A slave that copies fewer bytes a second than its set stores: how far it is behind, and when it has caught up.

So does one whose master limits what it sends (haFlowControlEnable): there what a slave lacks as it lags no more, or is
back, is sent at that rate, too. Without flow control it is copied at once. What a set stores is taken from the
producers' rates; which messages a slave has, the event loop finds from the messages themselves. A master asks for how
long a slave has not had everything, however little it lacks, and takes one that has into the sync set with its next
acknowledgement.

Source: rocketmq 5.0.0-5.5.0, AutoSwitchHAConnection.maybeExpandInSyncStateSet,
AutoSwitchHAService.maybeShrinkSyncStateSet; FlowMonitor.canTransferMaxByteNum, one for each connection.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from simulator.plan.failover.set_history import FOREVER_US, OF_SLAVES
from simulator.scenario import FaultPeriod, Scenario
from simulator.scenario.checks.backlog_warnings import stored_bytes_per_s
from simulator.scenario.checks.utilisation import moments_us
from simulator.units import US_PER_S


@dataclass(frozen=True)
class Stored:
    """What a set stores. steps: (from when, bytes a second), in order of time, the first from 0."""

    steps: Sequence[tuple[int, float]] = ((0, 0.0),)

    def between(self, from_us: int, until_us: int) -> Iterator[tuple[int, int, float]]:
        """(from when, until when, bytes a second) of each stretch of one rate in [from_us, until_us)."""
        for (at_us, per_s), (next_us, _) in pairwise([*self.steps, (FOREVER_US, 0.0)]):
            if max(at_us, from_us) < min(next_us, until_us):
                yield max(at_us, from_us), min(next_us, until_us), per_s

    def up_to(self, at_us: int) -> float:
        """Bytes stored from the begin of the run to a moment."""
        return sum(per_s * (until_us - from_us) / US_PER_S for from_us, until_us, per_s in self.between(0, at_us))

    def between_bytes(self, from_us: int, until_us: int) -> float:
        """Bytes stored in a time."""
        return self.up_to(until_us) - self.up_to(from_us)

    def moment_of(self, stored_bytes: float, until_us: int) -> int:
        """When so many bytes are stored, `until_us` at most."""
        left = stored_bytes
        for from_us, next_us, per_s in self.between(0, until_us):
            own = per_s * (next_us - from_us) / US_PER_S
            if own >= left:
                return from_us if left <= 0 else from_us + int(left / per_s * US_PER_S)
            left -= own
        return until_us

    def sent_after(self, at_us: int, lacks_bytes: float, sent_per_s: int, end_us: int) -> int:
        """When a slave has everything that lacks so much then and is sent so many bytes a second; `end_us` at most."""
        for from_us, until_us, per_s in self.between(at_us, end_us):
            gains_per_s = sent_per_s - per_s
            if gains_per_s > 0 and lacks_bytes * US_PER_S <= gains_per_s * (until_us - from_us):
                return from_us + int(lacks_bytes * US_PER_S / gains_per_s)
            lacks_bytes = max(lacks_bytes - gains_per_s * (until_us - from_us) / US_PER_S, 0.0)
        return end_us


NOTHING_STORED = Stored()


def copied_per_s(period: FaultPeriod) -> int:
    """Bytes a second that a slave still copies while it lags, 0 = none."""
    return int(period.details.get("copied_bytes_per_s", 0)) if period.kind in OF_SLAVES else 0


def copies_from_us(period: FaultPeriod) -> int:
    """From when on a slave copies slowly in a fault, its end if it never does."""
    return period.at_us if copied_per_s(period) else int(period.details.get("lag_ends_us", period.until_us))


def flow_control(scenario: Scenario, broker: str) -> list[FaultPeriod]:
    """The flow control of a set as a lag of all its slaves over the whole run; nothing without it."""
    per_s = scenario.brokers[broker].copied_bytes_per_s
    more = json.dumps({"copied_bytes_per_s": per_s})
    return [FaultPeriod(0, scenario.duration_us, broker, "slave_lag", 0, "", "", more)] if per_s else []


def caught_up(periods: Sequence[FaultPeriod], stored: Stored, sent_per_s: int, end_us: int) -> list[FaultPeriod]:
    """These faults where slaves that lag no more are sent so many bytes a second: each lasts until they have all."""
    return [
        _caught_up(period, stored, sent_per_s, end_us) if period.kind == "slave_lag" else period for period in periods
    ]


def _caught_up(period: FaultPeriod, stored: Stored, sent_per_s: int, end_us: int) -> FaultPeriod:
    lacks = stored.between_bytes(period.at_us, period.until_us)
    lacks -= min(copied_per_s(period), sent_per_s) * (period.until_us - period.at_us) / US_PER_S
    has_all_us = stored.sent_after(period.until_us, max(lacks, 0.0), sent_per_s, max(end_us, period.until_us))
    more = {**period.details, "lag_ends_us": period.until_us, "then_bytes_per_s": sent_per_s}
    return period._replace(until_us=has_all_us, more=json.dumps(more))


def copying(scenario: Scenario, broker: str, faults: Sequence[FaultPeriod]) -> tuple[Sequence[FaultPeriod], Stored]:
    """The faults of a set, those of copying as the stretches in which slaves are behind, and what it stores.

    Without a slave that copies slowly the faults as they are, and nothing.
    """
    flow = flow_control(scenario, broker)
    if not flow and not has_slow(faults):
        return faults, NOTHING_STORED
    stored = stored_by(scenario, broker)
    found = behind(faults, stored)
    if flow:
        per_s = scenario.brokers[broker].copied_bytes_per_s
        found = caught_up(found, stored, per_s, scenario.duration_us) + behind(flow, stored)
        found.sort(key=lambda period: (period.at_us, period.until_us))
    return found, stored


def has_slow(periods: Sequence[FaultPeriod]) -> bool:
    """Whether one of these faults has a slave copy slowly."""
    return any(copied_per_s(period) for period in periods)


def stored_by(scenario: Scenario, broker: str) -> Stored:
    """What a set stores at the rates of the producers, if all its sends are stored."""
    return Stored([(at_us, stored_bytes_per_s(scenario, broker, at_us)) for at_us in moments_us(scenario)])


def behind(periods: Sequence[FaultPeriod], stored: Stored) -> list[FaultPeriod]:
    """These faults; one in which a slave copies slowly as the stretches in which it is behind."""
    found = list[FaultPeriod]()
    for period in periods:
        if copied_per_s(period):
            found += (period._replace(at_us=at_us, until_us=until_us) for at_us, until_us in _stretches(period, stored))
        else:
            found.append(period)
    return found


def _stretches(period: FaultPeriod, stored: Stored) -> Iterator[tuple[int, int]]:
    since_us, lacks_bytes = -1, 0.0
    for at_us, until_us, stored_per_s in stored.between(period.at_us, period.until_us):
        grows_per_s = stored_per_s - copied_per_s(period)
        if since_us < 0 and grows_per_s > 0:
            since_us, lacks_bytes = at_us, 0.0
        if since_us < 0:
            continue
        caught_us = at_us + int(lacks_bytes / -grows_per_s * US_PER_S) if grows_per_s < 0 else until_us
        if caught_us < until_us:
            yield since_us, caught_us
            since_us = -1
        else:
            lacks_bytes += grows_per_s * (until_us - at_us) / US_PER_S
    if since_us >= 0:
        yield since_us, period.until_us


def lacks_since(periods: Sequence[FaultPeriod], machine: int, at_us: int, stored: Stored) -> int | None:
    """Since when a slave lacks what is stored, None if it has everything; `periods`: faults as `behind` has them."""
    lags = (period for period in periods if period.kind == "slave_lag" and period.value in (0, machine))
    own = (_copied_us(period, at_us, stored) for period in lags if period.at_us <= at_us < period.until_us)
    return min(own, default=None)


def _copied_us(period: FaultPeriod, at_us: int, stored: Stored) -> int:
    per_s, details = copied_per_s(period), period.details
    ends_us = min(at_us, details.get("lag_ends_us", at_us))
    if per_s == 0 and ends_us == at_us:
        return period.at_us
    copied = stored.up_to(period.at_us) + per_s * (ends_us - period.at_us) / US_PER_S
    copied += details.get("then_bytes_per_s", 0) * (at_us - ends_us) / US_PER_S
    return stored.moment_of(copied, at_us)


def lag_ends_us(periods: Sequence[FaultPeriod], machine: int, at_us: int) -> int:
    """When the lag of a slave ends that is under way, `at_us` without one."""
    lags = (period for period in periods if period.kind == "slave_lag" and period.value in (0, machine))
    return max((own.until_us for own in lags if own.at_us <= at_us < own.until_us), default=at_us)
