"""Records as numba sees them: bare pointers, whose fields are loads and stores at constant offsets.

In a checked build a region is a pointer and its length. Source: numba 0.68, core/typing/templates.py,
core/datamodel, experimental/function_type.py.
"""

from __future__ import annotations

import operator
from functools import cache
from importlib import import_module
from typing import Any, get_type_hints

from llvmlite import binding as llvm
from llvmlite import ir
from numba import types
from numba.extending import (
    NativeValue,
    lower_builtin,
    lower_cast,
    lower_getattr_generic,
    lower_setattr_generic,
    models,
    register_model,
    typeof_impl,
    unbox,
)

from simulator.compiled import records
from simulator.compiled.bit_fields import number_in, with_number
from simulator.compiled.linking import ready
from simulator.compiled.numba_internals import (
    AbstractTemplate,
    AttributeTemplate,
    Conversion,
    cgutils,
    infer_getattr,
    infer_global,
    signature,
    wrapper_address,
)
from simulator.compiled.records import CHECKED, AnyRecord, Cells, Field, OutsideError, Record, Region, layout_of

WORD = ir.IntType(64)
HALF = ir.IntType(32)
POINTER = WORD.as_pointer()
SEEN = ir.LiteralStructType([POINTER, WORD])  # a region of a checked build

WRONG_NAME = "sendlab_wrong_index"
llvm.add_symbol(WRONG_NAME, records.WRONG.ctypes.data)


class RecordType(types.Type):  # type: ignore[misc]
    """One record of that class."""

    def __init__(self, record: type[Record]) -> None:
        self.record = record
        super().__init__(record.__name__)

    def __reduce__(self) -> Any:
        return _read_type, (self.record.__module__, self.record.__name__, None)


class RegionType(types.Type):  # type: ignore[misc]
    """Many of that class, or plain numbers; a checked build tells regions of different names apart."""

    def __init__(self, record: type[Record] | None, label: str) -> None:
        self.record, self.label = record, label
        super().__init__(f"{record.__name__ if record else 'Cells'}s_{label}")

    def can_convert_to(self, _: Any, other: Any) -> Conversion | None:
        """A rule that is a first-class function takes plain numbers of any name: its signature has none."""
        plain = isinstance(other, RegionType) and other.record is None and not other.label
        return Conversion.safe if plain and self.record is None else None

    def __reduce__(self) -> Any:
        record = self.record
        return _read_type, (record.__module__ if record else "", record.__name__ if record else "", self.label)


def _read_type(module: str, name: str, label: str | None) -> Any:
    """The type that cached code names: of a record, or where `label` is given of a region."""
    if name and name not in Record._by_name:
        import_module(module)
    record = Record._by_name[name] if name else None
    return record_type(Record._by_name[name]) if label is None else RegionType(record, label)


def record_type(record: type[Record]) -> RecordType:
    """The type of a record of that class."""
    return RecordType(record)


def region_type(record: type[Record] | None, label: str) -> RegionType:
    """The type of a region."""
    return RegionType(record, label if CHECKED else "")


def type_of(hint: Any) -> Any:
    """The numba type of an annotation: int, float, bool, None, a record, or plain numbers."""
    plain = {int: types.int64, float: types.float64, bool: types.boolean, type(None): types.none}
    if hint in plain:
        return plain[hint]
    if hint is Cells:
        return region_type(None, "")
    if isinstance(hint, type) and issubclass(hint, Record):
        return record_type(hint)
    raise TypeError(f"{hint} is not a type that compiled rules have")


def signature_of(function: Any) -> Any:
    """The numba signature that the annotations of a function, or of a Protocol's `__call__`, declare."""
    hints = get_type_hints(function.__call__ if isinstance(function, type) else function)
    result = hints.pop("return")
    return type_of(result)(*map(type_of, hints.values()))


def address_of(rule: Any, protocol: Any) -> int:
    """Where the machine code of an entry begins. Raises TypeError if it is not of the protocol's signature."""
    if hasattr(rule, "__wrapper_address__"):
        return int(rule.__wrapper_address__())
    return _compiled_address(rule, protocol)


@cache
def _compiled_address(rule: Any, protocol: Any) -> int:
    ready(rule)
    wanted = signature_of(protocol)
    if wanted.args[:1] == (record_type(AnyRecord),):
        own = signature_of(rule.py_func)
        if isinstance(own.args[0], RecordType):
            wanted = wanted.return_type(own.args[0], *wanted.args[1:])
    if wanted not in rule.nopython_signatures:
        raise TypeError(f"{rule.py_func.__qualname__} is not a {protocol.__name__}: {rule.nopython_signatures}")
    return int(wrapper_address(rule.dispatcher, wanted))


@register_model(RecordType)
class _RecordModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, fe_type: Any) -> None:
        super().__init__(manager, fe_type, POINTER)


@register_model(RegionType)
class _RegionModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, fe_type: Any) -> None:
        super().__init__(manager, fe_type, SEEN if CHECKED else POINTER)


@typeof_impl.register(Record)
def _type_of_record(value: Record, _: Any) -> Any:
    return record_type(type(value))


@typeof_impl.register(Region)
def _type_of_region(value: Region[Any], _: Any) -> Any:
    return region_type(value.record, value.name)


@typeof_impl.register(Cells)
def _type_of_cells(value: Cells, _: Any) -> Any:
    return region_type(None, value.name if value.name != "Cells" else "")  # as an annotation that says no more


@unbox(RecordType)
@unbox(RegionType)
def _unbox(fe_type: Any, value: Any, c: Any) -> Any:
    numbers = []
    for name in ("address", "length") if CHECKED and isinstance(fe_type, RegionType) else ("address",):
        number = c.pyapi.object_getattr_string(value, name)
        numbers.append(c.pyapi.number_as_ssize_t(number))
        c.pyapi.decref(number)
    return NativeValue(_seen(c.builder, fe_type, c.builder.inttoptr(numbers[0], POINTER), numbers[-1]))


def _seen(builder: Any, fe_type: Any, pointer: Any, length: Any) -> Any:
    """The value of that type at a pointer."""
    if not CHECKED or not isinstance(fe_type, RegionType):
        return pointer
    return cgutils.pack_struct(builder, [pointer, length])


def _pointer_of(builder: Any, fe_type: Any, value: Any) -> Any:
    return builder.extract_value(value, 0) if CHECKED and isinstance(fe_type, RegionType) else value


def _type_of_field(field: Field) -> Any:
    if field.kind in (records.NUMBER, records.REAL):
        return types.int64 if field.kind == records.NUMBER else types.float64
    if field.kind == records.RULE:
        return types.FunctionType(signature_of(field.rule))
    if field.many:
        return region_type(field.record, field.name)
    assert field.record is not None
    return record_type(field.record)


@infer_getattr
class _RecordAttribute(AttributeTemplate):  # type: ignore[misc]
    key = RecordType

    def generic_resolve(self, fe_type: Any, name: str) -> Any:
        field = layout_of(fe_type.record).fields.get(name)
        return None if field is None else _type_of_field(field)


def _at(builder: Any, pointer: Any, cells: int) -> Any:
    return builder.gep(pointer, [ir.Constant(WORD, cells)], inbounds=True)


def _load(context: Any, builder: Any, pointer: Any, field: Field) -> Any:
    fe_type = _type_of_field(field)
    own = _at(builder, pointer, field.at)
    if field.kind == records.WITHIN:
        return _seen(builder, fe_type, own, _length(builder, pointer, field))
    if field.kind == records.DISTANCE:
        word = builder.load(own)
        distance = builder.sext(builder.trunc(builder.lshr(word, ir.Constant(WORD, field.shift)), HALF), WORD)
        there = builder.gep(own, [distance], inbounds=True)
        return _seen(builder, fe_type, there, builder.ashr(word, ir.Constant(WORD, 32)) if CHECKED else None)
    word = builder.load(own)
    if field.bits:
        return number_in(builder, word, field)
    if field.kind == records.NUMBER:
        return word
    if field.kind == records.REAL:
        return builder.bitcast(word, ir.DoubleType())
    if field.kind == records.ADDRESS:
        length = builder.load(_at(builder, own, 1)) if CHECKED and field.many else None
        return _seen(builder, fe_type, builder.inttoptr(word, POINTER), length)
    function = cgutils.create_struct_proxy(fe_type)(context, builder)
    function.c_addr = builder.inttoptr(word, cgutils.voidptr_t)
    function.py_addr = function.jit_addr = cgutils.get_null_value(cgutils.voidptr_t)
    return function._getvalue()


def _with_bits(context: Any, builder: Any, own: Any, number: Any, field: Field) -> Any:
    """The cell with another number in a field's bits; a checked build raises where it does not fit."""
    word = with_number(builder, builder.load(own), number, field)
    if CHECKED:
        fits = builder.icmp_signed("==", number_in(builder, word, field), number)
        with builder.if_then(builder.not_(fits), likely=False):
            _raise_outside(context, builder, number, ir.Constant(WORD, 1 << field.bits), field.name)
    return word


def _length(builder: Any, pointer: Any, field: Field) -> Any:
    """How many elements a region inside or behind its record has."""
    if not CHECKED or not field.many:
        return None
    if not field.path:
        return ir.Constant(WORD, field.count)
    record = field.inside
    for name in field.path:
        found = layout_of(record).field(name)
        pointer = _load(None, builder, pointer, found)
        record = found.record
    return pointer


@lower_getattr_generic(RecordType)
def _get(context: Any, builder: Any, fe_type: Any, value: Any, name: str) -> Any:
    return _load(context, builder, value, layout_of(fe_type.record).fields[name])


@lower_setattr_generic(RecordType)
def _set(context: Any, builder: Any, sig: Any, arguments: Any, name: str) -> None:
    fe_type, given = sig.args
    field = layout_of(fe_type.record).fields[name]
    own = _at(builder, arguments[0], field.at)
    if field.kind == records.NUMBER:
        word = context.cast(builder, arguments[1], given, types.int64)
        word = _with_bits(context, builder, own, word, field) if field.bits else word
    elif field.kind == records.REAL:
        word = builder.bitcast(context.cast(builder, arguments[1], given, types.float64), WORD)
    elif field.kind == records.DISTANCE and not field.many and not field.bits:
        there, here = builder.ptrtoint(arguments[1], WORD), builder.ptrtoint(own, WORD)
        cells = builder.ashr(builder.sub(there, here), ir.Constant(WORD, 3))
        word = builder.and_(cells, ir.Constant(WORD, 0xFFFFFFFF))
    elif field.kind == records.ADDRESS and not field.many:
        word = builder.ptrtoint(arguments[1], WORD)
    else:
        raise TypeError(f"{fe_type.record.__name__}.{name} is set by the host only")
    builder.store(word, own)


@infer_global(operator.getitem)
class _Item(AbstractTemplate):  # type: ignore[misc]
    def generic(self, arguments: Any, _: Any) -> Any:
        region, index = arguments
        if not isinstance(region, RegionType) or not isinstance(index, types.Integer):
            return None
        element = types.int64 if region.record is None else record_type(region.record)
        return signature(element, region, types.int64)


@infer_global(operator.setitem)
class _PutItem(AbstractTemplate):  # type: ignore[misc]
    def generic(self, arguments: Any, _: Any) -> Any:
        region, index, _value = arguments
        if isinstance(region, RegionType) and region.record is None and isinstance(index, types.Integer):
            return signature(types.none, region, types.int64, types.int64)
        return None


def _raise_outside(context: Any, builder: Any, index: Any, length: Any, name: str) -> None:
    """Raise OutsideError, which reads `records.WRONG`; its name is one that cached code finds again."""
    wrong = builder.module.globals.get(WRONG_NAME)
    if wrong is None:
        wrong = ir.GlobalVariable(builder.module, ir.ArrayType(WORD, 3), WRONG_NAME)
        wrong.linkage = "external"
    cells = builder.bitcast(wrong, POINTER)
    for i, number in enumerate((ir.Constant(WORD, 1), index, length)):
        builder.store(number, _at(builder, cells, i))
    context.call_conv.return_user_exc(builder, OutsideError, (name,))


def _place(context: Any, builder: Any, region: Any, value: Any, index: Any, *, end: bool = False) -> Any:
    """Pointer to an element; a checked build raises where there is none."""
    if CHECKED:
        length = builder.extract_value(value, 1)
        last = builder.add(length, ir.Constant(WORD, 1)) if end else length
        with builder.if_then(builder.icmp_unsigned(">=", index, last), likely=False):
            _raise_outside(context, builder, index, length, region.label or "Cells")
        value = builder.extract_value(value, 0)
    size = 1 if region.record is None else layout_of(region.record).size
    return builder.gep(value, [builder.mul(index, ir.Constant(WORD, size))], inbounds=True)


@lower_cast(RegionType, RegionType)
def _without_name(_: Any, __: Any, ___: Any, ____: Any, value: Any) -> Any:
    return value


@lower_builtin(operator.getitem, RegionType, types.Integer)
def _get_item(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    place = _place(context, builder, sig.args[0], *arguments)
    return builder.load(place) if sig.args[0].record is None else place


@lower_builtin(operator.setitem, RegionType, types.Integer, types.int64)
def _put_item(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    builder.store(arguments[2], _place(context, builder, sig.args[0], *arguments[:2]))
    return context.get_dummy_value()


@infer_global(records.beyond)
class _Beyond(AbstractTemplate):  # type: ignore[misc]
    def generic(self, arguments: Any, _: Any) -> Any:
        region, first = arguments
        if isinstance(region, RegionType) and isinstance(first, types.Integer):
            return signature(region, region, types.int64)
        return None


@lower_builtin(records.beyond, RegionType, types.Integer)
def _beyond(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    place = _place(context, builder, sig.args[0], *arguments, end=True)
    length = builder.sub(builder.extract_value(arguments[0], 1), arguments[1]) if CHECKED else None
    return _seen(builder, sig.args[0], place, length)


@infer_global(records.cells_at)
class _CellsAt(AbstractTemplate):  # type: ignore[misc]
    def generic(self, arguments: Any, _: Any) -> Any:
        record, count = arguments
        if isinstance(record, RecordType) and isinstance(count, types.Integer):
            return signature(region_type(None, record.name), record, types.int64)
        return None


@lower_builtin(records.cells_at, RecordType, types.Integer)
def _cells_at(_: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    return _seen(builder, sig.return_type, *arguments)


@infer_global(records.fetch)
class _Fetch(AbstractTemplate):  # type: ignore[misc]
    def generic(self, arguments: Any, _: Any) -> Any:
        memory, line = arguments
        if isinstance(memory, RecordType | RegionType) and isinstance(line, types.Integer):
            return signature(types.none, memory, types.int64)
        return None


@lower_builtin(records.fetch, RecordType, types.Integer)
@lower_builtin(records.fetch, RegionType, types.Integer)
def _fetch(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    cells = builder.mul(arguments[1], ir.Constant(WORD, records.LINE))
    memory = _pointer_of(builder, sig.args[0], arguments[0])
    at = builder.bitcast(builder.gep(memory, [cells]), ir.IntType(8).as_pointer())
    fe_type = ir.FunctionType(ir.VoidType(), [at.type, HALF, HALF, HALF])
    prefetch = builder.module.declare_intrinsic("llvm.prefetch", [at.type], fe_type)
    builder.call(prefetch, [at, HALF(0), HALF(3), HALF(1)])
    return context.get_dummy_value()
