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
    names = tuple(layout_of(shared).fields)

    @intrinsic  # type: ignore[untyped-decorator]
    def copied(_: Any, into: Any, source: Any) -> Any:
        both = all(isinstance(one, RecordType) and issubclass(one.record, shared) for one in (into, source))
        return (types.none(into, source), _copy) if both else None

    def _copy(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        into, source = (
            [builder.gep(pointer, [ir.Constant(WORD, layout_of(kind.record).fields[name].at)]) for name in names]
            for kind, pointer in zip(sig.args, arguments, strict=True)
        )
        words = [builder.load(place) for place in source]
        for word, place in zip(words, into, strict=True):
            builder.store(word, place)
        return context.get_dummy_value()

    return copied
