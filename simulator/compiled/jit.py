"""The one way this package compiles a function: numba with an on-disk cache that follows the sources.

numba keys its cache by the file of the function alone, not by the files of what it calls. So the cache
folder carries a digest of every source file of the package, and an edit anywhere gives a new folder.
`NUMBA_DISABLE_JIT=1` runs every rule as plain Python, without importing numba.
"""

from __future__ import annotations

import gc
import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

from simulator.compiled.cache import cache_folder
from simulator.compiled.record_fields import field_access
from simulator.compiled.records import CHECKED, PLAIN, read_through

if not PLAIN:
    import numba

    from simulator.compiled import linking
    from simulator.compiled.record_types import signature_of

F = TypeVar("F", bound=Callable[..., Any])

read_through(field_access)

PACKAGE = Path(__file__).resolve().parents[1]


@cache
def source_digest() -> str:
    """Digest of every Python file of the package, 12 hexadecimal digits."""
    digest = hashlib.blake2b(f"{version('numba')} {CHECKED}".encode(), digest_size=6)
    for path in sorted(PACKAGE.rglob("*.py")):
        digest.update(path.relative_to(PACKAGE).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def compiled_folder() -> Path:
    """Folder of the code compiled from these sources."""
    return cache_folder("numba") / source_digest()


if not PLAIN and not os.environ.get("NUMBA_CACHE_DIR"):
    numba.config.CACHE_DIR = str(compiled_folder())
# Whether a process before this one has compiled something of these sources; also where nothing is compiled.
WAS_COMPILED = PLAIN or Path(numba.config.CACHE_DIR).exists()


def rule(*, allocates: bool = False, inlined: bool = False, alone: bool = False) -> Callable[[F], F]:
    """Compile a rule as a part, when its callers need it.

    `inlined` puts the machine code into every caller: for what is small or called from one place only. `alone`
    compiles it as a whole of its own, before its first caller: for what many entries call. Only a rule that `allocates`
    may make arrays: the others are compiled without numba's reference counts, which cost an atomic operation for each
    array and call, several times what a selection does.
    """
    options = _options(allocates, inlined)

    def prepared(function: Any) -> Any:
        if PLAIN:
            return function
        if allocates or alone:
            return linking.whole(function, options, signature_of if alone else None)
        return linking.part(function, options)

    return prepared


def entry(function: F) -> F:
    """A rule that Python or the event loop reaches through its address, compiled by `ready`, not on import.

    Its signature is that of its annotations: int, float, bool, records and regions of numbers.
    """
    if PLAIN:
        return function
    code: Any = linking.whole(function, _options())
    linking.put_off(code, lambda: _compile(code.dispatcher))
    return code  # type: ignore[no-any-return]


def ready(function: Any) -> None:
    """Compile an entry now, once; anything else, and plain Python, is left alone."""
    if not PLAIN:
        linking.ready(function)


def is_on_disk(function: Any) -> bool:
    """Whether `ready` finds the code of an entry on the disk; True where nothing is compiled.

    Source: numba 0.68, core/caching.py: an index is named by the function's module, its name and its line.
    """
    name = f"{function.__module__.rpartition('.')[2]}.{function.__qualname__}"
    return PLAIN or any(Path(numba.config.CACHE_DIR).glob(f"*/{name}-*.nbi"))


def _options(allocates: bool = False, inlined: bool = False) -> dict[str, Any]:
    return {
        "nopython": True,
        "boundscheck": None,
        "error_model": "numpy",
        "nogil": True,
        "_nrt": allocates,
        "forceinline": inlined,
    }


def _compile(dispatcher: Any) -> None:
    with without_collection():
        dispatcher.compile(signature_of(dispatcher.py_func))
    dispatcher.disable_compile()


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
