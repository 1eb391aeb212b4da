"""A folder that does not fit, a machine that lacks something: one sentence, its exit code, nothing overwritten."""

from __future__ import annotations

import json
import os
import subprocess

import pytest

import streaming
from state.packing import LAYOUT_VERSION
from streaming.errors import EnvironmentProblem, InputError
from streaming.jobs.asked import folder_asked
from streaming.jobs.folders.manifest import difference, manifest_of
from streaming.problems import explained
from streaming.texts.command_texts import CommandTexts
from streaming.texts.job_texts import JobTexts
from streaming.texts.output_texts import OutputTexts
from tests.says import Printed, Said, Says, prints, raises
from tests.simulator.small import fault, text_of
from tests.streaming.asked import ask, begin_run, job_of, picture_of


@pytest.fixture
def scenario(tmp_path):
    file = tmp_path / "small.yaml"
    file.write_text(text_of())
    return file


@pytest.fixture
def run(monkeypatch, capsys, scenario, tmp_path):
    """`sendlab run` on the small scenario and folder `out`."""
    return lambda *more: ask(monkeypatch, capsys, "run", scenario, "--out", tmp_path / "out", *more)


@pytest.fixture
def elsewhere(tmp_path):
    """A checkpoint folder of its own, and a new output folder."""
    return ("--out", tmp_path / "new", "--checkpoint", tmp_path / "out" / "_checkpoint")


def test_a_length_that_is_none_is_named_as_it_was_given(run):
    code, said = run("--for", "5x")
    assert (code, "--for 5x: expected a duration" in said) == (2, True)


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ("seed=4", "seed: 3 there, 4 now"),
        ("client.release=5.3.3", "client.release: 4.9.8 there, 5.3.3 now"),
        ("producers.rate=11/s", "rate: 10/s there, 11/s now"),
        ("topics.orders.queues=3", "topics.orders.queues: 2 there, 3 now"),
        ("client.retry_times_when_send_failed=1", "client.retry_times_when_send_failed: not set there, 1 now"),
    ],
)
def test_a_checkpoint_of_another_run_is_refused_by_the_first_difference(run, elsewhere, tmp_path, changed, sentence):
    begin_run(tmp_path / "out", job_of())
    before = picture_of(tmp_path / "out")
    code, said = run(*elsewhere, "--set", changed)
    assert code == 2
    assert prints(said, JobTexts.CHECKPOINT_OF_ANOTHER_RUN)
    assert f"({sentence}" in said.replace("producers.0.", "")
    assert picture_of(tmp_path / "out") == before
    assert not (tmp_path / "new").exists() or list((tmp_path / "new").iterdir()) == []


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("layout", 99, JobTexts.OTHER_LAYOUT(stored=99, wanted=LAYOUT_VERSION)),
        ("runs", {"small": {"kind": "recording"}}, JobTexts.OTHER_KIND(stored="recording", wanted="scenario")),
        ("runs", {"large-12345678": {}}, "run large-12345678 there, small-"),
        ("sink", "console", "sink: console there, parquet now"),
        ("tables", ["sends", "rejects"], "tables: ['sends', 'rejects'] there"),
    ],
)
def test_a_checkpoint_of_another_making_is_refused(run, tmp_path, key, value, sentence):
    checkpoint = begin_run(tmp_path / "out", job_of())
    manifest = checkpoint.folder / "run.json"
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), key: value}))
    code, said = run()
    assert code == 2
    assert sentence in said
    assert Says("job.checkpoint-of-another-run") in said


def test_other_partitions_than_the_checkpoints_are_refused_only_if_asked_for(run, tmp_path):
    begin_run(tmp_path / "out", job_of(), partitions=1)
    code, said = run("--partitions", 2)
    assert (code, "partitions: 1 there, 2 now" in said) == (2, True)


def test_one_run_fits_itself():
    manifest = manifest_of(job_of(), 1)
    assert difference(json.loads(json.dumps(manifest)), manifest) is None


def test_another_text_of_a_selector_is_reported_by_its_length():
    before, now = (
        {"layout": 1, "runs": {"r": {"kind": "scenario", "digest": source, "settings": {"selector": source}}}}
        for source in ("return 0\n", "return 10\n")
    )
    assert difference(before, now) == "selector: a text of 9 characters there, a text of 10 characters now"


def test_a_mistake_in_a_selector_is_the_users(tmp_path):
    said = "mine.py:2: choose raised KeyError: 3 (message 0 of topic orders, arg 3, 6 queues)"
    error = RuntimeError(f"Job aborted\n  File x\nsimulator.own_selector.SelectorError: {said}\n\tat org.apache")
    text = explained(error, tmp_path, tmp_path)
    assert (type(text), str(text)) == (InputError, said)


def test_a_store_that_is_away_is_no_damaged_checkpoint(tmp_path):
    said = "getFileStatus on s3a://twins/ck/commits: software.amazon.awssdk.core.exception.SdkClientException: Unable"
    found = explained(RuntimeError(f"CANNOT_LOAD_STATE_STORE {said} to execute HTTP request"), tmp_path, tmp_path)
    assert type(found) is EnvironmentProblem
    assert Says("job.no-object-store") in Said(found)


@pytest.mark.parametrize("content", ["", "{", "[]", '"run"', "\x00\x01"])
def test_a_damaged_description_is_refused(run, tmp_path, content):
    checkpoint = begin_run(tmp_path / "out", job_of())
    (checkpoint.folder / "run.json").write_text(content)
    code, said = run()
    assert code == 2
    assert f"{checkpoint.folder / 'run.json'}: the checkpoint's description" in said


def test_a_description_that_cannot_be_read_is_refused(run, tmp_path):
    checkpoint = begin_run(tmp_path / "out", job_of())
    (checkpoint.folder / "run.json").unlink()
    (checkpoint.folder / "run.json").mkdir()
    code, said = run()
    assert (code, "cannot be read" in said) == (2, True)


def test_damaged_offsets_are_refused_before_spark_starts(run, tmp_path):
    checkpoint = begin_run(tmp_path / "out", job_of())
    for log in ("offsets", "commits"):
        (checkpoint.spark / log).mkdir(parents=True)
        (checkpoint.spark / log / "0").write_text("v1\n{}\nnot a step")
    (checkpoint.spark / "metadata").write_text('{"id": "x"}')
    code, said = run()
    assert code == 2
    assert prints(said, JobTexts.CHECKPOINT_DAMAGED)
    assert prints(said, CommandTexts.OFFSETS_UNREADABLE, batch=0)


def test_a_foreign_checkpoint_folder_is_refused_and_left_alone(run, tmp_path):
    foreign = tmp_path / "photos"
    foreign.mkdir()
    (foreign / "cat.jpg").write_bytes(b"cat")
    before = picture_of(foreign)
    code, said = run("--checkpoint", foreign, "--fresh")
    assert code == 2
    assert JobTexts.CHECKPOINT_NOT_EMPTY().at(foreign) in said
    assert picture_of(foreign) == before


@pytest.mark.parametrize("verb", ["run", "check", "hunt", "advise"])
def test_verbs_of_a_scenario_know_the_examples_by_name(monkeypatch, capsys, verb):
    code, said = ask(monkeypatch, capsys, verb, "quikstart")
    assert (code, Says("command.no-file-nor-example", "quikstart") in Printed(said)) == (2, True)


@pytest.mark.parametrize("what", ["checkpoint", "out"])
def test_a_file_instead_of_a_folder_is_refused(monkeypatch, capsys, scenario, tmp_path, what):
    file = tmp_path / "file"
    file.write_text("mine")
    folders = {"out": tmp_path / "out", "checkpoint": tmp_path / "ck", what: file}
    code, said = ask(
        monkeypatch, capsys, "run", scenario, "--out", folders["out"], "--checkpoint", folders["checkpoint"]
    )
    assert code == 2
    assert (JobTexts.OUTPUT_IS_A_FILE if what == "out" else JobTexts.CHECKPOINT_IS_A_FILE)() in said
    assert file.read_text() == "mine"


def test_an_output_folder_of_another_run_is_refused_and_left_alone(run, tmp_path):
    begin_run(tmp_path / "out", job_of(seed=99))
    before = picture_of(tmp_path / "out")
    code, said = run()
    assert code == 2
    assert JobTexts.OUTPUT_OF_ANOTHER_RUN(found="seed: 99 there, 3 now", hint="") in said
    assert picture_of(tmp_path / "out") == before


def test_an_output_folder_of_another_run_is_refused_by_every_key_that_differs(run, tmp_path):
    begin_run(tmp_path / "out", job_of())
    code, said = run("--set", "duration=90s", "--set", "client.release=5.3.3")
    keys = (("client.release", "4.9.8", "5.3.3"), ("duration", "2s", "90s"))
    assert code == 2
    for key, stored, wanted in keys:
        assert JobTexts.OTHER_VALUE(key=key, stored=stored, wanted=wanted) in said


def test_of_many_keys_that_differ_the_first_are_named(run, tmp_path):
    begin_run(tmp_path / "out", job_of(brokers={name: {"latency": {"constant": "2ms"}} for name in "abcdefghijkl"}))
    assert JobTexts.MORE_KEYS(count=3) in run()[1]


def test_an_output_folder_without_a_scenario_is_named(run, tmp_path):
    begin_run(tmp_path / "out", job_of(seed=99))
    note = tmp_path / "out" / "run.json"
    about = json.loads(note.read_text())
    del about["scenario_yaml"]
    note.write_text(json.dumps(about))
    assert JobTexts.OUTPUT_OF_ANOTHER_RUN(found="small, release 4.9.8, seed 99", hint="") in run()[1]


def test_an_output_folder_of_nobody_is_refused_and_left_alone(run, tmp_path):
    (tmp_path / "out" / "attempts").mkdir(parents=True)
    (tmp_path / "out" / "attempts" / "mine.parquet").write_bytes(b"mine")
    before = picture_of(tmp_path / "out")
    for more in ((), ("--fresh",)):
        code, said = run(*more)
        assert code == 2
        assert JobTexts.OUTPUT_NOT_EMPTY() in said
    assert picture_of(tmp_path / "out") == before


def test_an_output_without_its_checkpoint_is_not_written_into_again(run, tmp_path):
    begin_run(tmp_path / "out", job_of())
    code, said = run("--checkpoint", tmp_path / "another")
    assert code == 2
    assert prints(said, JobTexts.OUTPUT_OF_ANOTHER_CHECKPOINT, checkpoint=tmp_path / "another")


def test_a_checkpoint_without_its_output_does_not_go_on_elsewhere(run, elsewhere, tmp_path):
    checkpoint = begin_run(tmp_path / "out", job_of())
    (checkpoint.spark / "offsets").mkdir(parents=True)
    (checkpoint.spark / "offsets" / "0").write_text('v1\n{}\n{"step": 1}')
    code, said = run(*elsewhere)
    assert code == 2
    assert prints(said, JobTexts.FIRST_ROWS_MISSING, out=tmp_path / "new")


@pytest.fixture
def unwritable(tmp_path):
    """A folder that nobody can write to: for root a file system mounted read-only."""
    folder = tmp_path / "unwritable"
    folder.mkdir()
    if os.geteuid() != 0:
        folder.chmod(0o500)
        yield folder
        folder.chmod(0o700)
        return
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "ro,size=64k", "tmpfs", folder], capture_output=True)
    if mounted.returncode != 0:
        pytest.skip("root can write everywhere, and mounting a read-only file system is not allowed here")
    yield folder
    subprocess.run(["umount", folder], check=True)


def test_an_output_folder_without_write_permission_ends_with_a_sentence(monkeypatch, capsys, scenario, unwritable):
    for out in (unwritable, unwritable / "below"):
        code, said = ask(monkeypatch, capsys, "run", scenario, "--out", out)
        assert code == 3
        assert f"{out}: cannot be written: " in said


def test_a_checkpoint_folder_without_write_permission_ends_with_a_sentence(run, unwritable):
    code, said = run("--checkpoint", unwritable)
    assert code == 2
    assert JobTexts.CHECKPOINT_NOT_PERMITTED().at(unwritable) in said
    code, said = run("--checkpoint", unwritable / "below")
    assert code == 3
    assert f"{unwritable / 'below'}: cannot be used: " in said


def test_without_java_there_is_a_sentence_and_no_output_folder(run, monkeypatch, tmp_path):
    monkeypatch.setattr("streaming.spark.java.USUAL_PLACES", ())
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    code, said = run()
    assert code == 3
    assert Says("spark.no-java") in said
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("through", ["PATH", "JAVA_HOME"])
def test_a_java_too_old_is_named(run, monkeypatch, tmp_path, through):
    java = tmp_path / "jdk" / "bin" / "java"
    java.parent.mkdir(parents=True)
    properties = (f"java.home = {tmp_path}/jdk", "java.version = 11.0.2", "java.specification.version = 11")
    java.write_text("#!/bin/sh\n" + "".join(f"echo '    {line}' >&2\n" for line in properties))
    java.chmod(0o755)
    monkeypatch.setattr("streaming.spark.java.USUAL_PLACES", ())
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv(through, str(java.parent if through == "PATH" else java.parent.parent))
    code, said = run()
    assert code == 3
    assert f"leads to Java 11.0.2 in {tmp_path}/jdk" in said
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("option", "value", "sentence"),
    [
        ("--tables", "", Says("job.at-least-one-expected", "--tables")),
        ("--tables", "attempt", Says("job.no-table", "--tables attempt", near="attempts")),
        ("--master", "foo", Says("spark.master-expected", "--master foo")),
        ("--master", "local[0]", Says("spark.master-expected", "--master local[0]")),
        ("--memory", "much", JobTexts.MEMORY_EXPECTED().at("--memory much")),
        ("--sink", "csv", "--sink csv: expected parquet, console"),
    ],
)
def test_an_option_that_means_nothing_is_refused(run, tmp_path, option, value, sentence):
    code, said = run(option, value)
    assert (code, sentence in said) == (2, True), said
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("argument", "sentence"),
    [
        ({"tables": ("attempt",)}, Says("job.no-table", "tables attempt", near="attempts")),
        ({"tables": ()}, Says("job.at-least-one-expected", "tables")),
        ({"sink": "csv"}, "sink csv: expected parquet, console"),
        ({"speed": -5}, Says("job.speed-expected", "speed -5")),
        ({"speed": float("nan")}, Says("job.speed-expected", "speed nan")),
        ({"max_events": 0}, Says("job.events-expected", "max_events 0")),
        ({"memory": "x"}, Says("job.memory-expected", "memory x")),
    ],
)
def test_python_is_checked_like_the_command_line(tmp_path, scenario, argument, sentence):
    with raises(InputError, sentence):
        streaming.run(scenario, tmp_path / "out", **argument)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("option", "url", "says"),
    [
        ("--out", "s3a://bucket/twin", "job.folder-is-a-url"),
        ("--checkpoint", "hdfs://host/twin", "output.shared-place-expected"),
    ],
)
def test_a_place_that_is_no_mounted_folder_is_refused(run, tmp_path, option, url, says, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, said = run(option, url)
    assert code == 2
    assert (Says(says) in said, f"{option} {url}: " in said) == (True, True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["small.yaml"]


def test_a_file_url_is_the_folder_that_it_names(tmp_path):
    assert folder_asked(f"file://{tmp_path}", "--out") == folder_asked(tmp_path, "--out") == tmp_path


def test_a_master_that_does_not_answer_is_reported_at_once(run, monkeypatch):
    monkeypatch.setattr("streaming.spark.session.found_session", lambda: None)  # that of other tests
    code, said = run("--master", "spark://127.0.0.1:1")
    assert code == 3
    assert Says("spark.no-master-answers", "spark://127.0.0.1:1") in said


def test_a_scenario_that_does_not_fit_the_machine_is_refused_before_it_is_compiled(run, tmp_path):
    code, said = run("--set", "producers.count=1000000", "--set", "producers.threads=64", "--set", "producers.rate=1/s")
    assert code == 3
    assert prints(said, JobTexts.PRODUCERS_DO_NOT_FIT, producers=1_000_000)
    assert not (tmp_path / "out").exists()


def test_a_fault_after_the_end_is_reported(monkeypatch, capsys, tmp_path):
    file = tmp_path / "late.yaml"
    file.write_text(text_of(faults=[fault("hang", "50s", "4s"), fault("hang", "1s", "100ms")]))
    _, said = ask(monkeypatch, capsys, "run", file, "--out", tmp_path / "out", "--master", "spark://127.0.0.1:1")
    assert said.count("never happens: ") == 1
    assert "at 50s, " in said


def test_parquet_of_a_state_goes_to_a_folder_that_is_there(monkeypatch, capsys, tmp_path):
    begin_run(tmp_path / "out", job_of())
    code, said = ask(monkeypatch, capsys, "state", tmp_path / "out", "--parquet", tmp_path / "no" / "x.parquet")
    assert (code, OutputTexts.NO_PARENT(folder=tmp_path / "no") in said) == (2, True)


def test_a_run_in_a_folder_where_one_may_not_look_ends_with_a_sentence(run, monkeypatch, tmp_path):
    def refused(self):
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr("pathlib.Path.exists", refused)
    code, said = run("--memory", "1g")
    assert (code, "Permission denied" in said) == (3, True)
