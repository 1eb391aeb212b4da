"""Parts of a policy from a file of the user's own: any of CHOOSE, AVOID and RETRY, each a PolicyPart.

The text is executed as a module of its own, named by the digest of all its texts, and kept beside the compiled code:
numba's cache needs a file. What it imports from beside it counts as part of it.
"""

from __future__ import annotations

import ast
import builtins
import hashlib
import os
import re
import sys
import types
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from simulator.compiled.cache import cache_folder
from simulator.compiled.jit import ready
from simulator.compiled.records import OWN_MODULES
from simulator.policies.catalogue import PARTS
from simulator.policies.policy import PolicyPart
from simulator.scenario.policy.own_function import line_of, said
from simulator.scenario.texts.policy_texts import PolicyTexts

ENDING = ".py"
TEXTS = ("source", "beside")  # what stands beside the parameters of such a part in a resolved scenario
NAMES = {"choose": "CHOOSE", "avoid": "AVOID", "retry": "RETRY"}
OUTSIDE = re.compile(r"setitem\(readonly array|globals are considered compile-time constants")
REMEMBER = "what stands outside of the rules is a constant for them; keep what is to be remembered in the record"
PLACE_IN_FILE = re.compile(r'File ".*?", line (\d+)')


def is_own(name: str) -> bool:
    """Whether a part's name is that of a file."""
    return name.endswith(ENDING)


def imported_names(source: str) -> set[str]:
    """Names of the modules that a text imports, without what follows a dot; none if it is not Python."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return set()
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
    return found


def part_named(kind: str, name: str, written: Mapping[str, Any]) -> PolicyPart:
    """A part by its name, or of a file of the user's own, whose texts are `written`. Raises ValueError."""
    if is_own(name):
        return own_part(kind, name, written["source"], written.get("beside", {}))
    return PARTS[kind][name]


def own_part(kind: str, file: str, source: str, beside: Mapping[str, str]) -> PolicyPart:
    """The part of that kind in a file, its rules compiled. Raises ValueError, one sentence with file and line."""
    module = _module(file, source, tuple(sorted(beside.items())))
    part = vars(module).get(NAMES[kind])
    if not isinstance(part, PolicyPart):
        known = [name for name in NAMES.values() if isinstance(vars(module).get(name), PolicyPart)]
        has = f"; it has {', '.join(known)}" if known else ""
        raise ValueError(PolicyTexts.NO_PART(file=file, name=NAMES[kind], has=has))
    for function in part.rules.values():
        _compile(file, function)
    return part


def parts_of(
    file: str, source: str, beside: Mapping[str, str], begin: Callable[[str], None] = lambda what: None
) -> dict[str, PolicyPart]:
    """Every part in a file by its kind; `begin` is called with what is about to be compiled. Raises ValueError."""
    space = vars(_module(file, source, tuple(sorted(beside.items()))))
    found = {kind: space[name] for kind, name in NAMES.items() if isinstance(space.get(name), PolicyPart)}
    for kind, part in found.items():
        for name, function in part.rules.items():
            begin(f"compiling {name}")
            _compile(file, function)
        begin(f"start of {NAMES[kind]}")
    return found


@lru_cache(maxsize=64)
def _module(file: str, source: str, beside: tuple[tuple[str, str], ...]) -> types.ModuleType:
    texts = {**dict(beside), file: source}
    digest = hashlib.blake2b(repr(sorted(texts.items())).encode(), digest_size=6).hexdigest()
    folder = cache_folder("own-policies") / digest
    folder.mkdir(parents=True, exist_ok=True)
    modules: dict[str, types.ModuleType] = {}

    def import_one(name: str, *rest: Any) -> Any:
        own = f"{name}{ENDING}"
        if own in texts and own != file:
            if name not in modules:
                modules[name] = _run(own, texts[own], folder, f"{OWN_MODULES}{digest}_{name}", import_one)
            return modules[name]
        return builtins.__import__(name, *rest)

    return _run(file, source, folder, f"{OWN_MODULES}{digest}", import_one)


def _run(file: str, source: str, folder: Path, name: str, import_one: Any) -> types.ModuleType:
    copy = folder / Path(file).name
    if not copy.exists():  # several processes may begin at once
        spare = copy.with_suffix(f".{os.getpid()}")
        spare.write_text(source, encoding="utf-8")
        spare.replace(copy)
    module = types.ModuleType(name)
    module.__file__ = str(copy)
    sys.modules[name] = module  # annotations and cached types are looked up there
    vars(module)["__builtins__"] = {**vars(builtins), "__import__": import_one}
    try:
        exec(compile(source, str(copy), "exec", dont_inherit=True), vars(module))
    except SyntaxError as error:
        raise ValueError(f"{file}:{error.lineno}: {error.msg}") from None
    except ValueError as error:
        raise ValueError(str(error) if ENDING + ":" in str(error) else f"{file}: {said(error)}") from None
    except (Exception, SystemExit) as error:
        raise ValueError(f"{file}:{line_of(error, str(copy))}: {said(error)}") from None
    return module


def _compile(file: str, function: Any) -> None:
    """Compile a rule. Raises ValueError with its line and numba's reason."""
    try:
        ready(function)
    except Exception as error:
        text = str(error)
        code = getattr(function, "py_func", function).__code__
        lines = [int(found) for found in PLACE_IN_FILE.findall(text)]
        line = next((one for one in reversed(lines) if one >= code.co_firstlineno), code.co_firstlineno)
        raise ValueError(
            PolicyTexts.NOT_COMPILED(function=code.co_name, reason=_reason(text)).at(f"{file}:{line}")
        ) from None


def _reason(text: str) -> str:
    """What numba says, in one line without its decoration; in plain words where it is about a global."""
    if OUTSIDE.search(text):
        return REMEMBER
    plain = re.sub(r"\x1b\[[0-9;]*m", "", text)
    lines = [line.strip() for line in plain.splitlines()]
    kept = [
        line
        for line in lines
        if line
        and not line.startswith(("Failed in", "During:", "File ", "^", "def ", "@", "<source", "There are", "- "))
    ]
    return " ".join(kept).partition(", defined at")[0][:300] or PolicyTexts.NO_REASON()
