"""When a process that several faults strike is there, and when it stands still: the union of all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from simulator.plan.spans import stretches

ActionRow = tuple[int, int, int, int]  # of MachineAction: at_us, kind, place, value

BEFORE_US = -1  # begin of what holds from the start


class Gone(NamedTuple):
    """The process is not there in [at_us, until_us); `how` it goes: kind of an action."""

    at_us: int
    until_us: int
    how: int


class Frozen(NamedTuple):
    """The process stands still in [at_us, until_us)."""

    at_us: int
    until_us: int


class LifeKinds(NamedTuple):
    """Kinds of actions (consumer_settings.py) of one sort of process."""

    start: int
    kill: int
    freeze: int
    thaw: int


def life_actions(
    gone: Iterable[Gone], frozen: Iterable[Frozen], kinds: LifeKinds, end_us: int
) -> Iterator[tuple[int, int, int]]:
    """(when, kind, value) of what happens to the process before `end_us`; value of a freeze: until when.

    One that would start while it stands still starts as it goes on. One that is stopped while it stands still is
    shut down as it goes on: SIGTERM waits for SIGCONT (POSIX, signal concepts). One that would have to be back before
    that cannot act in time, so whoever starts it again kills it.
    """
    still = [Frozen(at_us, until_us) for at_us, until_us, _ in stretches(frozen)]
    away = list(_away(gone, still, kinds))
    for at_us, until_us, how in away:
        if at_us > BEFORE_US:
            yield at_us, how, 0
        if until_us < end_us:
            yield until_us, kinds.start, 0
    for one in still:
        if not any(other.at_us <= one.at_us < other.until_us for other in away):
            yield one.at_us, kinds.freeze, one.until_us
            if one.until_us < end_us:
                yield one.until_us, kinds.thaw, 0


def _away(gone: Iterable[Gone], still: list[Frozen], kinds: LifeKinds) -> Iterator[Gone]:
    """The stretches in which the process is not there, none of which ends while it stands still."""
    longer = []
    for own in gone:
        thaws_us = (one.until_us for one in still if one.at_us < own.until_us < one.until_us)
        longer.append(_heard(own, still, kinds)._replace(until_us=max(own.until_us, *thaws_us, 0)))
    for at_us, until_us, together in stretches(longer):
        is_killed = any(own.how == kinds.kill for own in together if own.at_us == at_us)
        yield Gone(at_us, until_us, kinds.kill if is_killed else together[0].how)


def _heard(own: Gone, still: list[Frozen], kinds: LifeKinds) -> Gone:
    """When and how a process ends: one that is stopped while it stands still ends as it goes on."""
    for one in still:
        if own.how != kinds.kill and one.at_us < own.at_us < one.until_us:
            return own._replace(at_us=one.until_us) if one.until_us < own.until_us else own._replace(how=kinds.kill)
    return own
