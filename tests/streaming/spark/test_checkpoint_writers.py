"""A checkpoint that Spark has written one way continues when it is written the other way."""

import pytest

from simulator.run.simulate import simulate
from streaming.spark import query_settings
from streaming.spark.checkpoint.checkpoint_files import COMMITS
from tests.simulator.hashed import hashes_of
from tests.simulator.small import fault, scenario_of
from tests.streaming.asked import job_of
from tests.streaming.lives import hashes_by_pandas, last_commit
from tests.streaming.shared import run_shared

CHANGES = {"duration": "12s", "producers": {"count": 4, "rate": "30/s"}, "faults": [fault("refuse", "2s", "3s")]}
WAYS = ["org.apache.hadoop.fs.LocalFileSystem", "org.apache.hadoop.hive.ql.io.ProxyLocalFileSystem"]


@pytest.mark.parametrize("ways", [WAYS, WAYS[::-1]], ids=["quick first", "quick afterwards"])
def test_a_checkpoint_continues_whichever_way_it_was_written(spark, tmp_path, monkeypatch, ways):
    out, job = tmp_path / "out", job_of(**CHANGES)
    for way, batches in zip(ways, (3, 0), strict=True):
        monkeypatch.setattr(query_settings, "file_system", lambda _, way=way: way)
        assert run_shared(spark, job, out, partitions=1, events=300, stop_after=batches) is None
        if batches:  # killed before the last commit: that micro-batch is run again, and its files replaced
            last = last_commit(out)
            for name in (f"{last}", f".{last}.crc"):
                (out / "_checkpoint" / "spark" / COMMITS / name).unlink()
    assert hashes_by_pandas(out) == hashes_of(simulate(scenario_of(**CHANGES)).tables)
