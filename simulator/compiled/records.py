"""Records: int64 memory with named fields, declared once as annotated classes.

    class Item(Record):
        start_timestamp: Ms  # ...
        table: Table  # a reference to another record
        mean_us: float  # the bits of a double in a cell
        place: Annotated[int, bits(20)]  # a number of so many bits: those that follow each other share a cell
        counter: Within[Counter]  # a record that lies inside this one
        steps: Cells  # a reference to a region of numbers
        items: Annotated[Region[Item], tail("count")]  # behind this record, `count` of them

Compiled rules load and store a field at a constant offset from a bare pointer (record_types.py); plain Python reads
the same memory by its address (record_fields.py). A `Record` is stored as it runs: its references are distances from
their own cell, so that the stored numbers do not depend on where the memory lies. A `Directory` is not: the host
fills it for each memory; its references are addresses, each followed by the region's length, and it may hold
rules (a field whose type is a Protocol with `__call__`).

With SENDLAB_CHECKED=1 an index outside its region raises OutsideError. Without, nothing is checked.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Generic, Self, TypeVar, get_args, get_origin, get_type_hints

import numpy as np
import numpy.typing as npt

from simulator.compiled.raw_memory import CELL_BYTES, number_at, numbers_at, put_number

Array = npt.NDArray[np.int64]
Us = int  # microseconds of virtual time
Ms = int  # milliseconds of the client's clock

CHECKED = os.environ.get("SENDLAB_CHECKED") == "1"
PLAIN = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")  # rules run as plain Python
OWN_MODULES = "own_policy_"  # how the names of modules begin that are files of users
LINE = 8  # cells of a line of the processor's caches
CELL_BITS = 64

T = TypeVar("T")


NUMBER, REAL, WITHIN, DISTANCE, ADDRESS, RULE = "number", "real", "within", "distance", "address", "rule"


class _Within:
    """Marks a record that lies inside another."""


@dataclass(frozen=True)
class Several:
    """Marks a region inside or behind a record: `count` elements, or as many as the field at that path says."""

    count: int = 0
    path: tuple[str, ...] = ()


@dataclass(frozen=True)
class Bits:
    """Marks a number, or a reference to a record, of fewer bits than a cell has."""

    count: int


Within = Annotated[T, _Within]


def bits(count: int) -> Bits:
    """A number of that many bits with a sign, of one bit 0 or 1; a reference has 32. What does not fit is cut off.

    A checked build raises instead.
    """
    return Bits(count)


def several(count: int) -> Several:
    """A region of that many elements inside the record."""
    return Several(count)


def tail(path: str) -> Several:
    """A region behind the record, whose length the field at `path` ("count" or "table.count") says."""
    return Several(0, tuple(path.split(".")))


class Region(Generic[T]):
    """Many records of one layout, one after the other, in plain Python; compiled it is their address."""

    __slots__ = ("address", "length", "name", "owner", "record")

    def __init__(self, record: type[T], address: int, length: int, name: str = "", owner: object = None) -> None:
        self.record, self.address, self.length = record, address, length
        self.name, self.owner = name or record.__name__, owner

    @classmethod
    def of(cls, record: type[T], memory: Array, place: int = 0, length: int | None = None) -> Region[T]:
        """The records in an array from cell `place` on; by default all that fit."""
        room = (len(memory) - place) // layout_of(record).size
        return cls(record, memory.ctypes.data + place * CELL_BYTES, room if length is None else length, "", memory)

    def __len__(self) -> int:
        return self.length

    @property
    def array(self) -> Array:
        """The memory itself, int64[records, cells]; `layout_of(record).cells` names the columns."""
        size = layout_of(self.record).size
        return numbers_at(self.address, self.length * size).reshape(self.length, size)

    def __getitem__(self, index: int) -> T:
        if CHECKED and not 0 <= index < self.length:
            raise OutsideError(self.name, int(index), self.length)
        record: Any = self.record
        layout = record._layout or layout_of(record)
        return record(self.address + int(index) * layout.size * CELL_BYTES, self.owner)  # type: ignore[no-any-return]


class Cells:
    """A region of plain numbers; compiled it is its address."""

    __slots__ = ("address", "length", "name", "owner")

    def __init__(self, address: int, length: int, name: str = "Cells", owner: object = None) -> None:
        self.address, self.length, self.name, self.owner = address, length, name, owner

    @classmethod
    def of(cls, memory: Array, place: int = 0, length: int | None = None) -> Cells:
        """The numbers in an array from cell `place` on; by default all."""
        rest = len(memory) - place
        return cls(memory.ctypes.data + place * CELL_BYTES, rest if length is None else length, "Cells", memory)

    def __len__(self) -> int:
        return self.length

    @property
    def array(self) -> Array:
        """The memory itself."""
        return numbers_at(self.address, self.length)

    def __getitem__(self, index: int) -> int:
        return number_at(self._at(index))

    def __setitem__(self, index: int, value: int) -> None:
        put_number(self._at(index), value)

    def _at(self, index: int) -> int:
        if CHECKED and not 0 <= index < self.length:
            raise OutsideError(self.name, int(index), self.length)
        return self.address + int(index) * CELL_BYTES


R = TypeVar("R", Cells, Region[Any])


def beyond(region: R, first: int) -> R:
    """The part of a region from element `first` on."""
    if CHECKED and not 0 <= first <= region.length:
        raise OutsideError(region.name, int(first), region.length)
    if isinstance(region, Cells):
        return Cells(region.address + int(first) * CELL_BYTES, region.length - first, region.name, region.owner)
    size = layout_of(region.record).size * CELL_BYTES
    return Region(region.record, region.address + int(first) * size, region.length - first, region.name, region.owner)


def cells_at(record: Record, count: int) -> Cells:
    """The plain numbers from a record on."""
    return Cells(record.address, count, type(record).__name__, record.owner)


def fetch(memory: Record | Cells, line: int) -> None:
    """Bring a line near, counted from a record or a number on. Changes nothing; plain Python has no caches to fill."""


class Record:
    """Named numbers in a piece of int64 memory that others own; a subclass annotates its fields."""

    __slots__ = ("address", "owner")
    if TYPE_CHECKING:
        address: int
        owner: object
    _by_name: ClassVar[dict[str, type[Record]]] = {}
    _layout: ClassVar[Layout | None] = None

    def __init_subclass__(cls) -> None:
        if cls.__module__.startswith(OWN_MODULES):  # two versions of a user's file may be at work at once
            cls.__name__ = f"{cls.__name__}_{cls.__module__.removeprefix(OWN_MODULES)}"
        known = Record._by_name.setdefault(cls.__name__, cls)
        if (known.__module__, known.__qualname__) != (cls.__module__, cls.__qualname__):
            raise TypeError(f"{cls.__module__} and {known.__module__} both declare a record {cls.__name__}")
        Record._by_name[cls.__name__] = cls
        cls._layout = None

    def __init__(self, address: int, owner: object = None) -> None:
        if self._layout is None:
            layout_of(type(self))
        _put_address(self, address)
        _put_owner(self, owner)

    @classmethod
    def at(cls, memory: Array, place: int = 0) -> Self:
        """The record in an array from cell `place` on."""
        return cls(memory.ctypes.data + place * CELL_BYTES, memory)

    if not TYPE_CHECKING:

        def __setattr__(self, name: str, value: Any) -> None:
            if name not in self._layout.fields:
                self._layout.field(name)
            object.__setattr__(self, name, value)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.address == other.address

    def __hash__(self) -> int:
        return hash(self.address)


_put_address: Any = vars(Record)["address"].__set__
_put_owner: Any = vars(Record)["owner"].__set__


class Directory(Record):
    """A record that is not stored: its references are addresses, and it may hold rules."""

    __slots__ = ()


class AnyRecord(Record):
    """A record of whatever layout; a rule that takes its own record first is one of a Protocol that names this."""

    first: int


@dataclass(frozen=True)
class Field:
    """One field: what it is called, from which cell of the record on it lies, and what it is.

    kind: NUMBER, REAL (a double), WITHIN (inside or behind the record), DISTANCE (a reference that is stored),
    ADDRESS (one that is not) or RULE. record: what it is or refers to a record or region of, None for plain numbers;
    `many`: a region. bits: how many of its cell's it has, from bit `shift` on; 0: all.
    """

    name: str
    at: int
    kind: str
    record: type[Record] | None = None
    many: bool = False
    count: int = 1
    path: tuple[str, ...] = ()
    rule: Any = None
    inside: Any = None
    bits: int = 0
    shift: int = 0


@dataclass(frozen=True)
class Layout:
    """The fields of a record and how many cells it has."""

    record: type[Record]
    fields: dict[str, Field]
    size: int

    def field(self, name: str) -> Field:
        """That field. Raises AttributeError naming the record and the nearest field."""
        found = self.fields.get(name)
        if found is None:
            from difflib import get_close_matches

            near = get_close_matches(name, self.fields, n=1, cutoff=0.0)
            raise AttributeError(f"{self.record.__name__} has no field {name}, the nearest is {', '.join(near)}")
        return found

    @cached_property
    def cells(self) -> dict[str, int]:
        """The cell of every number of the record by its name ("counter.random"), in order.

        Those that share a cell have one name ("present|reachable").
        """
        found: dict[str, int] = {}
        for field in self.fields.values():
            if field.bits:
                sharing = [other.name for other in self.fields.values() if other.bits and other.at == field.at]
                found["|".join(sharing)] = field.at
            elif field.kind == WITHIN and field.record is not None:
                inner = layout_of(field.record)
                for i in range(field.count):
                    prefix = f"{field.name}[{i}]" if field.many else field.name
                    found |= {f"{prefix}.{name}": field.at + i * inner.size + at for name, at in inner.cells.items()}
            elif field.kind == WITHIN:
                found |= {f"{field.name}[{i}]": field.at + i for i in range(field.count)}
            else:
                found[field.name] = field.at
        return found


def size_of(record: type[Any]) -> int:
    """Cells of a record."""
    return layout_of(record).size


def layout_of(record: type[Any]) -> Layout:
    """The layout that a record class declares. Raises TypeError for a field of a type that no memory holds."""
    layout: Layout | None = record._layout
    if layout is None:
        layout = record._layout = _lay_out(record)
        for field in layout.fields.values():
            setattr(record, field.name, _access[0](field))
    return layout


_access: list[Callable[[Field], Any]] = []


def read_through(access: Callable[[Field], Any]) -> None:
    """Have plain Python read and write a field by what that function makes of it."""
    _access[:] = [access]


def _lay_out(record: type[Record]) -> Layout:
    fields: dict[str, Field] = {}
    at = 0
    for name, hint in get_type_hints(record, include_extras=True).items():
        if name.startswith("_"):
            continue
        field, cells = _field(record, name, at, hint)
        before = next(reversed(fields.values()), None)
        if field.bits and before is not None and before.bits and before.shift + before.bits + field.bits <= CELL_BITS:
            field, cells = replace(field, at=before.at, shift=before.shift + before.bits), 0
        fields[name] = field
        at += cells
    return Layout(record, fields, at)


def _field(record: type[Record], name: str, at: int, hint: Any) -> tuple[Field, int]:
    """The field and how many cells it takes."""
    extras: tuple[Any, ...] = ()
    if get_origin(hint) is Annotated:
        hint, *rest = get_args(hint)
        extras = tuple(rest)
    few = next((extra.count for extra in extras if isinstance(extra, Bits)), 0)
    if hint in (int, float):
        return Field(name, at, NUMBER if hint is int else REAL, bits=few), 1
    many = get_origin(hint) is Region or hint is Cells
    inner = get_args(hint)[0] if get_origin(hint) is Region else None if hint is Cells else hint
    if inner is not None and not issubclass(inner, Record):
        if issubclass(record, Directory) and "__call__" in vars(inner):
            return Field(name, at, RULE, rule=inner), 1
        raise TypeError(f"{record.__name__}.{name}: {hint} is neither int, float nor a record, region or rule")
    if _Within in extras:
        assert inner is not None
        return Field(name, at, WITHIN, inner), layout_of(inner).size
    for extra in extras:
        if isinstance(extra, Several):
            field = Field(name, at, WITHIN, inner, True, extra.count, extra.path, inside=record)
            return field, extra.count * (1 if inner is None else layout_of(inner).size)
    if issubclass(record, Directory):
        return Field(name, at, ADDRESS, inner, many), 2 if many else 1
    return Field(name, at, DISTANCE, inner, many, bits=few), 1


class OutsideError(IndexError):
    """An index outside its region, in a checked build. Compiled code leaves index and length in `WRONG`."""

    def __init__(self, region: str, index: int | None = None, length: int | None = None) -> None:
        if index is None or length is None:
            index, length = int(WRONG[1]), int(WRONG[2])
            WRONG[0] = 0
        self.region, self.index, self.length = region, index, length
        super().__init__(f"region {region}: index {index} is outside its {length} elements")


def raise_if_outside() -> None:
    """Raise what a rule that was called through its address could not: OutsideError if there was a wrong index."""
    if _failed:
        error = _failed[0]
        _failed.clear()
        WRONG[0] = 0
        raise error
    if WRONG[0]:
        WRONG[0] = 0
        raise OutsideError("of a rule")


def call_failed(error: BaseException) -> None:
    """Keep what a function of Python's raised that machine code had called; the first one counts."""
    _failed.append(error)


_failed: list[BaseException] = []
WRONG = np.zeros(3, np.int64)  # of the last wrong index: that there is one, the index, the length of its region
