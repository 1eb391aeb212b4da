"""The copying of shared fields as numba compiles it: a load and a store at constant offsets each."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from simulator.compiled.record_types import WORD, RecordType
from simulator.compiled.records import Record, layout_of


def copy_in_code(shared: type[Record]) -> Any:
    """What compiled rules call to copy the fields of a class between two records that inherit them."""

    @intrinsic  # type: ignore[untyped-decorator]
    def copied(_: Any, into: Any, source: Any) -> Any:
        return (types.none(into, source), _copy) if _inherit(shared, into, source) else None

    def _copy(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        into, source = (
            _places(builder, shared, kind, pointer) for kind, pointer in zip(sig.args, arguments, strict=True)
        )
        words = [builder.load(place) for place in source]
        for word, place in zip(words, into, strict=True):
            builder.store(word, place)
        return context.get_dummy_value()

    return copied


def zeros_in_code(shared: type[Record]) -> Any:
    """What compiled rules call to set the fields of a class to 0 in a record that inherits them."""

    @intrinsic  # type: ignore[untyped-decorator]
    def zeroed(_: Any, record: Any) -> Any:
        return (types.none(record), _zero) if _inherit(shared, record) else None

    def _zero(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        for place in _places(builder, shared, sig.args[0], arguments[0]):
            builder.store(ir.Constant(WORD, 0), place)
        return context.get_dummy_value()

    return zeroed


def _inherit(shared: type[Record], *kinds: Any) -> bool:
    return all(isinstance(one, RecordType) and issubclass(one.record, shared) for one in kinds)


def _places(builder: Any, shared: type[Record], kind: Any, pointer: Any) -> list[Any]:
    """Where the fields of the class lie in a record of that type."""
    fields = layout_of(kind.record).fields
    return [builder.gep(pointer, [ir.Constant(WORD, fields[name].at)]) for name in layout_of(shared).fields]
