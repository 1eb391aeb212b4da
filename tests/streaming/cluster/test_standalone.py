"""Runs and hunts on a standalone cluster of two workers, of which one is killed: the same as without Spark."""

from __future__ import annotations

import json

import pytest

from simulator.run.simulate import simulate
from simulator.scenario import parse_scenario
from tests.simulator.hashed import hashes_of
from tests.simulator.small import fault, text_of
from tests.streaming.cluster.standalone import standalone_cluster
from tests.streaming.lives import hashes_by_duckdb, no_stack_trace, wait_for_commit, wait_until

pytestmark = pytest.mark.timeout(1200)  # real processes, on a machine that may have other work

SCENARIO = text_of(
    name="cluster",
    duration="30s",
    cells=3,
    producers={"count": 15, "threads": 2, "rate": "30/s", "arrivals": "poisson"},
    faults=[fault("hang", "9s", "6s"), fault("slow", "16s", "8s", "c", factor=40)],
)


def test_a_killed_worker_changes_no_row(alive, tmp_path):
    file, out = tmp_path / "cluster.yaml", tmp_path / "out"
    file.write_text(SCENARIO)
    with standalone_cluster(tmp_path, workers=2) as cluster:
        life = alive("run", file, "--out", out, "--master", cluster.url, "--max-events", 2500)
        assert wait_for_commit(life, out, 1), life.said
        cluster.kill_worker("worker-0")
        assert life.wait() == 0, life.said
    assert no_stack_trace(life.said)
    assert hashes_by_duckdb(out) == hashes_of(simulate(parse_scenario(SCENARIO)).tables)


def test_a_killed_worker_changes_no_case_of_a_hunt(alive, tmp_path):
    file = tmp_path / "small.yaml"
    file.write_text(text_of(duration="60s", producers={"count": 2}))
    asked = ("hunt", file, "--schedules", 130, "--at-most", 1, "--objective", "p999_ms < 1000", "--out")
    with standalone_cluster(tmp_path, workers=2) as cluster:
        life = alive(*asked, tmp_path / "cluster", "--master", cluster.url)
        outcomes = tmp_path / "cluster" / "outcomes.jsonl"
        assert wait_until(lambda: outcomes.exists() and outcomes.read_text().count("\n") > 20, life), life.said
        cluster.kill_worker("worker-0")
        assert life.wait() == 1, life.said
    assert no_stack_trace(life.said)
    assert alive(*asked, tmp_path / "plain", "--cores", 1).wait() == 1
    found, expected = (json.loads((tmp_path / name / "result.json").read_text()) for name in ("cluster", "plain"))
    assert len(found["cases"]) > 0
    assert found | {"took_s": 0} == expected | {"took_s": 0}
