"""Who may use a checkpoint folder, and when."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import threading
import zlib

import pytest

from streaming.errors import InputError
from streaming.files.json_file import write_json
from streaming.jobs.folders import checkpoint as checkpoints
from streaming.jobs.folders.checkpoint import Checkpoint, process_mark
from streaming.texts.spark_texts import SparkTexts
from tests.says import Said, Says, raises

LOCKER = """
import sys, time
from pathlib import Path
from streaming.jobs.folders.checkpoint import Checkpoint
with Checkpoint(Path(sys.argv[1])).owned():
    print("mine", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "ck").mkdir()
    return Checkpoint(tmp_path / "ck")


def enter(folder):
    with folder.owned():
        pass


@pytest.fixture
def jvm():
    """A process that stands for the JVM of a killed run; it lives longer than anybody looks at it."""
    process = subprocess.Popen(["sleep", "600"])
    yield process
    process.kill()
    process.wait()


def test_a_run_waits_until_the_jvm_of_a_killed_run_is_gone(folder, jvm, monkeypatch):
    monkeypatch.setattr(checkpoints, "JVM_PATIENCE_S", 100)
    folder.note_owner(jvm.pid)
    threading.Timer(0.5, jvm.terminate).start()
    with folder.owned():
        assert jvm.poll() == -15, "it had ended by then, and by itself"


def test_a_jvm_that_does_not_die_is_killed(folder, jvm, monkeypatch):
    monkeypatch.setattr(checkpoints, "JVM_PATIENCE_S", 0.1)
    folder.note_owner(jvm.pid)
    with folder.owned():
        assert jvm.wait() == -9


def test_a_process_that_got_the_number_of_a_dead_jvm_is_left_alone(folder, jvm, monkeypatch):
    monkeypatch.setattr(checkpoints, "JVM_PATIENCE_S", 0.1)  # and killed then, if it were taken for the JVM
    write_json(folder.folder / "owner.json", {"jvm": {"pid": jvm.pid, "start": "1"}})
    with folder.owned():
        assert jvm.poll() is None


def test_a_zombie_does_not_count_as_running():
    child = subprocess.Popen(["true"])
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert process_mark(child.pid)["start"] is None
    child.wait()


def test_two_processes_do_not_hold_a_folder_at_once(folder):
    other = subprocess.Popen([sys.executable, "-c", LOCKER, str(folder.folder)], stdout=subprocess.PIPE, text=True)
    try:
        assert other.stdout is not None
        assert other.stdout.readline() == "mine\n"
        with pytest.raises(InputError, match=rf"\(process {other.pid}\)") as caught:
            enter(folder)
        assert Says("job.checkpoint-in-use") in Said(caught.value)
    finally:
        other.kill()
        other.wait()
        other.stdout.close()
    enter(folder)


@pytest.mark.parametrize("content", ["", "{", '{"jvm": null}', '{"python": {"pid": 1}}'])
def test_a_damaged_owner_note_does_not_keep_a_run_from_starting(folder, content):
    (folder.folder / "owner.json").write_text(content)
    with folder.owned():
        assert str(os.getpid()) in (folder.folder / "owner.json").read_text()


def test_a_description_is_written_once_and_keeps_its_identity(folder):
    folder.begin({"seed": 1, "runs": []})
    first = folder.identity
    folder.begin({"seed": 2, "runs": []})
    assert folder.identity == first
    assert folder.manifest()["seed"] == 1


def test_the_offsets_of_the_last_committed_micro_batch_count(folder):
    for log, numbers in (("offsets", (8, 9, 10)), ("commits", (8, 9))):
        (folder.spark / log).mkdir(parents=True)
        for number in numbers:
            (folder.spark / log / str(number)).write_text(f'v1\n{{}}\n{{"step": {number * 5}}}\n{{"of": "another"}}')
            (folder.spark / log / f".{number}.crc").write_text("")
    assert folder.committed_offsets() == ['{"step": 45}', '{"of": "another"}']
    assert folder.batches("offsets") == [8, 9, 10]


def test_a_new_folder_has_no_committed_offsets(folder):
    assert (folder.committed_offsets(), folder.identity) == ([], None)


@pytest.fixture
def spark_files(folder):
    """The files of Spark's own checkpoint after ten micro-batches, of which it kept those from 3 on."""
    for log in ("offsets", "commits"):
        (folder.spark / log).mkdir(parents=True)
        for number in range(3, 10):
            (folder.spark / log / str(number)).write_text("v1\n{}")
            (folder.spark / log / f".{number}.crc").write_text("")
    (folder.spark / "commits" / ".2.crc").write_text("")  # its file is just being removed
    (folder.spark / "metadata").write_text('{"id": "x"}')
    return folder.spark


def test_a_whole_checkpoint_is_no_problem(folder, spark_files):
    folder.check_whole()


@pytest.mark.parametrize("content", [None, "", '{"id": "x', "{}", "[]"])
def test_damaged_metadata_are_refused(folder, spark_files, content):
    (spark_files / "metadata").unlink()
    if content is not None:
        (spark_files / "metadata").write_text(content)
    with pytest.raises(InputError) as refused:
        folder.check_whole()
    assert Says("job.checkpoint-damaged") in Said(refused.value)
    assert f"{spark_files / 'metadata'} is missing" in str(refused.value)


@pytest.mark.parametrize(("log", "number"), [("commits", 9), ("commits", 5), ("offsets", 8)])
def test_a_removed_file_of_a_log_is_named(folder, spark_files, log, number):
    (spark_files / log / str(number)).unlink()
    with raises(
        InputError,
        Says("job.checkpoint-damaged", problem=SparkTexts.FILE_MISSING(file=spark_files / log / str(number))),
    ):
        folder.check_whole()


def test_a_file_that_is_not_what_was_written_is_named(folder, spark_files):
    sums = struct.pack(">4siI", b"crc\0", 512, zlib.crc32(b"v1\n{}"))
    (spark_files / "commits" / ".9.crc").write_bytes(sums)
    folder.check_whole()
    (spark_files / "commits" / "9").write_bytes(b"v1\n{")
    problem = SparkTexts.FILE_CHANGED(file=spark_files / "commits" / "9")
    with raises(InputError, Says("job.checkpoint-damaged", problem=problem)):
        folder.check_whole()


def test_a_description_that_cannot_be_written_leaves_the_old_one_and_nothing_else(tmp_path, monkeypatch):
    write_json(tmp_path / "run.json", {"of": 1})
    monkeypatch.setattr("pathlib.Path.replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left")))
    with pytest.raises(OSError, match="No space left"):
        write_json(tmp_path / "run.json", {"of": 2})
    assert [path.name for path in tmp_path.iterdir()] == ["run.json"]
