"""A slave that copies fewer bytes a second than its set stores: how far it is behind, and when it has caught up.

What a set stores is taken from the producers' rates; which messages a slave has, the event loop finds from the messages
themselves. A master asks for how long a slave has not had everything, however little it lacks, and takes one that has
into the sync set with its next acknowledgement. What is left as a lag ends is copied at once.

Source: rocketmq 5.0.0-5.5.0, AutoSwitchHAConnection.maybeExpandInSyncStateSet and
AutoSwitchHAService.maybeShrinkSyncStateSet.
"""

from __future__ import annotations

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

    def moment_of(self, stored_bytes: float, until_us: int) -> int:
        """When so many bytes are stored, `until_us` at most."""
        left = stored_bytes
        for from_us, next_us, per_s in self.between(0, until_us):
            own = per_s * (next_us - from_us) / US_PER_S
            if own >= left:
                return from_us if left <= 0 else from_us + int(left / per_s * US_PER_S)
            left -= own
        return until_us


NOTHING_STORED = Stored()


def copied_per_s(period: FaultPeriod) -> int:
    """Bytes a second that a slave still copies while it lags, 0 = none."""
    return int(period.details.get("copied_bytes_per_s", 0)) if period.kind in OF_SLAVES else 0


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
    per_s = copied_per_s(period)
    if per_s == 0:
        return period.at_us
    copied = stored.up_to(period.at_us) + per_s * (at_us - period.at_us) / US_PER_S
    return stored.moment_of(copied, at_us)


def lag_ends_us(periods: Sequence[FaultPeriod], machine: int, at_us: int) -> int:
    """When the lag of a slave ends that is under way, `at_us` without one."""
    lags = (period for period in periods if period.kind == "slave_lag" and period.value in (0, machine))
    return max((own.until_us for own in lags if own.at_us <= at_us < own.until_us), default=at_us)
