"""Bisection for the least or greatest value that holds the objectives, as a function of what is known so far.

Nothing is remembered between calls: the same knowledge gives the same next value, so a search that was interrupted
goes on where it was. Both ends come first, then halves; when the edge is found, the middles of both sides are looked
at as well, to see whether the objectives rise and fall only once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

# Whether the objectives are shown to hold at the value of a number; None: it has not been tried.
Known = Callable[[int], bool | None]


@dataclass(frozen=True)
class Search:
    """Where a search of `count` values stands: what to try next, or the answer.

    wanted: numbers of the values to try now; empty at the end. answer: number of the value found, None if none
    holds. monotone: False if a value further inside does not hold, or one outside does. tried: in order.
    """

    wanted: tuple[int, ...]
    answer: int | None
    monotone: bool
    tried: tuple[int, ...]


def search(count: int, known: Known, *, smallest: bool) -> Search:
    """The state of a search over values 0..count-1, of which the last (or the first, for the greatest) is easiest."""
    tried: list[int] = []
    missing: list[int] = []

    def holds(place: int) -> bool:
        number = place if smallest else count - 1 - place
        found = known(number)
        if number not in tried:
            tried.append(number)
        if found is None:
            missing.append(number)
        return bool(found)

    def state(answer: int | None, monotone: bool) -> Search:
        numbered = None if answer is None else answer if smallest else count - 1 - answer
        return Search(tuple(missing), numbered, monotone, tuple(n for n in tried if n not in missing))

    # Places rise from the hardest to the easiest value.
    hardest, easiest = holds(0), holds(count - 1)
    if missing:
        return state(None, True)
    if hardest:
        middle = holds((count - 1) // 2)
        return state(0, easiest and middle) if not missing else state(None, True)
    low, high = 0, count - 1
    if not easiest:
        inner = sorted({count // 4, count // 2, 3 * count // 4} - {0, count - 1})
        found = [place for place in inner if holds(place)]
        if missing or not found:
            return state(None, not found)
        high = found[0]
    while high - low > 1:
        middle_place = (low + high) // 2
        held = holds(middle_place)
        if missing:
            return state(None, easiest)
        low, high = (low, middle_place) if held else (middle_place, high)
    outside, inside = low // 2, (high + count - 1) // 2
    again, still = holds(outside), holds(inside)
    if missing:
        return state(None, easiest)
    return state(high, easiest and still and not again)
