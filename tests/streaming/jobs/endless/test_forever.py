"""A job without an end: its pace is the wall clock's, its scenario goes on as it stands."""

from __future__ import annotations

import json
from unittest.mock import Mock

import pytest

from streaming.errors import EnvironmentProblem, InputError
from streaming.flow.step_source import SendlabReader
from streaming.jobs.endless import forever
from streaming.jobs.endless.forever import Housekeeping, check_endless, due_since_s
from streaming.jobs.folders.checkpoint import Checkpoint
from streaming.jobs.folders.run_file import RunFile
from streaming.jobs.progress import Progress
from streaming.live.job_metrics import JobMetrics
from streaming.live.query_watch import QueryWatch
from streaming.operator.cell_progress import CellProgress
from streaming.outputs.dataset import open_output
from tests.says import Says, raises
from tests.simulator.small import fault, scenario_of, text_of
from tests.streaming.asked import ask
from tests.streaming.flow.test_step_source import SPEC, runs
from tests.streaming.report.fake_output import about, write_run, write_table


def housekeeping(out, keep_us, tell=print, before=lambda: None, every=1):
    return Housekeeping(RunFile(out, {}), keep_us, tell, before, every)


@pytest.fixture
def checkpoint(tmp_path, monkeypatch):
    """A checkpoint folder, at 1,000 s of the wall clock."""
    monkeypatch.setattr(forever.time, "time", lambda: 1000.0)
    return Checkpoint(tmp_path)


def test_time_that_passes_without_the_job_is_made_up_for(checkpoint, monkeypatch):
    assert due_since_s(checkpoint, 2.0, 0) == 1000
    monkeypatch.setattr(forever.time, "time", lambda: 4600.0)
    assert due_since_s(checkpoint, 2.0, 60_000_000) == 1000


def test_with_another_pace_it_goes_on_from_where_it_is(checkpoint):
    due_since_s(checkpoint, 1.0, 0)
    assert due_since_s(checkpoint, 4.0, 60_000_000) == 1000 - 15
    assert json.loads((checkpoint.folder / "pace.json").read_text())["speed"] == 4.0


def test_windows_become_due_as_the_source_is_asked(checkpoint, monkeypatch):
    monkeypatch.setattr(forever.time, "time", lambda: 1000.7)
    assert due_since_s(checkpoint, 1.0, 5_000_000) == 995


def test_a_new_run_begins_a_new_clock(checkpoint):
    due_since_s(checkpoint, 1.0, 0)
    checkpoint.clear()
    assert not (checkpoint.folder / "pace.json").exists()


@pytest.mark.parametrize(("now_s", "step"), [(999.0, 4), (1006.0, 6), (1020.5, 14)])
def test_the_source_gives_what_is_due_a_bounded_number_of_steps_at_a_time(monkeypatch, now_s, step):
    monkeypatch.setattr("streaming.flow.step_source.time.time", lambda: now_s)
    options = {"runs": runs(SPEC), "speed": "1", "duesince": "1000.0", "maxevents": "1000"}
    some = SendlabReader(options)
    assert some.latestOffset({"step": 4}, some.getDefaultReadLimit()) == {"step": step}


def test_a_fault_that_comes_back_too_often_to_be_planned_is_refused():
    check_endless(scenario_of(duration="3650d", faults=[fault("hang", "1m", "10s", every="5d")]))
    with raises(InputError, Says("job.comes-back-too-often")):
        check_endless(scenario_of(duration="3650d", faults=[fault("hang", "1m", "10s", every="1h")]))


def test_tables_are_compacted_between_micro_batches_and_what_is_too_old_is_removed(tmp_path):
    out = write_run(tmp_path / "out", finished=False)
    keeping, progress = housekeeping(out, 5_000_000, every=4), Progress(())
    for block in range(8):
        write_table(out, "attempts", {"broker": "broker-a", "send_seq": [block], "end_us": block * 2_000_000}, block)
        progress.cells["main", 0] = CellProgress(block * 2_000_000, block, 0, 0, 0, 0, 0, 0, 0)
        keeping(progress)
    files = sorted(path.name for path in (out / "attempts" / "run=main").iterdir())
    kept = [
        row["send_seq"] for batch in open_output(out).batches("attempts", ["send_seq"]) for row in batch.to_pylist()
    ]
    assert (files, kept) == (["b00000005-p0000.parquet", "b00000007-p0000.parquet"], [5, 6, 7])


def test_attempts_that_no_scrape_has_read_are_counted_though_their_files_are_merged(tmp_path):
    out = write_run(tmp_path / "out", finished=False)
    metrics, progress = JobMetrics(out, about(), QueryWatch(), 1.0), Progress(())
    keeping = housekeeping(out, 0, before=metrics.catch_up, every=4)
    for block in range(6):
        write_table(out, "attempts", {"broker": "broker-a", "outcome": ["SEND_OK"], "end_us": block}, block)
        keeping(progress)
        if block == 0:
            list(metrics.collect())
    found = {family.name: family.samples for family in metrics.collect()}
    assert found["sendlab_attempts"][0].value == 6
    assert found["sendlab_broker_share_ratio"][0].value == 1


def test_a_file_system_that_cannot_compact_is_reported_once(tmp_path, monkeypatch):
    monkeypatch.setattr("streaming.outputs.compaction.exchange", Mock(side_effect=EnvironmentProblem("no exchange")))
    found, out = [], write_run(tmp_path / "out", finished=False)
    keeping, progress = housekeeping(out, 1, found.append), Progress(())
    for block in range(4):
        write_table(out, "attempts", {"broker": "broker-a", "send_seq": [block], "end_us": block * 2_000_000}, block)
        progress.cells["main", 0] = CellProgress(block * 2_000_000, block, 0, 0, 0, 0, 0, 0, 0)
        keeping(progress)
    assert found == [Says("job.not-merged", problem="no exchange")]
    assert not open_output(out).has_old_rows_removed


def test_a_damaged_file_is_reported_once_and_the_job_goes_on(tmp_path):
    found, out = [], write_run(tmp_path / "out", finished=False)
    keeping = housekeeping(out, 0, found.append)
    for block in range(3):
        write_table(out, "attempts", {"broker": "broker-a", "send_seq": [block]}, block)
    (out / "attempts" / "run=main" / "b00000001-p0000.parquet").write_bytes(b"PAR1")
    keeping(Progress(()))
    keeping(Progress(()))
    assert found == [Says("job.not-merged")]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--forever", "--for", "1h"), Says("command.forever-and-for")),
        (("--forever", "--engine", "plain"), Says("command.streaming-job-alone", option="--forever")),
        (("--keep", "7d"), Says("command.keep-without-forever")),
        (("--forever", "--keep", "soon"), Says("unit.expected", "--keep", example="3s")),
        (("--restarts", "3", "--engine", "plain"), Says("command.streaming-job-alone", option="--restarts")),
        (("--metrics-port", "9464", "--engine", "plain"), Says("command.streaming-job-alone")),
    ],
)
def test_what_does_not_go_together_is_refused(monkeypatch, capsys, tmp_path, more, said):
    file = tmp_path / "small.yaml"
    file.write_text(text_of())
    code, words = ask(monkeypatch, capsys, "run", file, "--out", tmp_path / "out", *more)
    assert (code, said in words) == (2, True), words
