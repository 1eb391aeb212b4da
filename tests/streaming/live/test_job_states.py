"""A job runs as long as a process holds its folder; what it wrote last tells how it ended."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from streaming.jobs.folders.folder_lock import held, holder_of
from streaming.jobs.folders.run_file import RunFile
from streaming.live.job_states import jobs_in, state_of
from tests.streaming.report.fake_output import about, write_run

HOLDER = """
import sys, time
from pathlib import Path
from streaming.jobs.folders.folder_lock import held
with held(Path(sys.argv[1]), "busy"):
    print("held", flush=True)
    time.sleep(600)
"""


@pytest.fixture
def held_elsewhere(tmp_path, root):
    """Another process that holds the folder of an unfinished run."""
    folder = write_run(tmp_path / "job", finished=False)
    process = subprocess.Popen([sys.executable, "-c", HOLDER, folder], cwd=root, stdout=subprocess.PIPE)
    process.stdout.readline()
    yield folder, process
    process.kill()
    process.wait()


def test_a_job_whose_process_was_killed_is_shown_as_killed(held_elsewhere):
    folder, process = held_elsewhere
    assert (state_of(folder).state, holder_of(folder)) == ("running", process.pid)
    process.kill()
    process.wait()
    assert (state_of(folder).state, holder_of(folder)) == ("killed", None)


def test_looking_does_not_keep_a_run_from_beginning(held_elsewhere, tmp_path):
    folder = write_run(tmp_path / "other", finished=False)
    with held(folder, "busy"):
        assert state_of(folder).state == "running"
    assert state_of(folder).state == "killed"
    with held(folder, "busy"):
        pass


def test_a_job_that_was_asked_to_end_is_stopped_until_it_goes_on(tmp_path):
    folder = write_run(tmp_path / "job", finished=False)
    RunFile(folder, about(finished=False)).stop()
    assert state_of(folder).state == "stopped"
    with held(folder, "busy"):
        assert state_of(folder).state == "running"
    RunFile(folder, about(finished=False)).finish()
    assert state_of(folder).state == "finished"


def test_the_number_of_another_process_in_the_lock_does_not_make_a_job_run(tmp_path):
    folder = write_run(tmp_path / "job", finished=False)
    (folder / ".lock").write_text(str(os.getpid()))
    assert holder_of(folder) is None
    (folder / ".lock").write_text("no number")
    assert holder_of(folder) is None


def test_jobs_are_found_below_a_folder_the_running_ones_first(tmp_path):
    write_run(tmp_path / "a" / "done")
    running = write_run(tmp_path / "b", finished=False)
    write_run(tmp_path / "a" / "_checkpoint" / "hidden")
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "run.json").write_text('{"of": "another program"}')
    with held(running, "busy"):
        assert [job.path.name for job in jobs_in([tmp_path, tmp_path / "a"])] == ["b", "done"]


@pytest.mark.parametrize("text", ["", '{"sendlab": "0.1", "run": "main"}'])
def test_a_job_whose_note_is_damaged_is_shown_so_with_the_reason(tmp_path, text):
    note = write_run(tmp_path / "job") / "run.json"
    note.write_text(text)
    (job,) = jobs_in([tmp_path])
    assert (job.state, job.document()["why"].startswith(f"{note}: ")) == ("damaged", True)
