"""A function of the user's own, from the text of its file: what is wrong with it is reported with file and line."""

from __future__ import annotations

import hashlib
import inspect
import sys
import traceback
import types
from collections.abc import Callable
from typing import Any

from simulator.scenario.reading.scenario_error import did_you_mean
from simulator.scenario.texts.policy_texts import PolicyTexts

EXAMPLE = 'a function such as "my_selector.py:choose" or "my_package.my_module:choose"'
Function = Callable[..., Any]


def split_function(text: object) -> tuple[str, str]:
    """File or module, and name, of a text such as `my_selector.py:choose`. Raises ValueError."""
    place, colon, name = text.rpartition(":") if isinstance(text, str) else ("", "", "")
    if not colon or not place.strip() or not name.isidentifier():
        raise ValueError(f"expected {EXAMPLE}, got {text if not isinstance(text, str) else repr(text)}")
    return place, name


def own_function(text: str, source: str, arguments: tuple[str, ...]) -> Function:
    """The function that `text` names in `source`, the text of its file; it must take those arguments.

    Runs the file. Raises ValueError, whose text is one sentence with file and line.
    """
    file, name = split_function(text)
    module = types.ModuleType(f"own_function_{hashlib.blake2b(source.encode(), digest_size=8).hexdigest()}")
    module.__file__ = file
    sys.modules[module.__name__] = module  # dataclasses look their module up
    space = vars(module)
    try:
        exec(compile(source, file, "exec", dont_inherit=True), space)
    except SyntaxError as error:
        raise ValueError(f"{file}:{error.lineno}: {error.msg}") from None
    except (Exception, SystemExit) as error:
        raise ValueError(f"{file}:{line_of(error, file)}: {said(error)}") from None
    function: Function | None = space.get(name)
    if function is None or not callable(function):
        known = [key for key, value in space.items() if inspect.isfunction(value)]
        raise ValueError(PolicyTexts.NO_FUNCTION(file=file, name=name, near=did_you_mean(name, known)))
    try:
        inspect.signature(function).bind(*arguments)
    except TypeError:
        line = getattr(getattr(function, "__code__", None), "co_firstlineno", 1)
        raise ValueError(f"{file}:{line}: {name} must take {', '.join(arguments)}") from None
    return function


def said(error: BaseException) -> str:
    """An exception of the user's own code in one line."""
    try:
        return " ".join(f"{type(error).__name__}: {error}".split())
    except Exception:
        return type(error).__name__


def line_of(error: BaseException, file: str) -> int:
    """The last line of a file that an exception came through, 1 if none is known."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    return lines[-1] or 1 if lines else 1
