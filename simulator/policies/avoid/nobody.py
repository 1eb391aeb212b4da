"""Avoid no broker, and what a part does that has nothing to note."""

from __future__ import annotations

from simulator.compiled.jit import entry
from simulator.compiled.records import AnyRecord, Record, Us
from simulator.policies.policy import NO_HEDGE, PolicyPart


class Nobody(Record):
    """Nothing is remembered."""

    unused: int


@entry
def allow_all(state: Nobody, broker: int, now_us: Us) -> int:
    """Every broker may be chosen."""
    return 1


@entry
def nothing_sent(state: AnyRecord, broker: int, attempt: int, now_us: Us) -> int:
    """Nothing to note."""
    return 0


@entry
def nothing_ended(state: AnyRecord, broker: int, attempt: int, now_us: Us, latency_us: Us, outcome: int) -> int:
    """Nothing to note."""
    return 0


@entry
def no_tick(state: AnyRecord, now_us: Us) -> int:
    """Nothing to do."""
    return 0


@entry
def no_heartbeat(state: AnyRecord, broker: int, now_us: Us, answered_after_us: Us) -> int:
    """Nothing to note."""
    return 0


@entry
def no_wait(state: AnyRecord, now_us: Us) -> int:
    """At once."""
    return 0


@entry
def no_hedge(state: AnyRecord, attempt: int, now_us: Us) -> int:
    """Never another attempt beside one."""
    return NO_HEDGE


@entry
def always_hedge(state: AnyRecord, attempt: int, now_us: Us) -> int:
    """Always when its time has come."""
    return 1


def start(state: Nobody, brokers: int) -> None:
    """Nothing to fill."""


PART = PolicyPart(Nobody, start, {"allowed": allow_all})
