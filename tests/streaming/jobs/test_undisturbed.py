"""One run from the command line that nobody disturbs: on one core, in one state partition, in large micro-batches."""

from __future__ import annotations

import json

from tests.streaming.lives import hashes_by_duckdb, hashes_by_pandas


def test_a_real_run_gives_the_rows_of_the_run_without_spark(alive, long_scenario, long_hashes, tmp_path):
    out = tmp_path / "out"
    life = alive("run", long_scenario, "--out", out, "--master", "local[1,4]", "--partitions", 1)
    assert life.wait() == 0, life.said
    assert hashes_by_pandas(out) == hashes_by_duckdb(out) == long_hashes
    note = json.loads((out / "run.json").read_text())
    events = note["events"]
    assert note["finished"]
    assert events["generated"] == events["handled"] + events["rejected"]
    sends = int(long_hashes["sends"].split()[0])
    announced = events["generated"] - sends
    assert announced == 2 * 3  # both cells hear of three faults
    assert f"{events['generated']:,} in = {events['handled']:,} handled + 0 rejected" in life.said
    assert note["clock_us"] == 70_000_000
