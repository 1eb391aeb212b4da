"""Copying, and setting to 0, the fields that records share: those that a class declares which all of them are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simulator.compiled.records import NUMBER, PLAIN, Record, layout_of

if not PLAIN:
    from simulator.compiled.copies_in_code import copy_in_code, zeros_in_code


def copier(shared: type[Record]) -> Callable[[Any, Any], None]:
    """A rule that copies the fields of `shared`, all plain numbers, from its second record to its first.

    Both records are of classes that inherit them. Raises TypeError for a field that is no number.
    """
    fields = _numbers_of(shared)
    if not PLAIN:
        return copy_in_code(shared)  # type: ignore[no-any-return]

    def copied(into: Record, source: Record) -> None:
        for name in fields:
            setattr(into, name, getattr(source, name))

    return copied


def zeroer(shared: type[Record]) -> Callable[[Any], None]:
    """A rule that sets the fields of `shared`, all plain numbers, of a record that inherits them to 0.

    Raises TypeError for a field that is no number.
    """
    fields = _numbers_of(shared)
    if not PLAIN:
        return zeros_in_code(shared)  # type: ignore[no-any-return]

    def zeroed(record: Record) -> None:
        for name in fields:
            setattr(record, name, 0)

    return zeroed


def _numbers_of(shared: type[Record]) -> tuple[str, ...]:
    fields = layout_of(shared).fields
    for field in fields.values():
        if field.kind != NUMBER or field.bits:
            raise TypeError(f"{shared.__name__}.{field.name} is not a number of a cell of its own")
    return tuple(fields)
