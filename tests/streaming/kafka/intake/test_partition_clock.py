"""Which partitions are quiet: all of them was read, and nothing came for a while."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest
from pyspark.sql.streaming.datasource import ReadAllAvailable

from streaming.kafka.intake import partition_clock
from streaming.kafka.intake.partition_clock import PartitionReader, read_so_far
from streaming.spark.checkpoint.checkpoint_files import LocalFiles


@pytest.fixture
def clock(tmp_path, monkeypatch):
    """A reader whose brokers, offsets and time are ours: ask(now, heads, read) gives the next offset."""
    names = json.dumps(["small", 2, ["orders"], ["a"], ["g"]])
    reader = PartitionReader(
        {"topics": '["t"]', "names": names, "idleus": "30000000", "checkpoint": str(tmp_path),
         "stopfile": str(tmp_path / "stop"), "bootstrap": "a:1", "config": ""}
    )  # fmt: skip
    reader.at = reader.initialOffset()

    def ask(now, heads, read=None):
        monkeypatch.setattr(partition_clock.time, "monotonic", lambda: now)
        monkeypatch.setattr(reader, "_heads", lambda: heads)
        monkeypatch.setattr(partition_clock, "read_so_far", lambda folder: heads if read is None else read)
        reader.at = reader.latestOffset(reader.at, ReadAllAvailable())
        return reader.at

    reader.ask = ask
    return reader


def test_a_partition_is_quiet_when_it_was_read_and_has_no_news(clock):
    assert clock.ask(0, {"t/0": 5, "t/1": 0}) == {"known": ["t/0", "t/1"], "quiet": {}}
    assert clock.ask(20, {"t/0": 6, "t/1": 0})["quiet"] == {}
    assert clock.ask(31, {"t/0": 6, "t/1": 0})["quiet"] == {"t/1": 0}
    assert clock.ask(60, {"t/0": 7, "t/1": 1})["quiet"] == {}


def test_a_partition_that_is_not_read_to_its_end_is_not_quiet(clock):
    clock.ask(0, {"t/0": 5}, {"t/0": 3})
    assert clock.ask(40, {"t/0": 5}, {"t/0": 3})["quiet"] == {}
    assert clock.ask(50, {"t/0": 5}, {"t/0": 5})["quiet"] == {"t/0": 5}


def test_a_quiet_partition_stays_so_when_the_job_begins_again(clock):
    clock.at = {"known": ["t/0"], "quiet": {"t/0": 5}}
    assert clock.ask(0, {"t/0": 5}, {})["quiet"] == {"t/0": 5}


def test_nothing_is_news_without_a_broker_or_when_the_job_is_to_stop(clock, tmp_path):
    before = clock.ask(0, {"t/0": 5})
    assert clock.ask(40, None) == before
    (tmp_path / "stop").touch()
    assert clock.ask(80, {"t/0": 9}) == before


def test_partitions_are_known_only_when_those_of_every_topic_are(clock):
    named = {"t": {0, 1}}
    clock.topics = ["t", "u"]
    clock._consumer = SimpleNamespace(
        partitions_for_topic=named.get, end_offsets=lambda places: dict.fromkeys(places, 7)
    )
    assert PartitionReader._heads(clock) is None
    named["u"] = {0}
    assert PartitionReader._heads(clock) == {"t/0": 7, "t/1": 7, "u/0": 7}


def test_every_cell_is_reported_of_every_partition(clock):
    (partition,) = clock.partitions(clock.initialOffset(), {"known": ["t-0/1", "t-0/2"], "quiet": {"t-0/2": 7}})
    blocks = [row for batch in clock.read(partition) for row in batch.to_pylist()]
    assert [(row["run"], row["cell"]) for row in blocks] == [("small", 0), ("small", 1)]
    assert json.loads(blocks[1]["payload"]) == [["t-0", 1, False], ["t-0", 2, True]]
    assert clock.partitions(clock.at, clock.at) == []


def test_what_is_read_is_in_the_last_offsets_that_spark_has_logged(tmp_path):
    assert read_so_far(LocalFiles(tmp_path)) == {}
    log = tmp_path / "offsets"
    log.mkdir()
    (log / "9").write_text('v1\n{"batchWatermarkMs":0}\n{"t":{"0":4}}\n{"known":["t/0"],"quiet":{}}')
    (log / "10").write_text('v1\n{"conf":{"a":"b"}}\n{"t":{"0":7,"1":2}}\n{"known":["t/0"],"quiet":{"t/0":7}}')
    assert read_so_far(LocalFiles(tmp_path)) == {"t/0": 7, "t/1": 2}
