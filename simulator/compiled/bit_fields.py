"""Numbers of few bits, that share a cell, in compiled rules: loads and stores of the whole cell."""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from simulator.compiled.records import CELL_BITS, Field

WORD = ir.IntType(64)


def number_in(builder: Any, cell: Any, field: Field) -> Any:
    """The number in a field's bits of a cell."""
    high = builder.shl(cell, ir.Constant(WORD, CELL_BITS - field.bits - field.shift))
    down = ir.Constant(WORD, CELL_BITS - field.bits)
    return builder.lshr(high, down) if field.bits == 1 else builder.ashr(high, down)


def with_number(builder: Any, cell: Any, number: Any, field: Field) -> Any:
    """The cell with another number there."""
    mask = (1 << field.bits) - 1
    others = builder.and_(cell, ir.Constant(WORD, ~(mask << field.shift)))
    return builder.or_(
        others, builder.shl(builder.and_(number, ir.Constant(WORD, mask)), ir.Constant(WORD, field.shift))
    )
