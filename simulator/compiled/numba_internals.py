"""What Sendlab uses of numba 0.68 beyond its documented interface, and why. No other module imports from these places.

numba optimises a function again in each of its callers; `linking.py` compiles each rule once and links them, which
took the cold compile of the event loop from 38 s to 13 s. numba looks an operator up in all its templates, of arrays,
tuples, strings and dates, at each use, a sixth of what compiling the loop costs; `remember_operators` has it do so
once. On import numba loads scipy.linalg to see whether there is a BLAS; `without_linear_algebra` leaves that out, as no
rule has any. The first rule that is compiled or loaded has numba look for declarations 250 times, each within another;
`look_for_declarations_once` has it look once. With an entry's machine code numba reads LLVM's code of it, too, which
only linking needs; `read_code_when_linked` leaves that until then. Records are bare pointers (`record_types.py`), which
numba has no type for. Rules are called through the address of their machine code. `NUMBA_DISABLE_JIT=1` runs every rule
without any of this.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from importlib import import_module
from threading import get_ident
from typing import Any

from llvmlite import binding as llvm
from numba import types
from numba.core import cgutils
from numba.core.base import BaseContext
from numba.core.codegen import CodeLibrary, JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import PassManager, _pass_registry, register_pass
from numba.core.registry import CPUDispatcher
from numba.core.sigutils import normalize_signature
from numba.core.typeconv import Conversion
from numba.core.typed_passes import (
    IRLegalization,
    NativeLowering,
    NoPythonBackend,
    NopythonTypeInference,
    PreLowerStripPhis,
)
from numba.core.types.functions import BaseFunction
from numba.core.types.misc import unliteral
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr, infer_global, signature
from numba.core.untyped_passes import (
    DeadBranchPrune,
    FixupArgs,
    GenericRewrites,
    IRProcessing,
    ReconstructSSA,
    RewriteSemanticConstants,
    TranslateByteCode,
)
from numba.experimental.function_type import _get_wrapper_address as wrapper_address
from numba.np import linalg

__all__ = [
    "AbstractTemplate",
    "AttributeTemplate",
    "CPUDispatcher",
    "CodeLibrary",
    "CompilerBase",
    "Conversion",
    "DefaultPassBuilder",
    "JITCodeLibrary",
    "NativeLowering",
    "PassManager",
    "cgutils",
    "compile_once",
    "infer_getattr",
    "infer_global",
    "part_passes",
    "prepare_numba",
    "register_pass",
    "signature",
    "unliteral",
    "wrapper_address",
]

# What rules need of numba's passes: they have no closures, no context managers and no array expressions.
PART_PASSES = (
    TranslateByteCode,
    FixupArgs,
    IRProcessing,
    RewriteSemanticConstants,
    DeadBranchPrune,
    GenericRewrites,
    ReconstructSSA,
    NopythonTypeInference,
    PreLowerStripPhis,
    IRLegalization,
)
_LINKED = "rules cannot be linked as parts"
# Name, and what breaks without it.
LEANS_ON: Mapping[str, str] = {
    "numba.core.cgutils:_StructProxy._getvalue": "a record cannot hand out a rule that it holds",
    "numba.core.codegen:JITCodeLibrary._codegen": "an entry is not optimised",
    "numba.core.codegen:JITCodeLibrary._final_module": _LINKED,
    "numba.core.codegen:JITCodeLibrary._shared_module": _LINKED,
    "numba.core.codegen:JITCodeLibrary._finalized": _LINKED,
    "numba.core.codegen:JITCodeLibrary._raise_if_finalized": _LINKED,
    "numba.core.codegen:JITCodeLibrary._linking_libraries": "the parts that a rule calls are not known",
    "numba.core.codegen:JITCodeLibrary._optimize_final_module": "an entry is optimised without its parts",
    "numba.core.codegen:JITCodeLibrary._unserialize": "every start reads code that nothing is linked with",
    "numba.core.codegen:JITCodeLibrary._get_module_for_linking": "an entry from the disk cannot be linked",
    "numba.core.codegen:JITCodeLibrary._set_compiled_object": "an entry cannot be loaded from the disk",
    "numba.core.codegen:JITCodeLibrary._finalize_final_module": "an entry cannot be loaded from the disk",
    "numba.core.codegen:JITCodeLibrary.get_pointer_to_function": "an entry from the disk has no address",
    "numba.core.codegen:JitEngine._load_defined_symbols": "an entry from the disk cannot be linked",
    "numba.core.base:BaseContext.refresh": "every start looks for declarations 250 times",
    "numba.core.codegen:JITCPUCodegen._module_pass_manager": "an entry is not optimised",
    "numba.core.typed_passes:NativeLowering.run_pass": "rules are not lowered into parts",
    "numba.core.compiler:DefaultPassBuilder.define_nopython_pipeline": "entries have no passes",
    "numba.core.compiler_machinery:PassManager.run": "parts are compiled with timers and reports of every pass",
    "numba.core.compiler_machinery:_pass_registry": "the passes of a part are not known",
    "numba.core.dispatcher:Dispatcher._compiler": "parts are not compiled",
    "numba.core.dispatcher:Dispatcher._compiling_counter": "parts that compile each other are not seen",
    "numba.core.dispatcher:Dispatcher._numba_type_": "a rule has no type for its callers",
    "numba.core.dispatcher:Dispatcher.compile": "compiling a part sets timers for each part that waits for it",
    "numba.core.dispatcher:Dispatcher.get_call_template": "a rule is compiled again for each literal argument",
    "numba.core.dispatcher:Dispatcher.add_overload": "a compiled part is not kept for its callers",
    "numba.core.types.functions:BaseFunction.get_call_type": "compiling takes a sixth longer",
    "numba.core.types.functions:BaseFunction._impl_keys": "operators have no code",
    "numba.np.linalg:ensure_blas": "every start loads scipy.linalg",
    "numba.np.arraymath:_HAVE_BLAS": "every start loads scipy.linalg",
    "numba.experimental.function_type:_get_wrapper_address": "rules cannot be reached through their address",
}

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


def _no_blas() -> None:
    """What numba asks for."""
    raise ImportError("rules have no linear algebra")


def without_linear_algebra() -> None:
    """Have numba find no BLAS where it looks for one on import: only its np.correlate needs it there."""
    asked = linalg.ensure_blas
    linalg.ensure_blas = _no_blas
    try:
        import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = asked


_refresh = BaseContext.refresh
_refreshing: set[tuple[int, int]] = set()  # target and thread


def _refresh_once(self: Any) -> None:
    """Look for new declarations, unless that is what asks for it."""
    key = (id(self), get_ident())
    if key in _refreshing:
        return
    _refreshing.add(key)
    try:
        _refresh(self)
    finally:
        _refreshing.discard(key)


def look_for_declarations_once() -> None:
    """Have numba look once where each intrinsic that it finds has it look again."""
    setattr(BaseContext, "refresh", _refresh_once)  # noqa: B010 (as above)


class LoadedLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Machine code from the disk; LLVM's code of it is read once something is linked with it."""

    _shared_module: Any

    def __init__(self, codegen: Any, name: str, machine_code: bytes, code: bytes) -> None:
        super().__init__(codegen, name)
        self._machine_code, self._code = machine_code, code
        self.enable_object_caching()
        self._set_compiled_object(machine_code)
        self._finalize_final_module()

    def get_pointer_to_function(self, name: str) -> int:
        """The address of a function, 0 where there is none of that name: LLVM ends the process if asked for it."""
        if name.encode() + b"\0" not in self._machine_code:  # in its table of names
            return 0
        return int(self._codegen._engine.get_function_address(name))

    def _get_module_for_linking(self) -> Any:
        if self._shared_module is None:
            self._shared_module = llvm.parse_bitcode(self._code)
            self._codegen._engine._load_defined_symbols(self._shared_module)
        return super()._get_module_for_linking()


_unserialize = JITCodeLibrary._unserialize.__func__


def _loaded(kind: Any, codegen: Any, state: tuple[str, str, Any]) -> Any:
    """The library that was stored. Source: numba 0.68, core/codegen.py (CPUCodeLibrary._unserialize)."""
    name, form, data = state
    if form != "object":
        return _unserialize(kind, codegen, state)
    return LoadedLibrary(codegen, name, *data)


def read_code_when_linked() -> None:
    """Have numba load machine code alone from the disk."""
    JITCodeLibrary._unserialize = classmethod(_loaded)


def prepare_numba() -> None:
    """Do what is done once, before anything is compiled."""
    remember_operators()
    without_linear_algebra()
    look_for_declarations_once()
    read_code_when_linked()


def compile_once(dispatcher: Any, asked: Any) -> Any:
    """What a dispatcher has for these types, or compiles for them: numba's own sets timers and looks into its cache."""
    args, returned = normalize_signature(asked)
    if args not in dispatcher.overloads:
        with global_compiler_lock, dispatcher._compiling_counter:
            dispatcher.add_overload(dispatcher._compiler.compile(args, returned))
    return dispatcher.overloads[args].entry_point


class PartPasses(PassManager):  # type: ignore[misc]
    """numba's passes, one after the other, without what it measures, reports and checks of each.

    What a pass needs of the variables' lifetimes it computes itself.
    """

    def run(self, state: Any) -> None:
        """Run them."""
        for one, _ in self.passes:
            _pass_registry.get(one).pass_inst.run_pass(state)


def part_passes(lowering: Any) -> PassManager:
    """`PART_PASSES`, then what lowers a rule into a part."""
    passes = PartPasses("part")
    for one in (*PART_PASSES, lowering, NoPythonBackend):
        passes.add_pass(one)
    passes.finalize()
    return passes
