"""`streaming.run`: the job from Python, in a session of the caller's."""

from __future__ import annotations

import json

import streaming
from simulator.run.simulate import simulate
from simulator.scenario import parse_scenario
from tests.simulator.hashed import hashes_of
from tests.simulator.small import text_of
from tests.streaming.lives import hashes_by_pandas


def test_run_gives_a_query_that_writes_the_rows_of_the_run_without_spark(spark, tmp_path):
    scenario = parse_scenario(text_of())
    wanted = hashes_of(simulate(scenario).tables)
    query = streaming.run(scenario, tmp_path / "out", spark=spark)
    query.awaitTermination()
    assert query.exception() is None
    assert hashes_by_pandas(tmp_path / "out") == wanted
    assert json.loads((tmp_path / "out" / "run.json").read_text())["finished"]


def test_the_query_has_its_own_settings_and_the_session_keeps_the_callers(spark, tmp_path):
    usual = spark.conf.get("spark.sql.shuffle.partitions")
    spark.conf.set("spark.sql.shuffle.partitions", "7")
    try:
        streaming.run(parse_scenario(text_of()), tmp_path / "out", spark=spark).awaitTermination()
        assert spark.conf.get("spark.sql.shuffle.partitions") == "7"
    finally:
        spark.conf.set("spark.sql.shuffle.partitions", usual)
    states = tmp_path / "out" / "_checkpoint" / "spark" / "state" / "0"
    wanted = json.loads((tmp_path / "out" / "_checkpoint" / "run.json").read_text())["partitions"]
    assert len([path for path in states.iterdir() if path.name.isdigit()]) == wanted < 7
