"""What a field of a record is in plain Python: an attribute that reads the record's memory by its address."""

from __future__ import annotations

from functools import cache
from typing import Any, get_type_hints
from weakref import WeakValueDictionary

import numpy as np

from simulator.compiled import records
from simulator.compiled.raw_memory import (
    CELL_BYTES,
    distance_of,
    few_bits,
    length_of,
    number_at,
    put_number,
    put_real,
    real_at,
    reference,
    with_bits,
)
from simulator.compiled.records import PLAIN, AnyRecord, Cells, Field, OutsideError, Record, Region


class _Access:
    """An attribute of a record class."""

    def __init__(self, field: Field) -> None:
        self.field, self.bytes = field, field.at * CELL_BYTES

    def _refuse(self) -> None:
        raise AttributeError(f"{self.field.name} cannot be assigned: it lies inside its record")

    def _seen(self, record: Record, address: int, length: int) -> Any:
        """What lies at an address, as the field tells."""
        field = self.field
        if not field.many:
            assert field.record is not None
            return field.record(address, record.owner)
        if field.record is None:
            return Cells(address, length, field.name, record.owner)
        return Region(field.record, address, length, field.name, record.owner)


class _Number(_Access):
    def __get__(self, record: Record | None, _: Any) -> Any:
        return self if record is None else number_at(record.address + self.bytes)

    def __set__(self, record: Record, value: int) -> None:
        put_number(record.address + self.bytes, value)


class _FewBits(_Access):
    def __get__(self, record: Record | None, _: Any) -> Any:
        if record is None:
            return self
        field = self.field
        return np.int64(few_bits(number_at(record.address + self.bytes), field.bits, field.shift))

    def __set__(self, record: Record, value: int) -> None:
        field, own = self.field, record.address + self.bytes
        word = with_bits(number_at(own), value, field.bits, field.shift)
        if records.CHECKED and few_bits(word, field.bits, field.shift) != value:
            raise OutsideError(field.name, int(value), 1 << field.bits)
        put_number(own, word)


class _Real(_Access):
    def __get__(self, record: Record | None, _: Any) -> Any:
        return self if record is None else real_at(record.address + self.bytes)

    def __set__(self, record: Record, value: float) -> None:
        put_real(record.address + self.bytes, value)


class _Inside(_Access):
    def __get__(self, record: Record | None, _: Any) -> Any:
        if record is None:
            return self
        length: Any = self.field.count
        if self.field.path:
            length = record
            for name in self.field.path:
                length = getattr(length, name)
        return self._seen(record, record.address + self.bytes, int(length))

    def __set__(self, record: Record, value: Any) -> None:
        self._refuse()


class _Distance(_Access):
    def __get__(self, record: Record | None, _: Any) -> Any:
        if record is None:
            return self
        own = record.address + self.bytes
        word = number_at(own)
        return self._seen(record, own + distance_of(word >> self.field.shift) * CELL_BYTES, length_of(word))

    def __set__(self, record: Record, value: Any) -> None:
        own = record.address + self.bytes
        if self.field.bits:
            distance = (value.address - own) // CELL_BYTES
            put_number(own, with_bits(number_at(own), distance, self.field.bits, self.field.shift))
            return
        length = value.length if self.field.many else 0
        put_number(own, reference((value.address - own) // CELL_BYTES, length))


class _Address(_Access):
    def __get__(self, record: Record | None, _: Any) -> Any:
        if record is None:
            return self
        own = record.address + self.bytes
        return self._seen(record, int(number_at(own)), int(number_at(own + CELL_BYTES)) if self.field.many else 0)

    def __set__(self, record: Record, value: Any) -> None:
        own = record.address + self.bytes
        put_number(own, value.address)
        if self.field.many:
            put_number(own + CELL_BYTES, value.length)


_PLAIN_RULES: WeakValueDictionary[int, Any] = WeakValueDictionary()  # who sets a rule keeps it alive


@cache
def _takes_any_record(protocol: Any) -> bool:
    return next(iter(get_type_hints(protocol.__call__).values())) is AnyRecord


@cache
def _of_any_record(rule: Any) -> Any:
    """A rule that is called with a record of whatever layout, and sees its own."""
    own = next(iter(get_type_hints(rule).values()))
    return lambda record, *rest: rule(own(record.address, record.owner), *rest)


class _Rule(_Access):
    def __get__(self, record: Record | None, _: Any) -> Any:
        if record is None:
            return self
        return _PLAIN_RULES[int(number_at(record.address + self.bytes))]

    def __set__(self, record: Record, value: Any) -> None:
        if PLAIN:
            value = _of_any_record(value) if _takes_any_record(self.field.rule) else value
            address = id(value)
        else:
            from simulator.compiled.record_types import address_of

            address = address_of(value, self.field.rule)
        _PLAIN_RULES[address] = value
        put_number(record.address + self.bytes, address)


def field_access(field: Field) -> Any:
    """The attribute of that field."""
    kinds = {
        records.NUMBER: _Number,
        records.REAL: _Real,
        records.DISTANCE: _Distance,
        records.ADDRESS: _Address,
        records.RULE: _Rule,
    }
    few = field.kind == records.NUMBER and field.bits
    return _FewBits(field) if few else kinds.get(field.kind, _Inside)(field)
