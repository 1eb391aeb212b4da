"""What is said of a region of a directory where it is declared: whether it is remembered, grows, or is a pool's.

    heap: Growing[Region[Event]]
    asides: Pooled[Region[Attempt]]  # of the clock's pool of the same name
    attempts: Annotated[Growing[Region[Attempt]], pools("blocking", "asynchronous")]
    sync_parts: Annotated[Growing[Region[SyncPart]], part_of("attempts")]  # a record for each of those

What has none of these is no part of a state: it follows from the scenario, or is made again before each step.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

from simulator.compiled.records import Directory, Record, layout_of

T = TypeVar("T")


@dataclass(frozen=True)
class KeptRegion:
    """Marks what is stored; `grows`: it has as many records as are needed.

    renewed: a cell that goes on from another scenario's has its own scenario's; `may_differ`: only if its size differs.
    """

    grows: bool = False
    renewed: bool = False
    may_differ: bool = False


@dataclass(frozen=True)
class OfPools:
    """Marks records that are taken and given back, and names the pools of the clock; none: that of the same name."""

    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class PartOf:
    """Marks records that lie beside those of another region, one for each."""

    region: str


Remembered = Annotated[T, KeptRegion()]
Renewed = Annotated[T, KeptRegion(renewed=True)]
MayDiffer = Annotated[T, KeptRegion(may_differ=True)]
Growing = Annotated[T, KeptRegion(grows=True)]
Pooled = Annotated[T, KeptRegion(grows=True), OfPools()]


def pools(*names: str) -> OfPools:
    """The pools of the clock that a region's records are taken from."""
    return OfPools(names)


def part_of(region: str) -> PartOf:
    """The region whose records these are a part of."""
    return PartOf(region)


@dataclass(frozen=True)
class MemoryMarks:
    """Names of the regions of a directory by what is said of them, in the order of their declaration.

    renewed, may_differ: as KeptRegion says. taken: records of pools, and their parts. pools: by pool its region.
    parts: by region those with its parts.
    """

    remembered: tuple[str, ...]
    growing: tuple[str, ...]
    renewed: tuple[str, ...]
    may_differ: tuple[str, ...]
    taken: tuple[str, ...]
    pools: dict[str, str]
    parts: dict[str, tuple[str, ...]]


@cache
def marks_of(directory: type[Directory]) -> MemoryMarks:
    """What a directory says of its regions.

    Raises TypeError for one of a pool, or with parts, that is not declared to grow, and for a part of no such region.
    """
    kept_of: dict[str, KeptRegion] = {}
    taken = []
    of_pool: dict[str, str] = {}
    parts: dict[str, tuple[str, ...]] = {}
    for name, said in get_type_hints(directory, include_extras=True).items():
        marks: tuple[Any, ...] = get_args(said)[1:] if get_origin(said) is Annotated else ()
        kept = next((mark for mark in marks if isinstance(mark, KeptRegion)), None)
        if kept is not None:
            kept_of[name] = kept
        for mark in marks:
            if not isinstance(mark, OfPools | PartOf):
                continue
            needed = (name, mark.region) if isinstance(mark, PartOf) else (name,)
            if not all(one in kept_of and kept_of[one].grows for one in needed):
                raise TypeError(f"{directory.__name__}.{name}: records that are taken lie in regions that grow")
            taken.append(name)
            if isinstance(mark, OfPools):
                of_pool |= dict.fromkeys(mark.names or (name,), name)
            else:
                parts[mark.region] = (*parts.get(mark.region, ()), name)
    growing = tuple(name for name, kept in kept_of.items() if kept.grows)
    renewed = tuple(name for name, kept in kept_of.items() if kept.renewed)
    may_differ = tuple(name for name, kept in kept_of.items() if kept.may_differ)
    return MemoryMarks(tuple(kept_of), growing, renewed, may_differ, tuple(taken), of_pool, parts)


def record_in(directory: type[Directory], region: str) -> type[Record]:
    """The records of a region of a directory. Raises TypeError for one of plain numbers."""
    record = layout_of(directory).field(region).record
    if record is None:
        raise TypeError(f"{directory.__name__}.{region} has no records")
    return record
