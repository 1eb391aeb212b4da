"""The arrays behind the regions of a directory: kept alive, replaced as they grow, named for a checkpoint."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from simulator.compiled.records import CELL_BITS, LINE, Array, Cells, Directory, Region, layout_of, size_of

D = TypeVar("D", bound=Directory)


def line_zeros(cells: int) -> Array:
    """So many zeros that begin with a line of the processor's caches."""
    room = np.zeros(cells + LINE, np.int64)
    return room[-(room.ctypes.data // room.itemsize) % LINE :][:cells]


def aligned(numbers: Array) -> Array:
    """A copy of int64 numbers that begins with a line of the processor's caches."""
    flat = numbers.reshape(-1)
    copy = line_zeros(len(flat))
    copy[:] = flat
    return copy


def begins_line(numbers: Array) -> bool:
    """Whether the numbers begin with a line of the processor's caches."""
    return numbers.ctypes.data % (LINE * numbers.itemsize) == 0


class RegionStore(Generic[D]):
    """The arrays that the regions of a directory lie in; `directory` is what entries are called with."""

    def __init__(self, kind: type[D]) -> None:
        self._memory = np.zeros(layout_of(kind).size, np.int64)
        self._address = self._memory.ctypes.data
        self.arrays: dict[str, Array] = {}
        self._kind = kind

    @property
    def directory(self) -> D:
        """The directory; it, its regions and their records keep the arrays alive."""
        return self._kind(self._address, self)

    def put(self, name: str, numbers: Array, *, given_up: bool = False) -> Array:
        """Have the region or record of that name hold a copy of the numbers; gives the array it lies in.

        Numbers that the caller gives up are not copied if they can be used as they are.
        """
        array = self.keep(name, numbers, given_up=given_up)
        self._point(name, array)
        return array

    def grow(self, name: str, numbers: Array) -> None:
        """Have a large region grow by these numbers where it lies, without a second copy of it."""
        array = self.arrays.pop(name)
        if array.base is not None:
            array = array.copy()
        before = len(array)
        array.resize(before + numbers.size, refcheck=False)
        array[before:] = numbers.reshape(-1)
        self.arrays[name] = array
        self._point(name, array)

    def _point(self, name: str, array: Array) -> None:
        field = layout_of(self._kind).field(name)
        if not field.many:
            assert field.record is not None
            setattr(self.directory, name, field.record.at(array))
        else:
            seen: Any = Cells.of(array) if field.record is None else Region.of(field.record, array)
            setattr(self.directory, name, seen)

    def keep(self, name: str, numbers: Array, *, given_up: bool = False) -> Array:
        """Keep a copy of numbers in which several regions lie, see `share` and `put`; gives the array."""
        array = self.arrays[name] = numbers.reshape(-1) if given_up and begins_line(numbers) else aligned(numbers)
        return array

    def share(self, name: str, region: Any) -> None:
        """Have the region of that name lie in memory that another array of the store holds."""
        setattr(self.directory, name, region)

    def rows(self, name: str) -> Array:
        """The array of a region of records, [records, cells], to be read and written by `columns`."""
        record = layout_of(self._kind).field(name).record
        assert record is not None
        return self.arrays[name].reshape(-1, layout_of(record).size)

    def fields(self, name: str) -> list[str]:
        """The names of the numbers of one record of that region, in order; none for plain numbers."""
        record = layout_of(self._kind).field(name).record
        return [] if record is None else list(layout_of(record).cells)


def filled(record: type[Any], count: int, /, **values: npt.ArrayLike) -> Array:
    """The cells of so many records, int64[count, cells]: by field a number for all or one each, else 0.

    Raises AttributeError for a field that the record has not.
    """
    rows = line_zeros(count * size_of(record)).reshape(count, size_of(record))
    for name, given in values.items():
        put_column(record, rows, name, given)
    return rows


def _without(mask: int) -> np.int64:
    """The number that has all bits but those."""
    return np.uint64((1 << CELL_BITS) - 1 - mask).view(np.int64)


def column(record: type[Any], rows: Array, name: str) -> Array:
    """The numbers of a field of records [..., cells]."""
    field = layout_of(record).field(name)
    cells: Array = rows[..., field.at]
    if not field.bits:
        return cells
    high = cells << (CELL_BITS - field.bits - field.shift)
    down = CELL_BITS - field.bits
    return (high.view(np.uint64) >> np.uint64(down)).view(np.int64) if field.bits == 1 else high >> down


def put_column(record: type[Any], rows: Array, name: str, numbers: npt.ArrayLike) -> None:
    """Write them: one for all or one each."""
    field = layout_of(record).field(name)
    if field.bits:
        mask = (1 << field.bits) - 1
        others = rows[..., field.at] & _without(mask << field.shift)
        rows[..., field.at] = others | (np.asarray(numbers, np.int64) & mask) << field.shift
    else:
        rows[..., field.at] = numbers


def refer(memory: Array, record: type[Any], places: npt.ArrayLike, name: str, to: npt.ArrayLike) -> None:
    """Have a field of the records at those cells of a memory refer to a record of it, one for all or each."""
    field = layout_of(record).field(name)
    own = np.asarray(places, np.int64) + field.at
    distance = (np.asarray(to, np.int64) - own) & 0xFFFFFFFF
    if field.bits:
        memory[own] = memory[own] & _without(0xFFFFFFFF << field.shift) | distance << field.shift
    else:
        memory[own] = distance


def columns(record: type[Any]) -> Mapping[str, int]:
    """The column of every field of a record in `RegionStore.rows` that has a cell of its own."""
    return layout_of(record).cells
