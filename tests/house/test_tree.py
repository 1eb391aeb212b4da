"""The checkout holds what belongs there, in files that a person can read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.house.tree import ROOT, files, text
from tests.site.sentences import PRODUCT, product_files, wrong_in_code

TOP = {
    "CHANGELOG.md",
    "LICENSE",
    "Makefile",
    "README.md",
    "SECURITY.md",
    "action.yml",
    "conf",
    "docs",
    "pyproject.toml",
    "simulator",
    "state",
    "streaming",
    "tests",
}
LONGEST = 400
# path: the reason why it may be longer
LONGER: dict[str, str] = {}
MACHINE_PATH = re.compile(r"(?<![\w.~])/(?:home|root|Users|work)/\w")


def test_no_file_is_too_long():
    code = [path for path in files() if path.suffix in {".py", ".sh", ".js", ".css"}]
    lengths = {str(path): len((text(path) or "").splitlines()) for path in code}
    assert {name: n for name, n in lengths.items() if n > LONGEST and name not in LONGER} == {}


def test_every_exception_to_the_length_is_still_needed():
    assert {name for name in LONGER if len((text(Path(name)) or "").splitlines()) <= LONGEST} == set()


def test_top_level_holds_only_what_belongs():
    top = {path.parts[0] for path in files()}
    assert {name for name in top if not name.startswith(".")} <= TOP


def test_no_machine_paths():
    found = {}
    for path in files():
        if hits := MACHINE_PATH.findall(text(path) or ""):
            found[str(path)] = hits
    assert found == {}


def test_a_machine_path_would_be_seen():
    assert MACHINE_PATH.search("see " + "/".join(["", "home", "somebody", "x"]))


def test_the_gate_runs_what_a_developer_runs():
    gate = ROOT / ".ci" / "run"
    assert gate.stat().st_mode & 0o111
    assert "make test" in gate.read_text()


@pytest.mark.parametrize("room", PRODUCT)
def test_names_comments_and_docstrings_have_the_words_of_the_field(room):
    found = [(path, line) for path in product_files(room) for line in wrong_in_code(path.read_text("utf-8"))]
    assert [f"{path.relative_to(ROOT)}:{line}" for path, line in found] == []
