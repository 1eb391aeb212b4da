"""The groups that the names of producers tell: `shop` of shop-01 and shop-02, `billing` of billing@10.0.0.7-4711."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

PARTS = re.compile(r"[^\W\d_]+|\d+|[\W_]")
HAS_DIGIT = re.compile(r"\d")
GROUP = re.compile(r"[A-Za-z][A-Za-z0-9_.-]+")  # one letter says nothing
NUMBER = re.compile(r"(?<=[A-Za-z]{3})\d+$")
# From the first place on that tells an instance: an address, a number, the hash of a pod.
INSTANCE = re.compile(r"(@.*|[-_.:/#|]*[^-_.:/#|]*\d[^-_.:/#|]*)([-_.:/#|].*)?$")


def groups_of_names(names: Sequence[str]) -> list[str]:
    """Of each producer the common prefix of the names of its group, "" where the names tell none."""
    found: dict[int, str] = {}
    _part({place: PARTS.findall(name.partition("@")[0]) for place, name in enumerate(names)}, 0, found)
    return [found[place] for place in range(len(names))]


def _part(names: Mapping[int, list[str]], depth: int, found: dict[int, str]) -> None:
    """Part names that are alike up to `depth` where words differ; where only numbers do, or every name, is a group."""
    by_next: dict[str, dict[int, list[str]]] = {}
    for place, parts in names.items():
        by_next.setdefault(parts[depth] if depth < len(parts) else "", {})[place] = parts
    is_one = len(by_next) == 1 and "" not in by_next
    differs = any(HAS_DIGIT.search(part) for part in by_next) or all(len(own) == 1 for own in by_next.values())
    if is_one or not ("" in by_next or differs):
        for own in by_next.values():
            _part(own, depth + 1, found)
        return
    prefix = "".join(next(iter(names.values()))[:depth])
    group = INSTANCE.sub("", NUMBER.sub("", prefix)).rstrip("-_.:/#|")
    for place in names:
        found[place] = group if GROUP.fullmatch(group) else ""
