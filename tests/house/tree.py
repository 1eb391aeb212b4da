"""What the tests of the house itself look at: the files of the checkout and what they import."""

from __future__ import annotations

import ast
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def files() -> list[Path]:
    """Every file that belongs to the project, tracked or about to be, relative to its top."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    try:
        listing = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git checkout")
    return [Path(name) for name in sorted(listing.split("\0")) if name and (ROOT / name).is_file()]


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


def imports(path: Path) -> set[str]:
    """The top-level packages that a file imports, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(path.parts[0] if node.level else (node.module or "").split(".")[0])
    return found
