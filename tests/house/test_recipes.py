"""The recipes of docs/architecture.md, followed word for word on a copy of the tree."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.tree import ROOT, files

TEXT = (ROOT / "docs" / "architecture.md").read_text().partition("\n## Recipes\n")[2]
RECIPES = {part.partition("\n")[0]: part for part in TEXT.split("\n### ")[1:]}
pytestmark = pytest.mark.timeout(900)  # whole processes in plain Python, on a machine that may have other work
BLOCK = re.compile(r"^```(diff|sh)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture
def copy(tmp_path):
    for path in files():
        if path.suffix != ".parquet":
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, tmp_path / path)
    (tmp_path / ".venv").symlink_to(sys.prefix)
    return tmp_path


def change(tree: Path, diff: str) -> None:
    """Make the changes of a block: after `--- FILE`, hunks that each begin with @@; lines as in any diff."""
    for part in re.split(r"^--- ", diff, flags=re.MULTILINE)[1:]:
        name, _, hunks = part.partition("\n")
        for hunk in re.split(r"^@@\n", hunks, flags=re.MULTILINE)[1:]:
            before, after = (
                "".join(f"{line[1:]}\n" for line in hunk.splitlines() if line[:1] != other) for other in "+-"
            )
            file = tree / name
            text = file.read_text() if before else ""
            assert text.count(before) == 1 or not before, f"{name} has not once:\n{before}"
            file.write_text(text.replace(before, after, 1) if before else after)


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_recipe_does_what_it_says(recipe, copy):
    # Plain Python: nothing is compiled for a tree that lives for a minute.
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(copy)}
    blocks = BLOCK.findall(RECIPES[recipe])
    assert {kind for kind, _ in blocks} == {"diff", "sh"}
    for kind, block in blocks:
        if kind == "diff":
            change(copy, block)
        else:
            command = ["bash", "-eo", "pipefail", "-c", block]
            done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, check=False)
            assert done.returncode == 0, f"{block}{done.stdout[-3000:]}{done.stderr[-2000:]}"


def test_the_recipes_are_those_that_are_asked_for_most():
    assert list(RECIPES) == [
        "Add a release", "Add a fault kind", "Add a column to a table", "Add a timer of an instance",
        "Add a kind of consumption", "Add a listener to appends",
    ]  # fmt: skip
