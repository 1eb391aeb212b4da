"""Periods that may overlap: when something begins or ends, and what holds in between."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Protocol, TypeVar


class Timed(Protocol):
    """Something that holds in [at_us, until_us)."""

    @property
    def at_us(self) -> int:
        """When it begins."""
        ...

    @property
    def until_us(self) -> int:
        """When it is over."""
        ...


T = TypeVar("T", bound=Timed)


def edges(periods: Iterable[Timed]) -> set[int]:
    """Every moment at which one of them begins or is over."""
    return {edge for period in periods for edge in (period.at_us, period.until_us)}


def active_at(periods: Iterable[T], now_us: int) -> list[T]:
    """Those that hold at a moment, in the order given."""
    return [period for period in periods if period.at_us <= now_us < period.until_us]


def pieces(periods: Iterable[T]) -> Iterator[tuple[int, int, list[T]]]:
    """Pieces of time [from, until) without an edge inside, in order, each with those that hold; gaps are left out."""
    periods = list(periods)
    for at_us, until_us in pairwise(sorted(edges(periods))):
        if found := active_at(periods, at_us):
            yield at_us, until_us, found


def stretches(periods: Iterable[T]) -> Iterator[tuple[int, int, list[T]]]:
    """Stretches of time [from, until) without a gap, in order, each with its periods; those that touch are one."""
    own: list[T] = []
    until_us = 0
    for period in sorted(periods, key=lambda one: (one.at_us, one.until_us)):
        if own and period.at_us > until_us:
            yield own[0].at_us, until_us, own
            own = []
        until_us = max(until_us, period.until_us) if own else period.until_us
        own.append(period)
    if own:
        yield own[0].at_us, until_us, own
