"""Names of rows that fit beside a picture on a phone: what all have in common at their begins is left out."""

from __future__ import annotations

from collections.abc import Sequence

CHARACTER_PX = 7
LEAST_PX, MOST_PX = 90, 136
MOST_CHARACTERS = MOST_PX // CHARACTER_PX - 1
CUT = "…"
SHORT = 8  # characters of a part that stays as it is
SIGN = "-_.@"


def short_names(names: Sequence[str]) -> list[str]:
    """Names of at most MOST_CHARACTERS where that leaves them different; as they are where they fit.

    A name has parts, such as BROKER:INSTANCE. What all names have in common at the begin of a long part goes first, up
    to a sign such as - or _. Then what is still too long loses its middle.
    """
    if max(map(len, names), default=0) <= MOST_CHARACTERS:
        return list(names)
    parts = [name.split(":") for name in names]
    if len({len(each) for each in parts}) > 1:
        parts = [[name] for name in names]
    short = [
        ":".join(each) for each in zip(*(_without_begin(list(own)) for own in zip(*parts, strict=True)), strict=True)
    ]
    short = [_without_middle(name) for name in short]
    return short if len(set(short)) == len(set(names)) else list(names)


def room_px(names: Sequence[str]) -> int:
    """The margin that names need, within what a phone has left."""
    return min(max(CHARACTER_PX * (max(map(len, names), default=0) + 1), LEAST_PX), MOST_PX)


def _without_begin(part: list[str]) -> list[str]:
    shared = _common_begin(min(part), max(part))
    if max(map(len, part)) <= SHORT or (length := max(shared.rfind(sign) for sign in SIGN) + 1) <= len(CUT):
        return part
    if len(shared) == max(map(len, part)):  # one name in all rows: its last two words stay
        length = max(shared.rfind(sign, 0, length - 1) for sign in SIGN) + 1
    return [CUT + name[length:] for name in part] if length > len(CUT) else part


def _common_begin(first: str, last: str) -> str:
    differs = next((place for place, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
    return first[:differs]


def _without_middle(name: str) -> str:
    if len(name) <= MOST_CHARACTERS:
        return name
    end = (MOST_CHARACTERS - len(CUT)) * 2 // 3
    return name[: MOST_CHARACTERS - len(CUT) - end] + CUT + name[-end:]
