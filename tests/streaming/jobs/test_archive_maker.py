"""The set-up makes the archive of Spark's classes once, and leaves nothing half made."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from streaming.jobs import archive_maker
from streaming.spark import java_archive
from streaming.spark.java import Java

JAVA = Java(Path("/opt/java"), "17.0.15", 17)


@pytest.fixture(autouse=True)
def _own_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(java_archive, "cache_folder", lambda _: tmp_path)


def _writes(monkeypatch, *, content: bytes | None) -> None:
    monkeypatch.setattr(archive_maker, "write_archive", lambda path: content is not None and path.write_bytes(content))


def test_what_a_killed_set_up_left_goes_in_time(monkeypatch, tmp_path):
    for name, age_s in (("1.unfinished", 7200), ("2.unfinished", 60)):
        (tmp_path / name).write_bytes(b"half")
        os.utime(tmp_path / name, (time.time() - age_s,) * 2)
    _writes(monkeypatch, content=b"new")
    made = archive_maker.make(JAVA)
    assert {path.name for path in tmp_path.iterdir()} == {made.name, "2.unfinished"}


def test_an_archive_is_made_once_and_those_of_other_javas_go(monkeypatch, tmp_path):
    (tmp_path / "old.jsa").write_bytes(b"old")
    _writes(monkeypatch, content=b"new")
    made = archive_maker.make(JAVA)
    _writes(monkeypatch, content=b"newer")
    assert archive_maker.make(JAVA) == made
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"new"]


def test_a_jvm_that_writes_none_leaves_nothing_behind(monkeypatch, tmp_path):
    _writes(monkeypatch, content=None)
    assert archive_maker.make(JAVA) is None
    assert list(tmp_path.iterdir()) == []
