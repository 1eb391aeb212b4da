"""How numba compiles rules: each is a part, and all parts of an entry are optimised once, together.

numba optimises every function and makes machine code of it, and does so again inside each of its callers: what is five
calls deep is compiled five times. A `Part` is only typed and lowered to LLVM's code; a `Whole` links the parts below an
entry, each once, and is then optimised. Source: numba 0.68, core/codegen.py (CPUCodeLibrary), core/typed_passes.py.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, update_wrapper
from typing import Any

from llvmlite import binding as llvm
from numba.extending import typeof_impl

from simulator.compiled.numba_internals import (
    CodeLibrary,
    CompilerBase,
    CPUDispatcher,
    DefaultPassBuilder,
    JITCodeLibrary,
    NativeLowering,
    PassManager,
    compile_once,
    part_passes,
    prepare_numba,
    register_pass,
    unliteral,
)

prepare_numba()


class Part(JITCodeLibrary):  # type: ignore[misc]
    """The code of one rule as it was lowered, for linking only."""

    def add_llvm_module(self, ll_module: Any) -> None:
        """Take the code as it is; it is optimised with the whole."""
        self._final_module.link_in(ll_module)

    def finalize(self) -> None:
        """Make the code fit for linking; nothing is linked in, optimised or loaded."""
        self._raise_if_finalized()
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == llvm.Linkage.external:
                function.linkage = "linkonce_odr"
        self._shared_module = self._final_module
        self._finalized = True


class Whole(JITCodeLibrary):  # type: ignore[misc]
    """The code of an entry with all its parts."""

    _linking_libraries: list[CodeLibrary]

    def _optimize_final_module(self) -> None:
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)

    def finalize(self) -> None:
        """Link each part once, optimise, and load the machine code."""
        self._linking_libraries = with_parts(self._linking_libraries)
        super().finalize()


def with_parts(libraries: list[CodeLibrary]) -> list[CodeLibrary]:
    """The libraries and all that their parts call, each once, callers before what they call.

    The order matters: the linker leaves out what nothing has called yet.
    """
    found: dict[CodeLibrary, None] = {}

    def visit(library: CodeLibrary) -> None:
        if library not in found:
            if isinstance(library, Part):
                for called in library._linking_libraries:
                    visit(called)
            found[library] = None

    for library in libraries:
        visit(library)
    return list(found)[::-1]


@register_pass(mutates_CFG=True, analysis_only=False)
class PartLowering(NativeLowering):  # type: ignore[misc]
    """Lowers a rule into a `Part`, without the wrappers that Python and C would call it through."""

    _name = "part_lowering"

    def run_pass(self, state: Any) -> bool:
        """Lower; the library stands for the function wherever numba asks for its address."""
        state.flags.no_compile = True
        state.flags.no_cpython_wrapper = True
        state.flags.no_cfunc_wrapper = True
        state.library = Part(state.targetctx.codegen(), state.func_id.func_qualname)
        super().run_pass(state)
        state.targetctx.insert_user_function(state.library, state.cr.fndesc, [state.library])
        state.cr = state.cr._replace(cfunc=state.library)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class WholeLowering(NativeLowering):  # type: ignore[misc]
    """Lowers an entry into a `Whole`."""

    _name = "whole_lowering"

    def run_pass(self, state: Any) -> bool:
        """Lower and compile to machine code that can be kept on disk."""
        state.library = Whole(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return bool(super().run_pass(state))


_PARTS = part_passes(PartLowering)


class PartCompiler(CompilerBase):  # type: ignore[misc]
    """Compiles a rule as a part."""

    def define_pipelines(self) -> list[PassManager]:
        """One pipeline, the same for all."""
        return [_PARTS]


class WholeCompiler(CompilerBase):  # type: ignore[misc]
    """Compiles an entry, with all of numba's passes."""

    def define_pipelines(self) -> list[PassManager]:
        """numba's pipeline but for the lowering."""
        passes = PassManager("whole")
        for one, title in DefaultPassBuilder.define_nopython_pipeline(self.state).passes:
            passes.add_pass(WholeLowering if one is NativeLowering else one, title)
        passes.finalize()
        return [passes]


class PartDispatcher(CPUDispatcher):  # type: ignore[misc]
    """A rule as other rules call it."""

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """numba's, for the types of the arguments: a part is not compiled for each literal that it is called with."""
        return super().get_call_template(tuple(map(unliteral, args)), kws)

    def compile(self, sig: Any) -> Any:
        """numba's, without its timers, of which there would be one for each part that waits, and without its cache."""
        return compile_once(self, sig)

    def add_overload(self, cres: Any) -> None:
        """Keep the compiled part for its callers; there is nothing that Python could call."""
        self.overloads[tuple(cres.signature.args)] = cres


class RuleCode:
    """A rule whose dispatcher is made when it is first compiled or called: of a thousand rules a start needs sixty.

    `py_func` is the rule as it was written. Anything else that is asked of it, its dispatcher answers.
    """

    def __init__(self, function: Callable[..., Any], make: Callable[[], Any]) -> None:
        update_wrapper(self, function)
        self.py_func, self._make = function, make

    @cached_property
    def dispatcher(self) -> Any:
        """What numba knows of the rule: of an `alone` rule compiled, else not yet."""
        return self._make()

    def called(self) -> Any:
        """The dispatcher that Python calls."""
        return self.dispatcher

    def __call__(self, *arguments: Any) -> Any:
        """Call the rule."""
        return self.called()(*arguments)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.dispatcher, name)


class PartCode(RuleCode):
    """A rule that is a part; called from Python it is compiled as a whole first."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        super().__init__(function, lambda: _dispatcher(PartDispatcher, function, options, PartCompiler))
        self._options = options

    @cached_property
    def whole(self) -> Any:
        """The rule as Python calls it."""
        return whole(self.py_func, self._options)

    def called(self) -> Any:
        """The dispatcher of the whole."""
        return self.whole.dispatcher


@typeof_impl.register(RuleCode)
def _type_of_rule(value: RuleCode, _: Any) -> Any:
    return value.dispatcher._numba_type_


def _dispatcher(kind: Any, function: Callable[..., Any], options: dict[str, Any], compiler: Any) -> Any:
    return kind(py_func=function, locals={}, targetoptions=dict(options), pipeline_class=compiler)


def part(function: Callable[..., Any], options: dict[str, Any]) -> RuleCode:
    """The function to be compiled as a part, with numba's target options."""
    return PartCode(function, options)


def whole(
    function: Callable[..., Any], options: dict[str, Any], signature: Callable[[Any], Any] | None = None
) -> RuleCode:
    """The function to be compiled with all its parts, kept on disk; with a signature for that alone."""

    def made() -> Any:
        dispatcher = _dispatcher(CPUDispatcher, function, options, WholeCompiler)
        dispatcher.enable_caching()
        if signature is not None:
            dispatcher.compile(signature(function))
            dispatcher.disable_compile()
        return dispatcher

    return RuleCode(function, made)


_PENDING = "compile_pending"  # attribute of a rule that is not compiled yet


def put_off(rule: RuleCode, compile_it: Callable[[], None]) -> None:
    """Leave it to `ready` to compile."""
    setattr(rule, _PENDING, compile_it)


def ready(function: Any) -> None:
    """Compile what was put off, once; anything else is left alone."""
    pending = vars(function).get(_PENDING) if isinstance(function, RuleCode) else None
    if pending is not None:
        pending()
        vars(function).pop(_PENDING, None)  # another thread may have compiled it meanwhile
