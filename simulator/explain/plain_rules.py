"""A compiled rule as the Python function that it was written as, with all that it calls."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dis import get_instructions
from functools import cache
from types import FunctionType
from typing import TypeVar, cast

F = TypeVar("F", bound=Callable[..., object])


def as_python(rule: F) -> F:
    """The rule uncompiled, and so are the rules that it calls: it takes anything that has its arguments' attributes."""
    return cast(F, _uncompiled(cast(Hashable, rule)))


@cache
def _uncompiled(rule: Hashable) -> object:
    function = getattr(rule, "py_func", None)
    if function is None:  # nothing is compiled
        return rule
    known = function.__globals__
    used = {step.argval for step in get_instructions(function) if step.opname == "LOAD_GLOBAL"}
    called = {name: known[name] for name in used if hasattr(known.get(name), "py_func")}
    names = {**known, **{name: _uncompiled(each) for name, each in called.items()}}
    return FunctionType(function.__code__, names, function.__name__, function.__defaults__)
