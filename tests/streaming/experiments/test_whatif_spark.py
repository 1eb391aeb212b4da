"""Experiments through Spark decide as they do without it, and as the event job does."""

from __future__ import annotations

import pyarrow.dataset as ds
import pytest

from simulator.experiments.experiment_runner import experiment
from simulator.run.run_totals import total_run
from simulator.scenario import parse_scenario
from streaming import whatif
from streaming.jobs.scenario_job import scenario_job
from tests.simulator.experiments.small import loaded
from tests.simulator.row_digest import digest_of
from tests.simulator.small import fault, text_of
from tests.streaming.shared import run_shared

FIND = {"smallest": "producers.threads", "in": "1..4", "such_that": ["p99_ms < 40"]}


@pytest.fixture(scope="module")
def out(spark, tmp_path_factory):
    """The folder of an experiment with a search, done by Spark."""
    folder = tmp_path_factory.mktemp("experiment")
    whatif(loaded(seeds=2, find=FIND), folder, spark=spark)
    return folder


def test_spark_gives_what_one_process_gives(out, spark):
    again = whatif(loaded(seeds=2, find=FIND), out, spark=spark)
    assert again.as_json() == experiment(loaded(seeds=2, find=FIND)).as_json()


def test_a_session_that_is_open_already_is_used_and_left_open(spark, tmp_path):
    asked = loaded(seeds=1)
    assert whatif(asked, tmp_path).as_json() == experiment(loaded(seeds=1)).as_json()
    assert spark.range(3).count() == 3


def test_the_runs_lie_as_a_row_an_arm_seed_and_measure(out):
    rows = ds.dataset(out / "runs").to_table().to_pylist()
    found = [row for row in rows if row["arm"] == "producers.threads=1" and row["measure"] == "p99_ms"]
    assert sorted(row["seed"] for row in found) == sorted({row["seed"] for row in found}) != []


HEDGING = {"choose": "round_robin", "retry": {"hedging": {"extra": 0.5}}}
HEDGED = {"client": {"send_latency_fault_enable": False, "policy": HEDGING}, "faults": [fault("hang", "4s", "1s")]}


@pytest.mark.parametrize(("mode", "changes"), [("sync", {}), ("async", HEDGED)])
def test_the_event_job_decides_as_the_experiment_does(spark, tmp_path, mode, changes):
    producers = {"count": 4, "threads": 2, "rate": "40/s", "mode": mode}
    scenario = parse_scenario(text_of(duration="6s", cells=2, producers=producers, **changes))
    job = scenario_job(scenario)
    assert run_shared(spark, job, tmp_path, events=300) is None
    attempts, sends = (
        ds.dataset(tmp_path / name / f"run={job.run.spec.run}").to_table() for name in ("attempts", "sends")
    )
    assert digest_of(scenario, attempts, sends) == int(total_run(scenario).digest[0])
