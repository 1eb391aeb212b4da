"""The unit that the name of a column says: `latency_ms`, `latency (us)`, `rt[µs]`, `Latency / ms`, `耗时(毫秒)`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

# Longest first, for one that is glued to a name.
WORDS = {
    "nanoseconds": "ns", "nanosecond": "ns", "nanosecs": "ns", "nanosec": "ns", "nanos": "ns", "nsec": "ns", "ns": "ns",
    "microseconds": "us", "microsecond": "us", "microsecs": "us", "microsec": "us", "micros": "us", "usecs": "us",
    "usec": "us", "us": "us", "μs": "us", "milliseconds": "ms", "millisecond": "ms", "millisecs": "ms",
    "millisec": "ms", "millis": "ms", "msecs": "ms", "msec": "ms", "ms": "ms", "seconds": "s", "second": "s",
    "secs": "s", "sec": "s", "s": "s", "纳秒": "ns", "微秒": "us", "毫秒": "ms", "秒": "s",
}  # fmt: skip
UNIT = "|".join(WORDS)
APART = re.compile(
    rf"(.*?)\s*(?:[(\[{{<|]\s*(?:in\s+|单位[::]?\s*)?({UNIT})\s*[)\]}}>|]|(?:[\s_./,:;\-]+(?:in[\s_]+)?)({UNIT}))"
)
GLUED = re.compile(rf"(.*?(?:[^a-z\s]))({UNIT})|(.+?)((?:nano|micro|milli)s(?:ec(?:ond)?s?)?|seconds|secs)")


def plain_name(name: str) -> str:
    """A name in small letters with its words apart: full-width brackets and both micro signs are the usual ones."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", unicodedata.normalize("NFKC", name).strip())
    return words.lower()


def split_unit(name: str, known: Collection[str] = ()) -> tuple[str, str | None]:
    """A name without the unit at its end, and that: s, ms, us, ns or None; in small letters.

    known: names, letters and digits only, that may have a unit right behind them: `costms`.
    """
    plain = plain_name(name)
    if found := APART.fullmatch(plain):
        return found[1].strip(" _"), WORDS[found[2] or found[3]]
    if found := GLUED.fullmatch(plain):
        return (found[1] or found[3]).strip(" _"), WORDS[found[2] or found[4]]
    glued = next((word for word in WORDS if plain.endswith(word) and plain.removesuffix(word) in known), None)
    return (plain.removesuffix(glued), WORDS[glued]) if glued is not None else (plain, None)
