"""Consequences of one kind, place and cause as one: counts are added, peaks stay the highest."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from simulator.causes.consequence import Consequence

MINOR = 0.2  # of all of a kind at a place: a piece with one cause more counts with the one without it
APART = ("backlog",)  # each with its own peak, cause and end
PEAKS = ("late_delays", "load", "hot_queue")


def merged(found: Iterable[Consequence]) -> list[Consequence]:
    """One of each kind, place, cause and direction; those of APART as they are."""
    kept: dict[tuple[object, ...], Consequence] = {}
    for place, one in enumerate(sorted(found, key=lambda own: own.from_us)):
        of_load = one.detail if one.kind == "load" else ""
        key = (
            one.kind,
            one.place,
            one.because,
            one.each_would_do,
            one.proven,
            of_load,
            place if one.kind in APART else -1,
        )
        kept[key] = _joined(kept[key], one) if key in kept else one
    return [replace(one, spans=_spans(one)) for one in _without_minor(list(kept.values()))]


def _without_minor(found: list[Consequence]) -> list[Consequence]:
    """Small pieces that need the cause of a larger one, and another besides, as a part of the larger one."""
    kept = sorted(found, key=lambda one: -one.size)
    for one in [*reversed(kept)]:
        same = [own for own in kept if (own.kind, own.place) == (one.kind, one.place) and own.proven and one.proven]
        if one.kind in (*APART, *PEAKS) or one.size >= MINOR * sum(own.size for own in same):
            continue
        larger = next((own for own in same if own.because and set(own.because) < set(one.because)), None)
        if larger is not None and larger.size > one.size:
            kept.remove(one)
            kept[kept.index(larger)] = _joined(larger, one)
    return kept


def _joined(first: Consequence, second: Consequence) -> Consequence:
    worst = max(first, second, key=lambda one: one.size)
    weight = first.weight + second.weight
    if first.kind == "load" and weight:  # a part of the attempts in both stretches together
        size = (first.size * first.weight + second.size * second.weight) / weight
        left = {cause: (first.without[cause], second.without.get(cause, 0.0)) for cause in first.without}
        without = {name: (a * first.weight + b * second.weight) / weight for name, (a, b) in left.items()}
    elif first.kind in PEAKS:
        size, without = worst.size, worst.without
    else:
        size = first.size + second.size
        without = {cause: left + second.without.get(cause, 0.0) for cause, left in first.without.items()}
    edges = min(first.from_us, second.from_us), max(first.until_us, second.until_us)
    return replace(
        worst, from_us=edges[0], until_us=edges[1], size=size, without=without, because=first.because,
        weight=weight, each_would_do=first.each_would_do, spans=_joint((*_spans(first), *_spans(second))),
    )  # fmt: skip


def _spans(one: Consequence) -> tuple[tuple[int, int], ...]:
    return one.spans or ((one.from_us, one.until_us),)


def _joint(spans: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Stretches in order, those that touch as one."""
    found: list[tuple[int, int]] = []
    for begin, until in sorted(spans):
        if found and begin <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], until)
        else:
            found.append((begin, until))
    return tuple(found)
