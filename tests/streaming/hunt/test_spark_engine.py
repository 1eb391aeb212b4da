"""A hunt on a Spark session: the same as on the cores of this machine."""

from __future__ import annotations

import threading
import time

import pytest

from simulator.hunt.fault_template import read_template
from simulator.hunt.goal import parse_goal
from simulator.hunt.hunt_file import LoadedHunt
from simulator.hunt.schedule import Schedule
from simulator.hunt.space import space_of
from streaming.errors import EnvironmentProblem
from streaming.hunt.run_hunt import HuntAsked, run_hunt
from streaming.hunt.spark_engine import SparkEngine
from streaming.options.engine_choice import PLAIN, SPARK
from streaming.terminal.output_console import OutputConsole as Console
from tests.simulator.small import scenario_of

SMALL = scenario_of(duration="60s", producers={"count": 2})
HANG = read_template({"kind": "hang", "broker": "each", "for": "5s..20s", "a_year": 3})
HUNT = LoadedHunt("hangs", SMALL, (parse_goal("p999_ms < 1000"),), space_of(SMALL, [HANG], most=1))


def test_the_same_seed_gives_the_same_hunt_on_spark_as_in_threads(spark, tmp_path):
    found = {}
    for engine in (PLAIN, SPARK):
        asked = HuntAsked(schedules=70, engine=engine, spark=spark, processes=False, cores=1)
        found[engine] = run_hunt(HUNT, asked, tmp_path / engine, Console(quiet=True)).as_json()
        del found[engine]["took_s"]
    assert found[SPARK] == found[PLAIN]
    assert len(found[SPARK]["cases"]) == 1


def test_a_hunt_resumes_on_another_engine(spark, tmp_path):
    for engine, runs in ((SPARK, True), (PLAIN, False)):
        asked = HuntAsked(schedules=8, engine=engine, spark=spark, processes=False, cores=1)
        assert bool(run_hunt(HUNT, asked, tmp_path / "out", Console(quiet=True)).runs) is runs


def test_once_stopped_no_job_begins(spark, tmp_path):
    stop = threading.Event()
    stop.set()
    engine = SparkEngine(spark, tmp_path)
    assert list(engine.outcomes(SMALL.to_yaml(), ["lost"], [Schedule()], stop)) == []
    assert engine.causes(SMALL.to_yaml(), [Schedule()], stop) == [()]


def test_a_job_that_is_stopped_gives_nothing_and_is_no_failure(spark, tmp_path):
    stop = threading.Event()
    threading.Timer(1.0, stop.set).start()
    lasting = [Schedule()] * 4_000  # each for 0.1 s
    assert SparkEngine(spark, tmp_path)._job(lambda schedule: str(time.sleep(0.1)), lasting, stop) == []
    assert not (tmp_path / "error.log").exists()


def test_a_job_that_fails_is_a_sentence(spark, tmp_path):
    engine = SparkEngine(spark, tmp_path)
    with pytest.raises(EnvironmentProblem, match=r"the job failed: .*ZeroDivisionError"):
        engine._job(lambda schedule: str(1 // len(schedule.strikes)), [Schedule()], threading.Event())
