"""Progress is what the cells have counted, by run and cell, whichever tables are written."""

from __future__ import annotations

import dataclasses
import json

from streaming.flow.blocks import PROGRESS
from streaming.flow.run_spec import RunSpec
from streaming.jobs.claim import claimed
from streaming.jobs.folders.run_file import written_after
from streaming.jobs.job import Options
from streaming.jobs.live_line import figures
from streaming.jobs.progress import Progress
from streaming.jobs.run_job import where_it_begins
from streaming.operator.cell_progress import CellProgress
from tests.says import Says
from tests.streaming.asked import begin_run, job_of

SECOND = 1_000_000


RUN = job_of().run.spec.run


def text_of(run=RUN, cell=0, **fields):
    """A progress document as the operator writes it."""
    known = dict.fromkeys(CellProgress._fields, 0) | fields
    return PROGRESS, 1, json.dumps({"run": run, "cell": cell} | known).encode()


def two_runs(**options):
    run = job_of().run
    other = dataclasses.replace(run, spec=RunSpec("other", "scenario", ""), steps=2)
    return Progress((run, other), **options)


def test_counts_are_kept_by_run_and_cell():
    progress = two_runs()
    progress.add([text_of(sends=7, failures=1), text_of("other", sends=5, retries=2)])
    progress.add([text_of(sends=9, failures=1)])
    assert progress.counts() == {"sends": 14, "failures": 1, "retries": 2}
    assert progress.counts("other") == {"sends": 5, "failures": 0, "retries": 2}


def test_a_micro_batch_that_is_done_again_counts_once():
    progress = two_runs()
    for _ in range(2):
        progress.add([text_of(sends=7)])
    assert progress.total("sends") == 7


def test_rows_of_a_micro_batch_that_is_run_again_are_written_once():
    noted = None
    for batch, rows in ((0, {"sends": 5}), (1, {"sends": 7, "attempts": 9}), (1, {"sends": 6, "attempts": 8}), (2, {})):
        noted = written_after(noted, batch, rows)
    assert noted == {"batch": 2, "before": {"sends": 11, "attempts": 8}, "rows": {}}


def test_a_job_is_complete_when_the_last_cell_of_every_run_is():
    progress, steps = two_runs(), job_of().run.steps
    progress.add([text_of(next_window=steps)])
    assert not progress.is_complete
    progress.add([text_of("other", next_window=2)])
    assert progress.is_complete


def test_observers_are_reported_after_each_micro_batch():
    progress, seen = two_runs(), []
    progress.subscribe(lambda now: seen.append(now.total("sends")))
    progress.add([text_of(sends=3)])
    progress.add([text_of(sends=8)])
    assert seen == [3, 8]


def test_a_resumed_job_shows_its_totals_and_the_speed_since_then():
    progress = two_runs(resumed=True)
    progress.add([text_of(sends=1000, clock_us=5 * SECOND)])
    assert (progress.total("sends"), progress.sends_per_s(), progress.left_s(9 * SECOND)) == (1000, 0, None)
    progress.base_s -= 2  # two seconds later
    progress.add([text_of(sends=1600, clock_us=7 * SECOND)])
    assert round(progress.sends_per_s()) == 300
    assert round(progress.left_s(9 * SECOND)) == 2


def test_nothing_is_said_of_what_is_not_known_yet():
    assert figures(two_runs(), 9 * SECOND) == Says("job.no-decision-yet")


def test_a_job_that_goes_on_says_where_and_what_came_before(tmp_path):
    job = job_of(duration="5m")
    checkpoint = begin_run(tmp_path / "out", job)
    for log, text in (("offsets", 'v1\n{}\n{"step": 72}'), ("commits", "v1\n{}")):
        (checkpoint.spark / log).mkdir(parents=True)
        (checkpoint.spark / log / "0").write_text(text)
    (checkpoint.spark / "metadata").write_text('{"id": "7"}')
    note = tmp_path / "out" / "run.json"
    counts = {"sends": 1_234, "failures": 0, "retries": 7}
    note.write_text(json.dumps({**json.loads(note.read_text()), "counts": counts}))
    with claimed(job, Options(out=tmp_path / "out")) as claim:
        assert where_it_begins(claim) == "resuming at 1:12 of 5:00; so far 1,234 sends, 0 failures, 7 retries"


def test_a_job_that_begins_says_that_spark_starts(tmp_path):
    with claimed(job_of(), Options(out=tmp_path / "out")) as claim:
        assert where_it_begins(claim) == "starting Spark"
