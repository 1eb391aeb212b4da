"""docs/architecture.md names every room, and no file or room that is not there."""

from __future__ import annotations

import re
from fnmatch import fnmatch
from pathlib import PurePosixPath

from tests.house.tree import ROOT, files

PAGE = (ROOT / "docs" / "architecture.md").read_text().partition("\n## Recipes\n")[0]
ROOMS = PAGE.partition("\n    simulator/\n")[2].partition("\n## ")[0]
WRITTEN = {"run.json"}  # by a job
FILE = re.compile(r"(?:\.{3}|\w[\w./-]*)?[\w*/]*\w\.(?:py|yaml|md|json|sh)\b")
FOLDER = re.compile(r"`([\w./-]+)/`")
TREE = {path.as_posix() for file in files() for path in (file, *file.parents)}


def is_there(name: str) -> bool:
    """Whether a path of the tree ends with this one; `*` and `...` stand for anything."""
    name = name.replace("...", "*")
    return any(fnmatch(path, name) or fnmatch(path, f"*/{name}") for path in TREE)


def test_every_file_and_folder_that_the_page_names_is_there():
    named = {*FILE.findall(PAGE), *FOLDER.findall(PAGE)} - WRITTEN
    assert len(named) > 150
    assert sorted(name for name in named if not is_there(name)) == []


def test_every_room_is_named_on_the_page():
    rooms = {
        PurePosixPath(path).parent.name for path in TREE if re.match(r"(simulator|streaming)/.*__init__\.py", path)
    }
    assert len(rooms) > 100
    assert sorted(rooms - {"simulator", "streaming"} - set(re.findall(r"(\w+)/", ROOMS))) == []


def test_every_room_that_the_page_draws_is_there():
    drawn = set(re.findall(r"(\w+)/", ROOMS))
    assert sorted(name for name in drawn if not is_there(name)) == []


def test_a_file_that_is_gone_is_seen():
    assert not is_there("simulator/kernel/no_such_file.py")
    assert not is_there("atency.py")
