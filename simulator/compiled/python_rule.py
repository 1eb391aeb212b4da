"""A Python function in the place of a compiled rule: compiled code calls it by its address."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, get_type_hints

from simulator.compiled.records import Record


class PythonRule:
    """What stands for a rule of a Protocol and asks a function, which gets its records as records.

    error: what the function raised first; from then on the rule answers `otherwise`, for an exception cannot pass
    through compiled code: who called that code raises it. Who puts the rule into a Directory keeps it: that holds its
    address only.
    """

    def __init__(self, protocol: Any, function: Callable[..., int], otherwise: int = 0) -> None:
        self.error: BaseException | None = None
        self._function, self._otherwise = function, otherwise
        hints = get_type_hints(protocol.__call__)
        del hints["return"]
        kinds = enumerate(hints.values())
        self._records = [(n, each) for n, each in kinds if isinstance(each, type) and issubclass(each, Record)]
        cells = [ctypes.c_int64] * len(hints)
        self._called = ctypes.CFUNCTYPE(ctypes.c_int64, *cells)(self._by_address)

    def _by_address(self, *cells: Any) -> int:
        arguments = list(cells)
        for place, kind in self._records:
            arguments[place] = kind(cells[place])
        return self(*arguments)

    def __call__(self, *arguments: Any) -> int:
        """The function's answer."""
        if self.error is not None:
            return self._otherwise
        try:
            return int(self._function(*arguments))
        except BaseException as error:
            self.error = error
            return self._otherwise

    def __wrapper_address__(self) -> int:
        """Address of the function for compiled code."""
        return ctypes.cast(self._called, ctypes.c_void_p).value or 0
