"""The archive of Spark's classes: one for each Java, used where there is one."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from streaming.spark import java_archive
from streaming.spark.java import Java

JAVA = Java(Path("/opt/java"), "17.0.15", 17)


@pytest.fixture(autouse=True)
def _own_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(java_archive, "cache_folder", lambda _: tmp_path)


def test_every_java_has_its_own_archive():
    others = [replace(JAVA, version="17.0.16"), replace(JAVA, home=Path("/opt/other"))]
    assert len({java_archive.archive_of(java) for java in (JAVA, *others)}) == 3


def test_a_jvm_is_reported_of_an_archive_that_is_there():
    archive = java_archive.archive_of(JAVA)
    archive.write_bytes(b"classes")
    assert f"-XX:SharedArchiveFile={archive}" in java_archive.archive_options(JAVA).split()


def test_the_folder_may_have_a_space_in_its_name(monkeypatch, tmp_path):
    monkeypatch.setattr(java_archive, "cache_folder", lambda _: tmp_path / "my folder")
    archive = java_archive.archive_of(JAVA)
    archive.parent.mkdir()
    archive.write_bytes(b"classes")
    assert shlex.split(java_archive.archive_options(JAVA))[0] == f"-XX:SharedArchiveFile={archive}"


def test_a_jvm_starts_as_usual_without_one():
    assert java_archive.archive_options(JAVA) == ""


def test_the_session_reads_the_archive_that_the_set_up_made(spark):
    """The folder of this checkout, not the test's own: `make test` has made it."""
    wanted = Path(java_archive.__file__).resolve().parents[2] / ".cache" / "java"
    options = spark.conf.get("spark.driver.extraJavaOptions")
    assert any(f"-XX:SharedArchiveFile={archive}" in options for archive in wanted.glob("*.jsa"))
