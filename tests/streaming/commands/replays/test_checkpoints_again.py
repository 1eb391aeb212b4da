"""`sendlab replay DIR --from-batch N` and `sendlab fork`: what a checkpoint of a Spark job gives again."""

from __future__ import annotations

import json
import os
import shutil

import pyarrow.parquet as pq
import pytest

from simulator.scenario import parse_scenario
from streaming.commands.replays import arms_summary
from streaming.jobs.folders.folder_lock import holder_of
from streaming.jobs.scenario_job import scenario_job
from streaming.texts.command_result_texts import CommandResultTexts
from tests.says import Says, prints
from tests.simulator.small import fault, text_of
from tests.streaming.asked import ask
from tests.streaming.shared import run_shared

JOB = text_of(
    name="again", duration="24s", producers={"count": 4, "rate": "20/s"}, faults=[fault("hang", "4s", "4s", "b")],
    client={"release": "4.9.8", "send_latency_fault_enable": True},
    brokers={name: {"latency": {"lognormal": {"p50": "1ms", "p99": "9ms"}}} for name in "abc"},
)  # fmt: skip


@pytest.fixture
def sendlab(monkeypatch, capsys):
    return lambda *arguments: ask(monkeypatch, capsys, *arguments)


@pytest.fixture(scope="module")
def job(spark, tmp_path_factory):
    """The output of a job in about six micro-batches."""
    out = tmp_path_factory.mktemp("again") / "out"
    assert run_shared(spark, scenario_job(parse_scenario(JOB)), out, events=400) is None
    return out


def test_micro_batches_run_again_give_the_same_rows(sendlab, job):
    code, said = sendlab("replay", job, "--from-batch", 1, "--json")
    found = json.loads(said)
    assert (code, found["same"], found["difference"]) == (0, True, None)
    assert found["batches"][0] == 2
    assert found["rows"] > 1_000


def test_nothing_to_compare_after_the_last_micro_batch_is_no_success(sendlab, job):
    last = json.loads((job / "run.json").read_text())["written"]["batch"]
    code, said = sendlab("replay", job, "--from-batch", last, "--json")
    found = json.loads(said)
    assert (code, found["batches"], found["same"]) == (4, [], None)
    code, said = sendlab("replay", job, "--from-batch", last)
    assert code == 4
    assert prints(said, CommandResultTexts.BATCH_IS_THE_LAST, batch=last)


def test_a_row_that_was_changed_since_is_reported(sendlab, job, tmp_path):
    copy = shutil.copytree(job, tmp_path / "copy")
    file = sorted((copy / "attempts").glob("run=*/b00000003-*.parquet"))[-1]
    table = pq.read_table(file, partitioning=None)
    pq.write_table(table.slice(1), file)
    code, said = sendlab("replay", copy, "--from-batch", 2)
    assert code == 1
    assert prints(said, CommandResultTexts.BATCH_DIFFERS, batch=3)
    assert prints(said, CommandResultTexts.ROW_COUNTS_DIFFER, table="attempts")


def test_micro_batches_whose_files_are_merged_are_not_compared(sendlab, job, tmp_path):
    copy = shutil.copytree(job, tmp_path / "copy")
    assert sendlab("compact", copy)[0] == 0
    last = json.loads((copy / "run.json").read_text())["compacted_before"] - 1
    code, said = sendlab("replay", copy, "--from-batch", 2)
    assert (code, Says("command.all-batches-merged", "--from-batch 2") in said) == (2, True), said
    assert sendlab("replay", copy, "--from-batch", last)[0] == 4
    note = copy / "run.json"
    note.write_text(json.dumps(json.loads(note.read_text()) | {"compacted_before": last}))
    code, said = sendlab("replay", copy, "--from-batch", 1)
    assert (code, Says("command.batches-merged", "--from-batch 1", last=last - 1) in said) == (2, True), said


def test_rows_of_a_job_that_wrote_no_files_are_not_compared(sendlab, job, tmp_path):
    copy = shutil.copytree(job, tmp_path / "copy")
    note = copy / "run.json"
    note.write_text(json.dumps(json.loads(note.read_text()) | {"sink": "kafka"}))
    code, said = sendlab("replay", copy, "--from-batch", 2)
    assert (code, Says("command.no-files-to-compare", sink="kafka") in said) == (2, True), said


def test_a_fork_leaves_the_job_alone_and_begins_with_its_state(sendlab, job, tmp_path):
    before = {path: path.stat().st_mtime_ns for path in job.rglob("*")}
    asked = (
        "fork",
        job,
        "--batch",
        2,
        "--arm",
        "kill=c",
        "--for",
        "8s",
        "--runs",
        1,
        "--out",
        tmp_path / "f",
        "--json",
    )
    code, said = sendlab(*asked)
    arms = json.loads(said)["arms"]
    assert (code, list(arms)) == (0, ["as it is", "kill=c"])
    assert arms["as it is"]["measures"]["share_percent[b]"]["mean"] == 0
    assert arms["kill=c"]["measures"]["share_percent[c]"]["mean"] < 5
    assert (tmp_path / "f" / "report.html").exists()
    assert {path: path.stat().st_mtime_ns for path in job.rglob("*")} == before


def test_a_fork_writes_its_page_while_it_holds_its_folder(sendlab, job, tmp_path, monkeypatch):
    found = []
    monkeypatch.setattr(arms_summary, "write_page", lambda _, folder, __: found.append(holder_of(folder.path)))
    asked = ("fork", job, "--batch", 2, "--arm", "kill=c", "--for", "8s", "--runs", 1, "--out", tmp_path / "f")
    assert (sendlab(*asked)[0], found) == (0, [os.getpid()])


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("fork", "JOB", "--arm", "kill=c", "--batch", "99"), Says("command.batch-expected", "--batch 99")),
        (("fork", "JOB", "--arm", "kill=x", "--batch", "2"), "--arm kill=x: kill: no broker or consumer named x"),
        (("fork", "JOB", "--arm", "kill=c"), Says("command.run-has-ended")),
        (
            ("fork", "JOB", "--arm", "producers.0.count=9", "--batch", "2"),
            "it has other producers than the job",
        ),
        (
            ("fork", "JOB", "--arm", "brokers.d={like: a}", "--batch", "2"),
            "it has other brokers than the job",
        ),
        (("fork", "JOB", "--arm", "kill=c", "--for", "soon"), "--for soon: expected a duration"),
        (("fork", "nowhere", "--arm", "kill=c"), Says("job.no-checkpoint", "nowhere")),
        (("replay", "JOB", "--from-batch", "99"), Says("command.batch-expected", "--batch 99")),
        (("replay", "JOB", "--from-batch", "1", "--arm", "seed=2"), Says("command.from-batch-alone")),
    ],
)
def test_what_cannot_be_used_is_one_sentence(sendlab, job, tmp_path, arguments, sentence):
    given = [str(job) if one == "JOB" else one for one in arguments]
    code, said = sendlab(*given, *(("--out", tmp_path / "o") if arguments[0] == "fork" else ()))
    assert (code, sentence in said) == (2, True), said
