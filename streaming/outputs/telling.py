"""Of thousands of brokers those that a reader has to see, and the rest in one row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

MOST_ROWS = 20
# What makes a broker worth a row, the most telling first; each has its turn until the rows are full.
REASONS: tuple[Callable[[Any], float], ...] = (
    lambda broker: broker.isolated_s or 0,
    lambda broker: broker.failures or 0,
    lambda broker: broker.p99_ms or 0,
    lambda broker: broker.share_percent or 0,
)


def telling(brokers: Sequence[Any], most: int = MOST_ROWS) -> list[Any]:
    """All brokers up to `most`; of more, those avoided longest, failing most, slowest and busiest, and one row of sums.

    The rest has no percentiles: they cannot be computed from those of its brokers.
    """
    if len(brokers) <= most:
        return list(brokers)
    ranked = [_ranked(brokers, reason) for reason in REASONS]
    chosen: dict[int, None] = {}
    for turn in zip(*ranked, strict=True):
        for place in turn:
            if len(chosen) < most - 1:
                chosen.setdefault(place)
    rest = [broker for place, broker in enumerate(brokers) if place not in chosen]
    others = replace(
        rest[0],
        broker=f"{len(rest):,} others",
        attempts=_sum(broker.attempts for broker in rest),
        share_percent=_sum(broker.share_percent for broker in rest),
        failures=_sum(broker.failures for broker in rest),
        p50_ms=None,
        p99_ms=None,
        p999_ms=None,
        isolated_s=None,
    )
    return [*(brokers[place] for place in sorted(chosen)), others]


def _sum(values: Iterable[Any]) -> Any:
    """The sum of what was measured of every broker, or None."""
    known = list(values)
    return None if None in known else sum(known)


def _ranked(brokers: Sequence[Any], reason: Callable[[Any], float]) -> list[int]:
    """Places of the brokers, the most telling first."""
    return sorted(range(len(brokers)), key=lambda place: (-reason(brokers[place]), place))
