"""The simulator works in a notebook that has neither Spark nor pandas nor Java."""

from __future__ import annotations

import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from tests.house.tree import ROOT, modules

ALLOWED = [
    "annotated-types",
    "llvmlite",
    "numba",
    "numpy",
    "pyarrow",
    "pydantic",
    "pydantic-core",
    "PyYAML",
    "scipy",
    "typing-extensions",
    "typing-inspection",
]


@pytest.fixture(scope="module")
def bare_python(tmp_path_factory):
    """An interpreter that reaches only the allowed packages and this checkout."""
    home = tmp_path_factory.mktemp("bare")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", home], check=True)
    site = next((home / "lib").glob("python3*/site-packages"))
    for name in ALLOWED:
        link_distribution(name, site)
    # Under its own path, so that the compiled rules of this checkout are found and nothing is compiled again.
    (site / "checkout.pth").write_text(f"{ROOT}\n")
    return home / "bin" / "python"


def link_distribution(name: str, site: Path) -> None:
    """Link the top-level files and folders of an installed distribution into `site`."""
    distribution = metadata.distribution(name)
    for top in {Path(file).parts[0] for file in distribution.files or ()} - {"..", "__pycache__"}:
        if not (site / top).exists():
            (site / top).symlink_to(Path(str(distribution.locate_file(top))))


def run(python: Path, code: str) -> subprocess.CompletedProcess[str]:
    """Run code with nothing of this environment in reach: no PATH, so no Java either."""
    env = {"PATH": str(python.parent), "HOME": str(python.parent)}
    command = [str(python), "-c", code]
    return subprocess.run(command, capture_output=True, text=True, env=env, cwd=python.parent, check=False)


def test_simulator_imports_without_spark_pandas_and_java(bare_python):
    names = modules("state") + modules("simulator")
    assert "simulator" in names
    code = f"import importlib\nfor name in {names!r}: importlib.import_module(name)"
    answer = run(bare_python, code)
    assert answer.returncode == 0, answer.stderr


@pytest.mark.parametrize("package", ["pandas", "pyspark"])
def test_the_bare_interpreter_lacks(bare_python, package):
    answer = run(bare_python, f"import {package}")
    assert f"No module named '{package}'" in answer.stderr


def test_the_bare_interpreter_has_no_java(bare_python):
    answer = run(bare_python, "import shutil; print(shutil.which('java'))")
    assert answer.stdout.strip() == "None"
