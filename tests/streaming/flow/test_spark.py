"""The streaming job in one shared Spark session: the rows of the run without Spark, however it is cut."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import pytest

from simulator.run.simulate import simulate
from simulator.scenario import parse_scenario
from state.tables import STATE_TABLES, TABLES
from streaming.errors import InputError
from streaming.flow.blocks import ARRIVALS, IN_ARROW, IN_SCHEMA
from streaming.flow.parquet_sink import ParquetSink
from streaming.flow.scenario_feed import ScenarioFeed, plan_of
from streaming.jobs.claim import Claim
from streaming.jobs.steppers import stepper_of
from streaming.operator.operator import decisions
from streaming.problems import explained
from streaming.texts.flow_texts import FlowTexts
from streaming.texts.job_texts import JobTexts
from tests.says import Printed, Said, Says, raises
from tests.simulator.hashed import hash_of, hashes_of
from tests.simulator.small import fault
from tests.streaming.asked import ask, job_of
from tests.streaming.lives import hashes_by_duckdb, hashes_by_pandas
from tests.streaming.shared import run_shared

CHANGES = {
    "duration": "12s",
    "cells": 3,
    "producers": {"count": 6, "threads": 2, "rate": "40/s", "arrivals": "poisson"},
    "faults": [fault("hang", "3s", "4s")],
}


@pytest.fixture(scope="module")
def job():
    return job_of(**CHANGES)


@pytest.fixture(scope="module")
def wanted(job):
    return hashes_of(simulate(parse_scenario(job.run.spec.spec)).tables)


@pytest.fixture(scope="module")
def finished(spark, job, wanted, tmp_path_factory):
    """The output folder of the whole run in seven micro-batches."""
    out = tmp_path_factory.mktemp("finished")
    assert run_shared(spark, job, out, partitions=2, events=500) is None
    return out


def test_many_micro_batches_give_the_rows_of_the_run_without_spark(finished, wanted):
    assert hashes_by_pandas(finished) == hashes_by_duckdb(finished) == wanted


@pytest.mark.parametrize(("partitions", "events"), [(1, 500_000), (5, 900)])
def test_any_number_of_partitions_gives_the_same_rows(spark, job, wanted, tmp_path, partitions, events):
    assert run_shared(spark, job, tmp_path, partitions=partitions, events=events, stop_after=2) is None
    assert run_shared(spark, job, tmp_path, partitions=partitions, events=events) is None
    assert hashes_by_pandas(tmp_path) == wanted


def files_of(out):
    """The bytes of every file of every table, by its name."""
    return {str(file.relative_to(out)): file.read_bytes() for file in out.glob("*/run=*/*.parquet")}


def test_the_operator_writes_the_very_files_that_a_sink_makes_of_its_blocks(spark, job, wanted, tmp_path, monkeypatch):
    assert run_shared(spark, job, tmp_path / "own", partitions=3, events=900) is None
    monkeypatch.setattr(Claim, "files", None)
    assert run_shared(spark, job, tmp_path / "blocks", partitions=3, events=900) is None
    assert files_of(tmp_path / "own") == files_of(tmp_path / "blocks")
    assert hashes_by_pandas(tmp_path / "own") == wanted


def test_every_file_has_the_schema_of_its_table(finished):
    files = [file for name in TABLES for file in (finished / name).glob("run=small-*/*.parquet")]
    assert len({file.parent.parent.name for file in files}) == 4
    for file in files:
        assert pq.read_schema(file).remove_metadata() == TABLES[file.parent.parent.name].schema, file


def test_spark_reads_the_tables_with_the_run_as_a_column(spark, job, finished, wanted):
    frame = spark.read.parquet(str(finished / "sends")).toPandas()
    assert hash_of("sends", frame) == wanted["sends"]
    assert set(frame["run"]) == {job.run.spec.run}


def test_bad_blocks_among_good_ones_go_to_the_rejects_table(spark, job, tmp_path):
    """Block files as a source would give them, a micro-batch a file; the rest of the run is as without Spark."""
    feed = ScenarioFeed(plan_of(job.run.spec.spec))
    for batch, (first, last) in enumerate([(0, 5), (5, feed.steps)]):
        rows = [vars(block) for cell in range(3) for block in feed.blocks(cell, first, last)]
        rows.append(
            {"run": job.run.spec.run, "cell": 1, "window": last, "table": "nonsense", "events": 7, "payload": b"?"}
        )
        rows.append(
            {"run": job.run.spec.run, "cell": 2, "window": 0, "table": ARRIVALS, "events": 5 * batch, "payload": None}
        )
        table = [{"tbl" if name == "table" else name: value for name, value in row.items()} for row in rows[::-1]]
        (tmp_path / "blocks").mkdir(exist_ok=True)
        pq.write_table(
            IN_ARROW.empty_table().from_pylist(table, schema=IN_ARROW), tmp_path / "blocks" / f"{batch}.parquet"
        )
    blocks = spark.readStream.schema(IN_SCHEMA).option("maxFilesPerTrigger", 1).parquet(str(tmp_path / "blocks"))
    out = tmp_path / "out"
    query = decisions(blocks, job.specs, job.tables, stepper_of).writeStream.foreachBatch(
        lambda frame, number: ParquetSink(out).write(frame, number) and None
    )
    query.option("checkpointLocation", str(tmp_path / "ck")).trigger(availableNow=True).start().awaitTermination(120)
    rejects = duckdb.sql(
        f"SELECT cell, reason, sum(events)::INT FROM '{out}/rejects/*/*.parquet' GROUP BY ALL ORDER BY 1"
    )
    found = rejects.fetchall()
    assert (1, FlowTexts.UNKNOWN_TABLE(table="nonsense"), 14) in found
    assert (2, FlowTexts.LATE(window=4), 5) in found


@pytest.fixture(scope="module")
def stopped(spark, job, tmp_path_factory):
    """An output folder that was stopped after two micro-batches."""
    out = tmp_path_factory.mktemp("stopped") / "half"
    assert run_shared(spark, job, out, events=500, stop_after=2) is None
    return out


@pytest.fixture
def half(stopped, tmp_path):
    """A copy of that folder, to be damaged."""
    return Path(shutil.copytree(stopped, tmp_path / "half"))


def damage(out, pattern, content):
    files = sorted((out / "_checkpoint" / "spark").glob(pattern))
    assert files
    for file in files:
        file.write_bytes(content)
        (file.parent / f".{file.name}.crc").unlink(missing_ok=True)


@pytest.mark.parametrize(
    ("pattern", "content"),
    [("state/0/*/*.delta", b"garbage"), ("offsets/*", b"v9\n"), ("commits/*", b"")],
    ids=["state", "offsets", "commits"],
)
def test_a_damaged_spark_checkpoint_is_refused_with_one_sentence(spark, job, half, pattern, content):
    damage(half, pattern, content)
    error = run_shared(spark, job, half, events=500)
    text = explained(error, half, half / "_checkpoint")
    assert isinstance(text, InputError), error
    folder = half / "_checkpoint"
    assert Says("job.checkpoint-unreadable", f"{folder}", log=folder / "error.log") in Said(text)
    assert "\n" not in str(text)


def test_damaged_metadata_are_refused_before_the_query_starts(spark, job, half):
    damage(half, "metadata", b'{"id": "cut sho')
    file = half / "_checkpoint" / "spark" / "metadata"
    with raises(InputError, Says("spark.metadata-missing", file=file)):
        run_shared(spark, job, half, events=500)


def test_a_state_of_another_run_is_refused_with_one_sentence(spark, job, half):
    """The state is of another run than the descriptions of the folders say."""
    other = job_of(**{**CHANGES, "seed": 77})
    for note in (half / "run.json", half / "_checkpoint" / "run.json"):
        text = note.read_text().replace(job.run.digest, other.run.digest)
        note.write_text(text.replace(job.run.spec.run, other.run.spec.run))
    error = run_shared(spark, other, half, events=500)
    printed = explained(error, half, half / "_checkpoint")
    assert isinstance(printed, InputError)
    assert Says("flow.state-of-another-run", run=other.run.spec.run) in Printed(printed)


def test_state_prints_counters_and_fault_items(finished, monkeypatch, capsys, spark):
    code, said = ask(monkeypatch, capsys, "state", finished)
    assert code == 0
    assert "counters (12 rows)" in said
    assert "fault_items (18 rows)" in said
    assert "events" in said


def test_state_as_json_has_every_counter_of_an_earlier_batch(finished, monkeypatch, capsys, spark):
    code, said = ask(monkeypatch, capsys, "state", finished / "_checkpoint", "--batch", 1, "--json")
    early = json.loads(said)
    assert (code, early["batch"]) == (0, 1)
    late = json.loads(ask(monkeypatch, capsys, "state", finished, "--json")[1])
    for before, after in zip(early["counters"], late["counters"], strict=True):
        assert (before["producer"], before["thread"]) == (after["producer"], after["thread"])
        assert before["next_send_seq"] < after["next_send_seq"]
    sends = len(pq.read_table(finished / "sends"))
    assert sum(row["next_send_seq"] for row in late["counters"]) == sends
    assert sum(cell["events_in"] for cell in late["cells"]) == sends + 3  # each cell hears of the hang


def test_state_as_parquet_has_the_documented_columns(finished, monkeypatch, capsys, spark, tmp_path):
    assert ask(monkeypatch, capsys, "state", finished, "--parquet", tmp_path / "state.parquet")[0] == 0
    for name, kind in STATE_TABLES.items():
        schema = pq.read_schema(tmp_path / f"state-{name}.parquet").remove_metadata()
        assert schema.names == ["run", "cell", *kind.schema.names]


def test_state_of_a_batch_that_is_not_kept_is_refused(finished, monkeypatch, capsys, spark):
    code, said = ask(monkeypatch, capsys, "state", finished, "--batch", 99)
    assert (code, Says("command.batch-expected", "--batch 99", first=0) in said) == (2, True)


def test_state_of_no_checkpoint_is_refused(monkeypatch, capsys, tmp_path):
    no_checkpoint = JobTexts.NOT_A_CHECKPOINT(manifest="run.json").at(tmp_path)
    assert ask(monkeypatch, capsys, "state", tmp_path) == (2, no_checkpoint)
    code, said = ask(monkeypatch, capsys, "state", tmp_path / "nowhere")
    assert (code, said) == (2, JobTexts.NO_CHECKPOINT().at(tmp_path / "nowhere"))
