"""Salts of the operator's keys: cells are spread evenly over Spark's partitions, and a checkpoint keeps its keys."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as some

from simulator.run.simulate import simulate
from simulator.scenario import parse_scenario
from streaming.jobs.folders.manifest import SALTED, manifest_of
from streaming.jobs.scenario_job import scenario_job
from streaming.operator.key_salts import SALT, hash_of_int, hash_of_text, partition_of, salted, salts_of
from tests.bench.cluster import cluster
from tests.simulator.hashed import hashes_of
from tests.streaming.asked import job_of
from tests.streaming.lives import hashes_by_pandas
from tests.streaming.shared import run_shared


def partitions_by_our_hash(salts, partitions):
    return {
        (run, cell): partition_of(hash_of_int(salt, hash_of_int(cell, hash_of_text(run))), partitions)
        for run, own in salts.items()
        for cell, salt in enumerate(own)
    }


@given(some.dictionaries(some.text(max_size=9), some.integers(1, 30), min_size=1, max_size=4), some.integers(1, 9))
def test_no_partition_has_two_cells_more_than_another(cells, partitions):
    found = Counter(partitions_by_our_hash(salts_of(cells, partitions), partitions).values())
    assert found.total() == sum(cells.values())
    assert max(found.values()) - min(found[number] for number in range(partitions)) <= 1


def test_spark_puts_every_cell_where_its_salt_says(spark):
    cells, partitions = {"bench-a27b7c76": 5, "häng": 3, "": 1}, 4
    salts = salts_of(cells, partitions)
    rows = [(run, cell) for run, number in cells.items() for cell in range(number)]
    keys = salted(spark.createDataFrame(rows, "run string, cell int"), salts)
    where = keys.repartition(partitions, "run", "cell", SALT).selectExpr("run", "cell", "spark_partition_id() AS at")
    found = {(row.run, row.cell): row.at for row in where.collect()}
    assert found == partitions_by_our_hash(salts, partitions)


@pytest.mark.parametrize("seconds", [0.2, 0.3])
def test_two_cells_of_the_benchmark_have_a_partition_each(spark, tmp_path, seconds):
    """Its run's name has the scenario's digest in it, so that the length decides where a hash alone would put them."""
    assert run_shared(spark, scenario_job(cluster(seconds, cells=2), ("attempts",)), tmp_path, partitions=2) is None
    states = spark.read.format("statestore").load(str(tmp_path / "_checkpoint" / "spark"))
    found = {row.cell: row.partition_id for row in states.selectExpr("key.cell", "partition_id").collect()}
    assert sorted(found) == sorted(found.values()) == [0, 1]


@pytest.mark.parametrize(("run", "cell"), [("other", 0), ("mine", 1), ("mine", -1)])
def test_a_block_of_no_cell_has_a_salt_too(spark, run, cell):
    """The operator refuses it, and says of which run it is."""
    (row,) = salted(spark.createDataFrame([(run, cell)], "run string, cell int"), {"mine": [7]}).collect()
    assert row[SALT] == 0


def test_a_checkpoint_whose_keys_have_no_salts_is_resumed_with_its_own(spark, tmp_path, monkeypatch):
    job = job_of(duration="12s", cells=3, producers={"count": 6, "threads": 2, "rate": "40/s"})
    with monkeypatch.context() as patch:
        without = lambda *given: {key: value for key, value in manifest_of(*given).items() if key != SALTED}  # noqa: E731
        patch.setattr("streaming.jobs.claim.manifest_of", without)
        assert run_shared(spark, job, tmp_path, partitions=2, events=500, stop_after=2) is None
    assert run_shared(spark, job, tmp_path, partitions=2, events=500) is None
    keys = spark.read.format("statestore").load(str(tmp_path / "_checkpoint" / "spark")).selectExpr("key.*")
    assert keys.columns == ["run", "cell"]
    assert hashes_by_pandas(tmp_path) == hashes_of(simulate(parse_scenario(job.run.spec.spec)).tables)
