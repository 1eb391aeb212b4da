"""The one way this package compiles a function: numba with an on-disk cache that follows the sources.

numba keys its cache by the file of the function alone, not by the files of what it calls; so the cache
folder carries a digest of every source file of the package, and an edit anywhere gives a new folder.
`NUMBA_DISABLE_JIT=1` runs every rule as plain Python.
"""

from __future__ import annotations

import gc
import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numba
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from simulator.compiled.cache import cache_folder
from simulator.compiled.linking import part, whole

PACKAGE = Path(__file__).resolve().parents[1]


def source_digest() -> str:
    """Digest of every Python file of the package, 12 hexadecimal digits."""
    digest = hashlib.blake2b(numba.__version__.encode(), digest_size=6)
    for path in sorted(PACKAGE.rglob("*.py")):
        digest.update(path.relative_to(PACKAGE).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def compiled_folder() -> Path:
    """Folder of the code compiled from these sources."""
    return cache_folder("numba") / source_digest()


if not os.environ.get("NUMBA_CACHE_DIR"):
    numba.config.CACHE_DIR = str(compiled_folder())

MEMORY = types.Array(types.int64, 1, "C")
_SIGNATURE = "entry_signature"  # attribute of an entry that is not compiled yet


def rule(
    signature: Any = None, *, allocates: bool = False, inlined: bool = False
) -> Callable[[Callable[..., Any]], Any]:
    """Compile a rule: for `signature` at once and as a whole, else as a part when its callers need it.

    `inlined` puts the machine code into every caller: for what is small or called from one place only.
    Only a rule that `allocates` may make arrays: the others are compiled without numba's reference counts, which
    cost an atomic operation for each array and call, several times what a selection does.
    """
    options = _options(allocates, inlined)

    def prepared(function: Callable[..., Any]) -> Any:
        if numba.config.DISABLE_JIT:
            return function
        if allocates or signature is not None:
            return whole(function, options, signature)
        return part(function, options)

    return prepared


def entry(signature: Any) -> Callable[[Callable[..., Any]], Any]:
    """A rule that the event loop is handed: a typed first-class function, compiled by `ready`, not on import."""

    def prepared(function: Callable[..., Any]) -> Any:
        if numba.config.DISABLE_JIT:
            return function
        dispatcher = whole(function, _options())
        setattr(dispatcher, _SIGNATURE, signature)
        return dispatcher

    return prepared


def _options(allocates: bool = False, inlined: bool = False) -> dict[str, Any]:
    return {
        "nopython": True,
        "boundscheck": None,
        "error_model": "numpy",
        "nogil": True,
        "_nrt": allocates,
        "forceinline": inlined,
    }


def ready(function: Any) -> None:
    """Compile an `entry`, once; anything else is left alone."""
    signature = getattr(function, _SIGNATURE, None)
    if signature is not None:
        with without_collection():
            function.compile(signature)
        function.disable_compile()
        delattr(function, _SIGNATURE)


@contextmanager
def without_collection() -> Iterator[None]:
    """No garbage collection meanwhile: compiling makes millions of objects and little garbage."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _no_pointer(array: Any) -> Any:
    return array


@intrinsic  # type: ignore[untyped-decorator]
def _pointer(_context: Any, array: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return context.make_array(signature.args[0])(context, builder, arguments[0]).data

    return types.CPointer(array.dtype)(array), generate


def _no_fetch(memory: Any, place: Any) -> None:
    """Nothing: plain Python has no caches to fill."""


@intrinsic  # type: ignore[untyped-decorator]
def _fetch(_context: Any, memory: Any, place: Any) -> Any:
    def generate(_: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word = ir.IntType(32)
        at = builder.bitcast(builder.gep(arguments[0], [arguments[1]]), ir.IntType(8).as_pointer())
        fetch = builder.module.declare_intrinsic(
            "llvm.prefetch", [at.type], ir.FunctionType(ir.VoidType(), [at.type, word, word, word])
        )
        builder.call(fetch, [at, word(1), word(3), word(1)])

    return types.void(memory, place), generate


# Brings a cell of a pointer's memory near, to be written soon; changes nothing.
fetch = _no_fetch if numba.config.DISABLE_JIT else _fetch

# The memory of an array, indexed like the array: without bounds, negative indices and the array's other six words.
pointer = _no_pointer if numba.config.DISABLE_JIT else _pointer
