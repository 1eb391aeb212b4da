"""Figures of the house, counted from its sources: `python -m tests.house.figures` prints each with what is counted."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.house.tree import ROOT, parsed

PACKAGES = ("simulator", "state", "streaming")
COMPILED_ROOMS = ("simulator/engine", "simulator/client", "simulator/replay")
COMPILED_BY = {"rule", "entry"}
ANONYMOUS_NAMES = {"c", "m", "o"}
ANONYMOUS_TYPES = {"Any", "np.ndarray"}
MOST_NAMES = 12
MOST_PARAMETERS = 6
MOST_FILES = 15


def sources(*folders: str) -> list[Path]:
    """The Python files in folders, relative to the top."""
    return sorted(path.relative_to(ROOT) for folder in folders for path in (ROOT / folder).rglob("*.py"))


def functions(path: Path, *, compiled: bool = False) -> Iterator[ast.FunctionDef]:
    """Every function of a file, or those that are compiled."""
    for node in ast.walk(parsed(ROOT / path)):
        if isinstance(node, ast.FunctionDef) and (not compiled or is_compiled(node)):
            yield node


def is_compiled(function: ast.FunctionDef) -> bool:
    """Whether a decorator compiles it."""
    called = [d.func if isinstance(d, ast.Call) else d for d in function.decorator_list]
    return any(ast.unparse(name).rpartition(".")[2] in COMPILED_BY for name in called)


def parameters(function: ast.FunctionDef) -> list[ast.arg]:
    """All parameters but `self` and `cls`."""
    own = function.args
    listed = [*own.posonlyargs, *own.args, *own.kwonlyargs, own.vararg, own.kwarg]
    return [each for each in listed if each is not None and each.arg not in ("self", "cls")]


def type_of(parameter: ast.arg) -> str:
    """The annotation as it is written; none is as good as Any."""
    return "Any" if parameter.annotation is None else ast.unparse(parameter.annotation)


def anonymous_subscripts() -> list[str]:
    """Indexes into memory without names: `c[...]`, a parameter of no record's type, or an offset added in the index."""
    found = []
    for path in sources(*COMPILED_ROOMS):
        for function in functions(path, compiled=True):
            without = {each.arg for each in parameters(function) if type_of(each) in ANONYMOUS_TYPES}
            for node in ast.walk(function):
                if isinstance(node, ast.Subscript) and (_base(node) in without | ANONYMOUS_NAMES or _adds_offset(node)):
                    found.append(f"{path}:{node.lineno}: {ast.unparse(node)}")
    return found


def _base(node: ast.Subscript) -> str:
    return node.value.id if isinstance(node.value, ast.Name) else ""


def _adds_offset(node: ast.Subscript) -> bool:
    sums = [each for each in ast.walk(node.slice) if isinstance(each, ast.BinOp) and isinstance(each.op, ast.Add)]
    sides = [side for each in sums for side in (each.left, each.right)]
    return any(isinstance(side, ast.Name) and side.id.isupper() for side in sides)


def untyped_parameters() -> list[str]:
    """Parameters of the compiled rooms that are Any."""
    return [
        f"{path}:{function.lineno}: {function.name}({each.arg})"
        for path in sources(*COMPILED_ROOMS)
        for function in functions(path)
        for each in parameters(function)
        if type_of(each) == "Any"
    ]


def long_signatures() -> list[str]:
    """Compiled functions with more than MOST_PARAMETERS parameters."""
    return [
        f"{path}:{function.lineno}: {function.name} has {len(parameters(function))}"
        for path in sources("simulator")
        for function in functions(path, compiled=True)
        if len(parameters(function)) > MOST_PARAMETERS
    ]


def long_imports() -> list[str]:
    """Imports of more than MOST_NAMES names at once."""
    return [
        f"{path}:{node.lineno}: {len(node.names)} names of {node.module}"
        for path in sources(*PACKAGES, "tests")
        for node in ast.walk(parsed(ROOT / path))
        if isinstance(node, ast.ImportFrom) and len(node.names) > MOST_NAMES
    ]


def module_of(path: Path) -> str:
    """The dotted name of a file."""
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def arrows() -> dict[str, set[str]]:
    """Which module names which others, anywhere in it, also for type checking alone."""
    known = {module_of(path) for path in sources(*PACKAGES)}
    found: dict[str, set[str]] = {name: set() for name in known}
    for path in sources(*PACKAGES):
        own = module_of(path)
        for node in ast.walk(parsed(ROOT / path)):
            named: list[str] = []
            if isinstance(node, ast.Import):
                named = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module:
                inside = [f"{node.module}.{alias.name}" for alias in node.names]
                named = [name if name in known else node.module for name in inside]
            found[own] |= {name for name in named if name in known} - {own}
    return found


def circles() -> list[str]:
    """Modules that reach themselves through what they import, circle by circle."""
    graph = _without_ends(arrows())
    reach = {name: _reached(name, graph) for name in graph}
    tied = {frozenset(other for other in reach[name] if name in reach[other]) for name in graph if name in reach[name]}
    return sorted(" <-> ".join(sorted(each)) for each in tied)


def _without_ends(graph: dict[str, set[str]]) -> dict[str, set[str]]:
    """What is left when those that name none of the rest are taken away: every circle, and who names it."""
    while ends := {name for name, named in graph.items() if not named & graph.keys()}:
        graph = {name: named for name, named in graph.items() if name not in ends}
    return {name: named & graph.keys() for name, named in graph.items()}


def _reached(name: str, graph: dict[str, set[str]]) -> set[str]:
    todo, seen = list(graph[name]), set[str]()
    while todo:
        if (at := todo.pop()) not in seen:
            seen.add(at)
            todo += graph[at]
    return seen


def full_folders() -> list[str]:
    """Folders with more than MOST_FILES modules."""
    modules = [path for path in sources(*PACKAGES, "tests") if path.stem != "__init__"]
    return [f"{folder}: {n}" for folder, n in Counter(path.parent for path in modules).items() if n > MOST_FILES]


def repeated_modules() -> list[str]:
    """Names that two modules have."""
    places = defaultdict(list)
    for path in sources(*PACKAGES):
        if path.stem not in ("__init__", "__main__"):
            places[path.stem].append(str(path))
    return [" = ".join(paths) for paths in places.values() if len(paths) > 1]


def repeated_classes() -> list[str]:
    """Names that two classes have, but for what the user writes and the same thing as the engine has it."""
    places = defaultdict(list)
    for path in sources(*PACKAGES):
        for node in parsed(ROOT / path).body:
            if isinstance(node, ast.ClassDef):
                places[node.name].append(f"{path}:{node.lineno} {node.name}")
    return [" = ".join(lines) for lines in places.values() if len(lines) > 1 and not _asked_and_run(lines)]


def _asked_and_run(lines: list[str]) -> bool:
    return ["/".join(line.split("/")[:2]) for line in sorted(lines)] == ["simulator/engine", "simulator/scenario"]


FIGURES: dict[str, Callable[[], list[str]]] = {
    "indexes into memory without names": anonymous_subscripts,
    "parameters typed Any in the compiled rooms": untyped_parameters,
    f"compiled functions with over {MOST_PARAMETERS} parameters": long_signatures,
    f"imports of over {MOST_NAMES} names": long_imports,
    "import circles": circles,
    f"folders of over {MOST_FILES} modules": full_folders,
    "modules of the same name": repeated_modules,
    "classes of the same name": repeated_classes,
}

if __name__ == "__main__":
    import sys

    for title, count in FIGURES.items():
        hits = count()
        print(f"{len(hits):6,}  {title}")
        for line in hits if "-v" in sys.argv else []:
            print(f"        {line}")
