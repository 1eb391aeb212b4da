"""Where the JVM finds Spark, so that its Python workers import what is installed and compiled."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from streaming.spark import spark_home as subject
from streaming.spark.spark_home import installed_spark, spark_home


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setattr(subject, "cache_folder", lambda name: tmp_path / name)
    return tmp_path


def test_it_has_what_a_jvm_starts_from_and_no_zipped_copy(cache):
    home = spark_home()
    assert home.is_relative_to(cache)
    assert sorted(path.name for path in home.iterdir()) == ["bin", "jars"]
    assert (home / "bin" / "spark-submit").is_file()


def test_it_is_made_once(cache):
    assert spark_home() == spark_home()


def test_where_no_links_can_be_made_it_is_the_installed_one(cache, monkeypatch):
    def refuse(_path, _target):
        raise PermissionError

    monkeypatch.setattr(Path, "symlink_to", refuse)
    assert spark_home() == installed_spark()


def test_workers_import_the_installed_pyspark(spark):
    def origin(batches):
        import pyarrow as pa
        import pyspark

        yield pa.RecordBatch.from_pydict({"file": [pyspark.__file__]})

    assert "SPARK_HOME" in os.environ
    file = spark.range(1).coalesce(1).mapInArrow(origin, "file string").collect()[0]["file"]
    assert Path(file) == installed_spark() / "__init__.py"
