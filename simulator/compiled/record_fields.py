"""What a field of a record is in plain Python: an attribute that reads the record's memory by its address."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, get_type_hints
from weakref import WeakValueDictionary

import numpy as np

from simulator.compiled import records
from simulator.compiled.raw_memory import (
    BYTES_OF_PLACE,
    CELL_BYTES,
    NUMBERS,
    REALS,
    distance_of,
    few_bits,
    length_of,
    number_at,
    put_number,
    reference,
    with_bits,
    wrapped,
)
from simulator.compiled.records import PLAIN, AnyRecord, Cells, Field, OutsideError, Record, Region


def _number(field: Field) -> property:
    place = field.at - 1

    def read(record: Record) -> Any:
        return NUMBERS[(record.address >> BYTES_OF_PLACE) + place]

    def write(record: Record, value: int) -> None:
        try:
            NUMBERS[(record.address >> BYTES_OF_PLACE) + place] = int(value)
        except OverflowError:
            NUMBERS[(record.address >> BYTES_OF_PLACE) + place] = wrapped(int(value))

    return property(read, write)


def _few_bits(field: Field) -> property:
    place, bits, shift = field.at - 1, field.bits, field.shift

    def read(record: Record) -> Any:
        return np.int64(few_bits(NUMBERS[(record.address >> BYTES_OF_PLACE) + place], bits, shift))

    def write(record: Record, value: int) -> None:
        own = (record.address >> BYTES_OF_PLACE) + place
        word = with_bits(NUMBERS[own], value, bits, shift)
        if records.CHECKED and few_bits(word, bits, shift) != value:
            raise OutsideError(field.name, int(value), 1 << bits)
        NUMBERS[own] = word

    return property(read, write)


def _real(field: Field) -> property:
    place = field.at - 1

    def read(record: Record) -> float:
        return float(REALS[(record.address >> BYTES_OF_PLACE) + place])

    def write(record: Record, value: float) -> None:
        REALS[(record.address >> BYTES_OF_PLACE) + place] = float(value)

    return property(read, write)


def _seen(field: Field) -> Callable[[Record, int, int], Any]:
    """What lies at an address, as the field tells: its record's `owner` keeps that alive."""
    kind, name = field.record, field.name
    if not field.many:
        assert kind is not None
        return lambda record, address, _: kind(address, record.owner)
    if kind is None:
        return lambda record, address, length: Cells(address, length, name, record.owner)
    return lambda record, address, length: Region(kind, address, length, name, record.owner)


def _inside(field: Field) -> property:
    seen, offset, count, path = _seen(field), field.at * CELL_BYTES, field.count, field.path

    def read(record: Record) -> Any:
        length: Any = count
        if path:
            length = record
            for name in path:
                length = getattr(length, name)
        return seen(record, record.address + offset, int(length))

    def write(record: Record, value: Any) -> None:
        raise AttributeError(f"{field.name} cannot be assigned: it lies inside its record")

    return property(read, write)


def _distance(field: Field) -> property:
    seen, offset, bits, shift = _seen(field), field.at * CELL_BYTES, field.bits, field.shift

    def read(record: Record) -> Any:
        own = record.address + offset
        word = int(number_at(own))
        return seen(record, own + distance_of(word >> shift) * CELL_BYTES, length_of(word))

    def write(record: Record, value: Any) -> None:
        own = record.address + offset
        distance = (value.address - own) // CELL_BYTES
        if bits:
            put_number(own, with_bits(number_at(own), distance, bits, shift))
        else:
            put_number(own, reference(distance, value.length if field.many else 0))

    return property(read, write)


def _address(field: Field) -> property:
    seen, offset, many = _seen(field), field.at * CELL_BYTES, field.many

    def read(record: Record) -> Any:
        own = record.address + offset
        return seen(record, int(number_at(own)), int(number_at(own + CELL_BYTES)) if many else 0)

    def write(record: Record, value: Any) -> None:
        own = record.address + offset
        put_number(own, value.address)
        if many:
            put_number(own + CELL_BYTES, value.length)

    return property(read, write)


_PLAIN_RULES: WeakValueDictionary[int, Any] = WeakValueDictionary()  # who sets a rule keeps it alive


@cache
def _takes_any_record(protocol: Any) -> bool:
    return next(iter(get_type_hints(protocol.__call__).values())) is AnyRecord


@cache
def _of_any_record(rule: Any) -> Any:
    """A rule that is called with a record of whatever layout, and sees its own."""
    own = next(iter(get_type_hints(rule).values()))
    return lambda record, *rest: rule(own(record.address, record.owner), *rest)


def _rule(field: Field) -> property:
    offset = field.at * CELL_BYTES

    def read(record: Record) -> Any:
        return _PLAIN_RULES[int(number_at(record.address + offset))]

    def write(record: Record, value: Any) -> None:
        if PLAIN:
            value = _of_any_record(value) if _takes_any_record(field.rule) else value
            address = id(value)
        else:
            from simulator.compiled.record_types import address_of

            address = address_of(value, field.rule)
        _PLAIN_RULES[address] = value
        put_number(record.address + offset, address)

    return property(read, write)


def field_access(field: Field) -> property:
    """The attribute of that field."""
    kinds = {
        records.NUMBER: _number,
        records.REAL: _real,
        records.DISTANCE: _distance,
        records.ADDRESS: _address,
        records.RULE: _rule,
    }
    few = field.kind == records.NUMBER and field.bits
    return _few_bits(field) if few else kinds.get(field.kind, _inside)(field)
