"""Spark's own logs are where `checkpoint_files.py` reads them, as a query of this version writes them."""

from __future__ import annotations

import json
from importlib.metadata import version

import pytest

from streaming.spark.checkpoint.checkpoint_files import COMMITS, OFFSETS, LocalFiles, offsets_at


@pytest.fixture
def written(spark, tmp_path):
    """The files of a query of one micro-batch and one source."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "one.txt").write_text("a line\n")
    rows = spark.readStream.text(str(tmp_path / "in"))
    options = {"checkpointLocation": str(tmp_path / "files")}
    query = rows.writeStream.format("noop").options(**options).trigger(availableNow=True).start()
    assert query.awaitTermination(120)
    return LocalFiles(tmp_path / "files")


def test_a_micro_batch_has_an_entry_in_both_logs_and_a_line_for_its_source(written):
    found = f"pyspark {version('pyspark')} writes its logs otherwise: no job can resume, be reloaded or be watched"
    assert (written.numbers(OFFSETS), written.numbers(COMMITS)) == ([0], [0]), found
    assert [json.loads(line) for line in offsets_at(written, 0)] == [{"logOffset": 0}], found
    assert written.damage() is None, found


def test_an_entry_that_is_not_there_raises(written):
    with pytest.raises(FileNotFoundError):
        offsets_at(written, 1)
