"""`sendlab run --engine plain`: the rows of the model in the folder form of the job, and nobody's files touched."""

from __future__ import annotations

import json
import shutil

import duckdb
import pyarrow.parquet as pq
import pytest

from simulator.run.simulate import simulate
from streaming.installation.own_version import sendlab_version
from streaming.outputs.dataset import open_output
from streaming.outputs.summary import summarise
from streaming.texts.command_result_texts import CommandResultTexts
from streaming.texts.command_texts import CommandTexts
from streaming.texts.job_texts import JobTexts
from tests.says import Says, prints
from tests.simulator.hashed import hashes_of
from tests.simulator.small import fault, scenario_of, text_of
from tests.streaming.asked import ask, begin_run, job_of, picture_of
from tests.streaming.lives import TABLES, hashes_by_duckdb

CHANGES = {
    "duration": "6s", "cells": 2, "producers": {"count": 4, "rate": "50/s"}, "faults": [fault("hang", "2s", "2s")]
}  # fmt: skip


def read_causes(folder):
    return (folder / "causes.json").read_text()


@pytest.fixture
def run(monkeypatch, capsys, tmp_path):
    """`sendlab run --engine plain` on a scenario of two cells and folder `out`."""
    file = tmp_path / "small.yaml"
    file.write_text(text_of(**CHANGES))
    plain = ("run", file, "--out", tmp_path / "out", "--engine", "plain")
    return lambda *more: ask(monkeypatch, capsys, *plain, *more)


def test_a_run_starts_over_in_the_folder_of_one_whose_causes_were_proven(run, tmp_path):
    run()
    first = read_causes(tmp_path / "out")
    code, said = run("--fresh", "--seed", 8)
    assert (code, "finished" in said) == (0, True)
    assert read_causes(tmp_path / "out") != first


def test_the_tables_are_those_of_the_model(run, tmp_path):
    code, said = run()
    assert (code, "finished" in said) == (0, True)
    assert hashes_by_duckdb(tmp_path / "out") == hashes_of(simulate(scenario_of(**CHANGES)).tables)


def test_a_run_goes_to_a_folder_of_its_scenarios_name(monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small.yaml").write_text(text_of())
    assert ask(monkeypatch, capsys, "run", "small.yaml", "--engine", "plain")[0] == 0
    assert summarise(tmp_path / "out" / "small").finished


def test_the_summary_counts_the_events_that_went_in(run, tmp_path):
    run()
    summary = summarise(tmp_path / "out")
    assert (summary.finished, summary.virtual_s >= 6, summary.total.messages) == (True, True, 1200)
    assert summary.events["generated"] == summary.events["handled"] > 1200
    assert not summary.contradictions


def test_a_report_can_be_made_of_it(run, monkeypatch, capsys, tmp_path):
    run()
    code, _ = ask(monkeypatch, capsys, "report", tmp_path / "out")
    assert (code, (tmp_path / "out" / "report.html").stat().st_size > 100_000) == (0, True)


@pytest.mark.parametrize("table", ["attempts", "fault_items"])
def test_a_table_whose_file_is_gone_is_reported_by_who_reads_it(run, monkeypatch, capsys, tmp_path, table):
    run()
    whole, out = tmp_path / "whole", tmp_path / "out"
    shutil.copytree(out, whole)
    next((out / table).rglob("b00000000-p0001.parquet")).unlink()
    (gone,) = summarise(out).contradictions
    assert gone == Says("output.rows-gone", str(out / table))
    explain = ("explain", out, "--producer", 0, "--topic", "orders", "--thread", 0, "--seq", 1)
    for asked in (("diff", whole, out), ("compact", out), explain):
        code, said = ask(monkeypatch, capsys, *asked)
        assert (code, gone in said) == (2, True)


def test_old_rows_that_were_removed_are_not_missed(run, monkeypatch, capsys, tmp_path):
    run()
    assert ask(monkeypatch, capsys, "compact", tmp_path / "out", "--keep", "1us")[0] == 0
    assert summarise(tmp_path / "out").contradictions == ()


def test_no_java_is_needed(run, monkeypatch):
    monkeypatch.setattr("streaming.spark.java.USUAL_PLACES", ())
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    assert run()[0] == 0


def test_a_run_that_was_stopped_leaves_no_table_and_begins_again(run, monkeypatch, tmp_path):
    def stopped(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr("streaming.files.parquet_files.ParquetFiles.end", stopped)
        assert run()[0] == 130
    assert [open_output(tmp_path / "out").rows(table) for table in TABLES] == [0, 0, 0, 0]
    assert not list((tmp_path / "out").rglob(".part-*"))
    assert run()[0] == 0
    assert hashes_by_duckdb(tmp_path / "out") == hashes_of(simulate(scenario_of(**CHANGES)).tables)


def test_a_finished_run_is_reported_and_not_done_again(run, tmp_path):
    run()
    before = picture_of(tmp_path / "out")
    code, said = run()
    assert (code, prints(said, CommandResultTexts.RUN_FINISHED, "out")) == (0, True)
    assert picture_of(tmp_path / "out") == before


def test_the_streaming_jobs_folder_is_left_alone(run, tmp_path):
    begin_run(tmp_path / "out", job_of(**CHANGES))
    before = picture_of(tmp_path / "out")
    code, said = run()
    assert (code, prints(said, JobTexts.PLAIN_AFTER_SPARK)) == (2, True)
    assert picture_of(tmp_path / "out") == before


def test_the_streaming_job_leaves_a_plain_runs_folder_alone(run, tmp_path):
    run()
    note = tmp_path / "out" / "run.json"
    note.write_text(json.dumps({**json.loads(note.read_text()), "finished": False}))
    before = picture_of(tmp_path / "out")
    code, said = run("--engine", "spark")
    assert (code, prints(said, JobTexts.OUTPUT_OF_ANOTHER_CHECKPOINT)) == (2, True)
    assert picture_of(tmp_path / "out") == before


def test_other_tables_than_those_that_are_there_are_refused(run):
    run("--tables", "sends")
    code, said = run()
    assert (code, JobTexts.OTHER_TABLES(tables="sends, rejects") in said) == (2, True)


@pytest.mark.parametrize(
    "more", [("--checkpoint", "x"), ("--sink", "console"), ("--pace", "1x"), ("--master", "local")]
)
def test_what_only_the_streaming_job_has_is_refused(run, more):
    code, said = run(*more)
    assert (code, prints(said, CommandTexts.STREAMING_JOB_ALONE), more[0] in said) == (2, True, True)


def test_an_unknown_engine_is_refused(run):
    code, said = run("--engine", "flink")
    assert (code, said) == (2, "--engine flink: expected spark or plain")


@pytest.mark.parametrize(
    "command", [("state",), ("fork", "--arm", "client.release=5.3.3", "--for", "1s"), ("replay", "--from-batch", "1")]
)
def test_what_needs_a_checkpoint_says_that_there_is_none(run, monkeypatch, capsys, tmp_path, command):
    run()
    verb, *options = command
    code, said = ask(monkeypatch, capsys, verb, tmp_path / "out", *options)
    assert (code, JobTexts.OUTPUT_WITHOUT_CHECKPOINT() in said) == (2, True)


def test_every_file_says_its_run_key_and_units(run, tmp_path):
    run()
    (file, *_) = (tmp_path / "out" / "attempts").glob("run=*/*.parquet")
    schema = pq.read_schema(file)
    about = {name.decode(): value.decode() for name, value in schema.metadata.items()}
    assert about["sendlab.version"] == sendlab_version()
    assert about["sendlab.run"] == file.parent.name.removeprefix("run=") == job_of(**CHANGES).run.spec.run
    assert about["sendlab.key"] == "run,producer,thread,topic,send_seq,attempt"
    assert schema.field("latency_us").metadata[b"unit"] == b"us"


def test_tables_of_two_releases_read_together_have_every_key_once(run, tmp_path):
    run("--out", tmp_path / "two" / "a")
    run("--out", tmp_path / "two" / "b", "--set", "client.release=5.3.3")
    ((rows, keys),) = duckdb.sql(
        f"select count(*), count(distinct (run, producer, thread, topic, send_seq)) "
        f"from read_parquet('{tmp_path}/two/*/sends/*/*.parquet', hive_partitioning=true)"
    ).fetchall()
    assert rows == keys > 2_000


def test_attempts_name_the_group_of_their_producer(tmp_path):
    groups = [{"group": "shop", "count": 2, "rate": "20/s"}, {"group": "web", "count": 1, "rate": "20/s"}]
    attempts = simulate(scenario_of(producers=groups)).attempts.to_pandas()
    assert dict(zip(attempts.producer, attempts.producer_group, strict=True)) == {0: "shop", 1: "shop", 2: "web"}
    assert (attempts.latency_us == attempts.end_us - attempts.begin_us).all()
