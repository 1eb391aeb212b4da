"""What the tests of the house itself look at: the files of the checkout and what they import."""

from __future__ import annotations

import ast
import gc
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# What is made in a checkout and is no part of it, as .gitignore has it.
MADE = {"out", "build", "dist", "__pycache__", "spark-warehouse", "metastore_db", "derby.log"}
KEPT = {".ci", ".gitignore", ".dockerignore", ".gitattributes", ".github"}


def files() -> list[Path]:
    """Every file that belongs to the project, tracked or about to be, relative to its top.

    Where it is no git checkout (an unpacked archive, a machine without git) whatever is not made by it.
    """
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    try:
        listing = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return sorted(path.relative_to(ROOT) for path in ROOT.rglob("*") if path.is_file() and _belongs(path))
    return [Path(name) for name in sorted(listing.split("\0")) if name and (ROOT / name).is_file()]


def _belongs(path: Path) -> bool:
    parts = path.relative_to(ROOT).parts
    hidden = any(part.startswith(".") and part not in KEPT for part in parts)
    return not hidden and not any(part in MADE or part.endswith(".egg-info") for part in parts)


def text(path: Path) -> str | None:
    """The text of a file, None if it is not text."""
    try:
        return (ROOT / path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None


def modules(package: str) -> list[str]:
    """Every module of a package, by its dotted name; what `python -m PACKAGE` runs is left out."""
    names = [path.relative_to(ROOT).with_suffix("") for path in (ROOT / package).rglob("*.py")]
    dotted = sorted(".".join(name.parts).removesuffix(".__init__") for name in names)
    return [name for name in dotted if not name.endswith("__main__")]


@cache
def tree_of(source: str) -> ast.Module:
    """The syntax tree of a text; nobody may change it."""
    with _without_collections():
        return ast.parse(source)


def parsed(path: Path) -> ast.Module:
    """The syntax tree of a file; nobody may change it."""
    return tree_of(path.read_text(encoding="utf-8"))


@contextmanager
def _without_collections() -> Iterator[None]:
    """A tree is many small objects and none is garbage: looking for some takes three quarters of the time."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def imports(path: Path) -> set[str]:
    """The top-level packages that a file imports, wherever in it."""
    found = set()
    for node in ast.walk(parsed(ROOT / path)):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(path.parts[0] if node.level else (node.module or "").split(".")[0])
    return found


@cache
def imported(path: Path) -> frozenset[str]:
    """The modules that a file may import, by their whole names: of `from a import b` both a and a.b."""
    found = set()
    for node in ast.walk(parsed(ROOT / path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found |= {str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)}
    return frozenset(found)
