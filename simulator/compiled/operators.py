"""How numba types an operator on plain numbers: looked up once.

numba asks all templates of an operator, of arrays, tuples, strings and dates, at each of its uses: a sixth of what
compiling the event loop costs. Source: numba 0.68, core/types/functions.py (BaseFunction.get_call_type).
"""

from __future__ import annotations

import operator
from typing import Any

from numba import types
from numba.core.types.functions import BaseFunction
from numba.core.types.misc import unliteral

REMEMBERED = frozenset(
    {
        operator.add, operator.sub, operator.mul, operator.floordiv, operator.mod, operator.neg,
        operator.iadd, operator.isub, operator.imul, operator.ifloordiv, operator.imod,
        operator.and_, operator.or_, operator.xor, operator.iand, operator.ior, operator.ixor,
        operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge, operator.not_,
    }
)  # fmt: skip
NUMBERS = (types.Integer, types.Boolean, types.Float)

_ask_all = BaseFunction.get_call_type
_found: dict[tuple[Any, ...], tuple[Any, Any]] = {}


def _remember(self: Any, context: Any, args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
    """The signature of a call, as numba finds it."""
    plain = tuple(map(unliteral, args))
    if self.typing_key not in REMEMBERED or kws or not all(isinstance(one, NUMBERS) for one in plain):
        return _ask_all(self, context, args, kws)
    key = (self.typing_key, plain)
    if key not in _found:
        signature = _ask_all(self, context, plain, kws)
        _found[key] = signature, self.get_impl_key(signature)
    signature, self._impl_keys[signature.args] = _found[key]
    return signature


def remember_operators() -> None:
    """Have numba look operators on plain numbers up once, in this process."""
    setattr(BaseFunction, "get_call_type", _remember)  # noqa: B010 (mypy knows the method as its own)
