"""Jars are fetched once into the user's cache folder, another folder for other versions."""

from __future__ import annotations

import pytest

from streaming.errors import EnvironmentProblem
from streaming.spark import jars
from tests.says import Says, raises


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "sendlab" / "kafka"


def test_what_is_there_is_not_fetched_again(cache):
    folder = jars.jar_folder(jars.CONNECTOR)
    assert folder.parent == cache
    folder.mkdir()
    (folder / "some.jar").touch()
    assert jars.jars(jars.CONNECTOR, tell=pytest.fail) == (folder / "some.jar",)
    assert jars.main(["--missing", "kafka"]) == 0  # the broker's are


def test_other_versions_have_another_folder(cache, tmp_path, monkeypatch):
    before = jars.jar_folder(jars.BROKER)
    listed = tmp_path / "kafka" / "jars.xml"
    listed.parent.mkdir()
    listed.write_text("<ivy-module/>")
    monkeypatch.setattr(jars, "conf_folder", lambda: tmp_path)
    assert jars.jar_folder(jars.BROKER) != before


def test_what_cannot_be_fetched_leaves_nothing_and_is_reported(cache, tmp_path, monkeypatch):
    (tmp_path / "kafka").mkdir()
    (tmp_path / "kafka" / "jars.xml").write_text("no list of jars")
    monkeypatch.setattr(jars, "conf_folder", lambda: tmp_path)
    found = []
    with raises(EnvironmentProblem, Says("spark.jars-not-there", kind="Kafka connector")):
        jars.jars(jars.CONNECTOR, found.append)
    assert found == [Says("spark.fetching-jars", kind="Kafka connector")]
    assert list(cache.iterdir()) == []
