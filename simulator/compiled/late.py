"""Rules that are compiled when they are first called: what a scenario does not use costs it no compilation.

A late rule stands in the field of its name of the directory `late` that its first argument has. Machine code calls
what that field holds: at first a function of Python's, which compiles the rule and puts its address there.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cached_property
from typing import Any, get_type_hints

from simulator.compiled.jit import entry, ready
from simulator.compiled.records import PLAIN, Record, call_failed


class LateRule:
    """A rule that its first call compiles. Takes records and whole numbers, gives a whole number."""

    def __init__(self, function: Callable[..., int]) -> None:
        self.function, self.dispatcher = function, entry(function)
        self.__name__ = function.__name__
        hints = get_type_hints(function)
        hints.pop("return")
        self._kinds: list[Any] = list(hints.values())

    def compile(self) -> None:
        """Compile it now, or read it from the disk."""
        ready(self.dispatcher)

    @cached_property
    def _first_call(self) -> Any:
        """A function of C's that calls `_compile_and_call`."""
        return ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * len(self._kinds))(self._compile_and_call)

    def __wrapper_address__(self) -> int:
        """Where its machine code begins, or what compiles it."""
        return ctypes.cast(self._first_call, ctypes.c_void_p).value or 0

    def _compile_and_call(self, *words: int) -> int:
        """Compile it, put its address in the place of this function's, and do what was asked."""
        try:
            arguments: list[Any] = [
                kind(word) if issubclass(kind, Record) else word for kind, word in zip(self._kinds, words, strict=True)
            ]
            self.compile()
            setattr(arguments[0].late, self.__name__, self.dispatcher)
            return int(self.dispatcher(*arguments))
        except BaseException as error:  # `raise_if_outside` raises it: what has called is machine code
            call_failed(error)
            return 0


def late(function: Callable[..., int]) -> Any:
    """A rule that is compiled at its first call. Its first argument is a directory with a directory `late`."""
    return function if PLAIN else LateRule(function)
