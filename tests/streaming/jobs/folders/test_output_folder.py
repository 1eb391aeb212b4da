"""Who may write into an output folder, and what starting over removes."""

from __future__ import annotations

import json

import pytest

from streaming.errors import InputError
from streaming.jobs.claim import claimed
from streaming.jobs.folders.run_file import RunFile
from streaming.jobs.job import Options
from streaming.jobs.progress import Progress
from tests.says import Says, raises
from tests.streaming.asked import job_of, picture_of

RUN = f"run={job_of().run.spec.run}"


def begin(out, **options):
    with claimed(job_of(), Options(out=out, **options)):
        pass


@pytest.fixture
def written(tmp_path):
    """An output folder with a part of a table, and a file of the user's beside it."""
    begin(tmp_path / "out")
    folder = tmp_path / "out" / "sends" / RUN
    folder.mkdir(parents=True)
    for name in ("b00000000-p0000.parquet", ".part-b00000001-p0000-77", "mine.csv"):
        (folder / name).write_text("x")
    return tmp_path / "out"


def test_two_runs_with_checkpoints_of_their_own_do_not_share_an_output_folder(tmp_path):
    with claimed(job_of(), Options(out=tmp_path / "out", checkpoint=tmp_path / "one")):
        before = picture_of(tmp_path)
        with raises(InputError, Says("job.folder-in-use", str(tmp_path / "out"))):
            begin(tmp_path / "out", checkpoint=tmp_path / "two", fresh=True)
        assert picture_of(tmp_path) == before


@pytest.mark.parametrize(("sink", "counted"), [("parquet and kafka", {"sends": 5}), ("objects", None)])
def test_rows_are_counted_where_files_are_written(tmp_path, sink, counted):
    progress, file = Progress(job_of().runs), RunFile(tmp_path, {"run": job_of().run.spec.run, "sink": sink})
    progress.add([("sends", 5, b"")], 3)
    file.update(progress)
    assert file.content.get("written", {"rows": None})["rows"] == counted


def test_a_folder_is_free_once_its_run_has_ended(tmp_path):
    begin(tmp_path / "out")
    begin(tmp_path / "out")
    begin(tmp_path / "out", fresh=True)


def test_nothing_is_removed_without_fresh(written):
    before = set(picture_of(written))
    begin(written)
    assert set(picture_of(written)) == before - {str(written / "sends" / RUN / ".part-b00000001-p0000-77")}


def test_starting_over_removes_only_what_a_run_wrote(written):
    (written / "notes.txt").write_text("mine")
    (written / "_checkpoint" / "mine.txt").write_text("mine")
    begin(written, fresh=True)
    assert [file.name for file in (written / "sends" / RUN).iterdir()] == ["mine.csv"]
    assert (written / "notes.txt").read_text() == "mine"
    assert (written / "_checkpoint" / "mine.txt").read_text() == "mine"


def test_starting_over_leaves_another_programs_folder_alone(tmp_path):
    (tmp_path / "run.json").write_text(json.dumps({"name": "mine"}))
    before = picture_of(tmp_path)
    with raises(InputError, Says("job.note-of-others")):
        begin(tmp_path, fresh=True)
    assert picture_of(tmp_path) == before


def test_a_checkpoint_needs_a_folder_of_its_own(tmp_path):
    with raises(InputError, Says("job.output-is-the-checkpoint")):
        begin(tmp_path / "out", checkpoint=tmp_path / "out")


def test_a_run_that_was_killed_before_it_began_leaves_a_folder_that_can_be_used(tmp_path):
    checkpoint = tmp_path / "out" / "_checkpoint"
    checkpoint.mkdir(parents=True)
    (checkpoint / "owner.json").write_text("{}")
    (checkpoint / ".lock").write_text("1")
    begin(tmp_path / "out")


def test_a_damaged_file_of_a_micro_batch_that_is_done_is_named(written):
    commits = written / "_checkpoint" / "spark" / "commits"
    commits.mkdir(parents=True)
    begin(written)  # the micro-batch is not done: the file will be written again
    (commits / "0").write_text("v1\n{}")
    with raises(InputError, Says("job.output-damaged", f".../sends/{RUN}/b00000000-p0000.parquet")):
        begin(written)
