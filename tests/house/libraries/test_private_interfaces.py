"""What a library does not promise is used in one module, and is there in the version that is installed."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.metadata import version
from typing import NamedTuple

import pytest

from tests.house.tree import ROOT, parsed


class Internals(NamedTuple):
    """A library; what only one module imports of it, and the names that it alone uses."""

    library: str
    places: tuple[str, ...] = ()
    names: frozenset[str] = frozenset()


PYSPARK = """_gateway _jvm _jsc _active_spark_context _ensure_initialized _accumulatorServer _instantiatedSession
_sc _jdf _jsparkSession _wrapped"""
INTERNALS = {
    "simulator.compiled.numba_internals": Internals("numba", ("numba.core", "numba.experimental", "numba._")),
    "streaming.spark.spark_internals": Internals(
        "pyspark", ("pyspark.core", "pyspark.java_gateway"), frozenset(PYSPARK.split())
    ),
    "streaming.spark.model_daemon": Internals("pyspark", ("pyspark.daemon", "pyspark.worker")),
    "streaming.spark.checkpoint.checkpoint_files": Internals("pyspark", (), frozenset({"offsets", "commits"})),
    "streaming.verbs.typer_internals": Internals(
        "typer", ("typer.core", "typer.main", "typer._", "typer.rich_utils", "click")
    ),
}
LEANINGS = [
    (module, key, breaks)
    for module in INTERNALS
    for key, breaks in getattr(import_module(module), "LEANS_ON", {}).items()
]


def source_of(owner: object) -> str:
    """Of a module, or of the modules of a class and its bases."""
    places = {each.__module__ for each in owner.__mro__} if inspect.isclass(owner) else {owner.__name__}
    files = [getattr(sys.modules[place], "__file__", None) for place in places if place in sys.modules]
    return "\n".join(open(file, encoding="utf-8").read() for file in files if file and file.endswith(".py"))


def is_there(key: str) -> bool:
    """Whether `module:Class.name` exists, as an attribute or as one that instances are given."""
    place, _, path = key.partition(":")
    *owners, name = path.split(".")
    try:
        owner = import_module(place)
        for each in owners:
            owner = getattr(owner, each)
    except (ImportError, AttributeError):
        return False
    return hasattr(owner, name) or f".{name} = " in source_of(owner)


@pytest.mark.parametrize(("module", "key", "breaks"), LEANINGS, ids=[key for _, key, _ in LEANINGS])
def test_what_is_leant_on_is_there(module, key, breaks):
    library = INTERNALS[module].library
    assert is_there(key), f"{library} {version(library)} has no {key}: {breaks} ({module})"


@pytest.mark.parametrize("key", ["numba.core.codegen:JITCodeLibrary._no_such", "numba.no_such:X.y", "typer:NoSuch.x"])
def test_what_is_gone_is_seen(key):
    assert not is_there(key)


DOCUMENTED = {"_asdict", "_replace", "_exit"}  # of a NamedTuple, and of os


def test_every_private_name_of_a_library_is_leant_on_with_its_reason():
    stated = {key.rpartition(".")[2].rpartition(":")[2] for _, key, _ in LEANINGS}
    asked, own = set(), set()
    for package in ("simulator", "state", "streaming"):
        for file in (ROOT / package).rglob("*.py"):
            for node in ast.walk(parsed(file)):
                if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.startswith("__"):
                    (own if isinstance(node.ctx, ast.Store) and _is_own(node) else asked).add(node.attr)
                elif isinstance(node, ast.FunctionDef | ast.ClassDef):
                    own.add(node.name)
                elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    own.add(node.id)
    assert asked - own - stated - DOCUMENTED == set()


def _is_own(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")


@cache
def used() -> dict[str, tuple[set[str], set[str]]]:
    """Of every module of the packages: what it imports, and its attributes and short texts."""
    found = {}
    for package in ("simulator", "state", "streaming"):
        for file in sorted((ROOT / package).rglob("*.py")):
            tree = parsed(file)
            name = ".".join(file.relative_to(ROOT).with_suffix("").parts)
            found[name] = set(_imported(tree)), set(_named(tree))
    return found


def _imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _named(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


@pytest.mark.parametrize("module", INTERNALS)
def test_nobody_else_touches_it(module):
    own, found = INTERNALS[module], {}
    for other, (imports, named) in used().items():
        touched = {name for name in imports if own.places and name.startswith(own.places)} | named & own.names
        if touched and other != module:
            found[other] = sorted(touched)
    assert found == {}
