"""Change the send path and the loop in one place at a time: recorded messages, or an exact test, must notice.

    python -m tests.endurance.mutations                      all of them, uncompiled: some minutes
    python -m tests.endurance.mutations --every 9            a sample

Prints what noticed each change; ends with exit code 1 if one survives that is not known to, or one no longer fits.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
COPIED = ("simulator", "state", "streaming", "tests", "conf", "docs", "pyproject.toml", "README.md")


@dataclass(frozen=True)
class Place:
    """One change: `before` stands in the file exactly once, `after` instead.

    test: what catches a change that no sampled message does. survives: why nothing can.
    """

    name: str
    file: str
    before: str
    after: str
    test: str = ""
    survives: str = ""


def places() -> list[Place]:
    """Every change, in order."""
    return [Place(**own) for own in yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text())]


def noticed_by(tree: Path, place: Place) -> str:
    """What notices that change in a copy of the tree, "" for nothing. Raises ValueError if the place is not there."""
    path = tree / place.file
    text = path.read_text()
    if text.count(place.before) != 1:
        raise ValueError(f"{place.file}: {place.before!r} stands there {text.count(place.before)} times, expected once")
    path.write_text(text.replace(place.before, place.after))
    try:
        return _difference(tree) or (_failing(tree, place.test) if place.test else "")
    finally:
        path.write_text(text)


def _run(tree: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *arguments], cwd=tree, env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def _difference(tree: Path) -> str:
    """The first recorded message that goes otherwise, "" if none does."""
    done = _run(tree, "tests.endurance.recorded_sample", "tests/golden")
    if done.returncode == 0:
        return ""
    return done.stdout.strip() or (done.stderr.strip().splitlines() or ["nothing was printed"])[-1]


def _failing(tree: Path, test: str) -> str:
    return "" if _run(tree, "pytest", "-q", "-x", "-p", "no:cacheprovider", test).returncode == 0 else test


def copied_tree(to: str) -> Path:
    """A copy of the tree to change."""
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, Path(to) / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, to)
    return Path(to)


def main() -> int:
    """Make the changes one after the other."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--every", type=int, default=1, help="only each n-th change")
    parser.add_argument("--first", type=int, default=0, help="number of the first, from 0")
    parser.add_argument("--only", nargs="*", default=(), help="names of changes")
    asked = parser.parse_args()
    chosen = [place for place in places() if place.name in asked.only] or places()[asked.first :: asked.every]
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        tree = copied_tree(folder)
        if found := _difference(tree):
            sys.exit(f"without a change: {found}")
        for place in chosen:
            noticed = noticed_by(tree, place)
            known = place.survives
            wrong += bool(noticed) == bool(known)
            print(f"{place.name}: {noticed or 'SURVIVES' + (f', {known}' if known else '')}", flush=True)
    print(f"{wrong} of {len(chosen)} changes go otherwise than expected")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
