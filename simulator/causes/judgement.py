"""When a suspect is a cause: without it the consequence vanishes, or shrinks clearly.

Clearly is to less than SHRINKS of what it is, beyond NOISE standard deviations of a count. A consequence that no single
suspect shrinks so far has several: those that each take a part of it (PART), or two of which either would do.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from itertools import combinations

from simulator.causes.consequence import INVISIBLE_US, Consequence
from simulator.causes.suspect import Suspect
from simulator.engine.memory.settings import FAR

SHRINKS = 2 / 3
PART = 0.1
NOISE = 2.0
OF_POINTS, NOISE_POINTS = ("load", "hot_queue"), 3.0
AFTERMATH_US = 60_000_000  # what a few messages show is a suspect's only while it is at work, and so long after
PAIRS_MOST = 6  # of a consequence
SLACK_US = 1_000_000  # what happens as a window ends counts in it
LATER_US = dict.fromkeys(("failed", "duplicates", "retries", "waits"), 15_000_000) | {"lost": FAR}
ABOVE_USUAL = ("backlog", "late_delays", "hot_queue")  # their usual figure is no part of what happened

Key = tuple[str, ...]


def excess(about: Consequence, size: float) -> float:
    """What of a figure is above what is usual."""
    return max(size - about.usual if about.kind in ABOVE_USUAL else size, 0.0)


def drop(about: Consequence, without: float) -> float:
    """The part of a consequence that is gone, 0..1; 0 where it is within the noise of a count."""
    whole, left = excess(about, about.size), excess(about, without)
    noise = NOISE_POINTS if about.kind in OF_POINTS else NOISE * math.sqrt(whole)
    if whole <= 0 or (left > 0 and whole - left < noise):
        return 0.0
    return max(1 - left / whole, 0.0)


def possible_causes(about: Consequence, suspects: Sequence[Suspect]) -> list[Suspect]:
    """The suspects that can be causes: they begin before its end, and can cause its kind.

    What is lost counts at the moment at which it was acknowledged, and what callers see at their intended send
    time: what causes it begins later.
    """
    until_us = about.until_us + LATER_US.get(about.kind, SLACK_US)
    return [
        one for one in suspects
        if one.can_cause(about.kind, about.place, about.detail) and one.from_us < until_us
        and (about.size > _few(about) or one.overlaps(about.from_us - _aftermath_us(about), until_us))
    ]  # fmt: skip


def _aftermath_us(about: Consequence) -> int:
    """For how long after a suspect its consequence may begin."""
    return INVISIBLE_US if about.kind == "revived" else AFTERMATH_US


def _few(about: Consequence) -> float:
    """Up to how much chance may have made."""
    return 0.0 if about.kind in OF_POINTS else NOISE**2


def at_work(about: Consequence, suspects: Sequence[Suspect]) -> list[Suspect]:
    """The suspects that are at work in its stretch, or shortly before."""
    return [
        one
        for one in possible_causes(about, suspects)
        if one.overlaps(about.from_us - _aftermath_us(about), about.until_us)
    ]


def likely(about: Consequence, suspects: Sequence[Suspect], not_causes: Collection[str] = ()) -> Key:
    """What probably caused it, without a proof: what is at work in its stretch, what has a begin before all others.

    not_causes: what was left out, and it stayed.
    """
    left = [one for one in possible_causes(about, suspects) if one.id not in not_causes]
    until_us = about.until_us + LATER_US.get(about.kind, 0)
    meanwhile = [one for one in left if one.overlaps(about.from_us, about.until_us) and one.from_us > 0]
    soon = [one for one in left if one.overlaps(about.until_us, until_us) and one.from_us > 0]
    found = meanwhile or soon or [one for one in at_work(about, suspects) if one.id not in not_causes]
    special = [one.id for one in found if one.from_us > 0]
    return tuple(special or [one.id for one in found])[:2]


def pairs_of(about: Consequence, suspects: Sequence[Suspect]) -> list[Key]:
    """Pairs of suspects that are at work in it, to leave out together."""
    found = at_work(about, suspects)
    pairs: list[Key] = [(a.id, b.id) for a, b in combinations(found, 2)]
    return pairs[:PAIRS_MOST]


def causes_of(about: Consequence, sizes: Mapping[Key, float], suspects: Sequence[Suspect]) -> tuple[Key, bool]:
    """The causes, and whether either of them would do; none where nothing that was left out explains it.

    sizes: what is left of it, by what was left out.
    """
    drops = {one.id: drop(about, sizes[one.id,]) for one in possible_causes(about, suspects) if (one.id,) in sizes}
    single = [name for name, part in drops.items() if part > 1 - SHRINKS]
    if single:
        return tuple(single), False
    parts = [name for name, part in drops.items() if part >= PART]
    if sum(drops[name] for name in parts) > 1 - SHRINKS:
        return tuple(parts), False
    together = {pair: drop(about, sizes[pair]) for pair in pairs_of(about, suspects) if pair in sizes}
    best = max(together, key=lambda pair: together[pair], default=())
    if best and together[best] > 1 - SHRINKS:
        return best, True
    return (), False
