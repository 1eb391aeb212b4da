"""What is printed of a job where no terminal shows it in place, until its first micro-batch has put out something."""

from __future__ import annotations

import io
from types import SimpleNamespace

import pytest
from rich.console import Console

from streaming.jobs import live_line
from streaming.jobs.live_line import LiveLine
from streaming.jobs.plain import plain_run
from streaming.jobs.progress import Progress
from streaming.runner.first_batch import doing
from streaming.runner.line_clock import LineClock
from streaming.texts.job_texts import JobTexts
from tests.streaming.asked import job_of
from tests.streaming.jobs.test_progress import SECOND, text_of
from tests.streaming.recorded_console import recorded

PLANS, RUNS = JobTexts.PLANNING_BATCH(), JobTexts.TASKS_RUN(done=0, tasks=2)


@pytest.fixture
def now_s(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(live_line, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(live_line, "LineClock", lambda at: LineClock(at, lambda: now[0]))
    return now


def shown(now_s, told, progress=None):
    """The lines printed where this is done second after second."""
    now_s[0] = 0.0

    def show(console):
        line = LiveLine(console, None, progress or Progress([job_of().run]))
        for now_s[0], line.doing in enumerate(told, 1):
            line.show()

    return recorded(show).splitlines()


def test_a_first_micro_batch_says_after_two_seconds_what_it_does(now_s):
    assert shown(now_s, [PLANS] * 30) == [JobTexts.FIRST_BATCH(seconds=3, doing=PLANS)]


def test_it_says_within_five_seconds_when_it_does_something_else(now_s):
    assert shown(now_s, [PLANS] * 6 + [RUNS] * 5) == [
        JobTexts.FIRST_BATCH(seconds=3, doing=PLANS),
        JobTexts.FIRST_BATCH(seconds=9, doing=RUNS),
    ]


def test_it_says_every_half_minute_that_it_still_does_so(now_s):
    assert len(shown(now_s, [RUNS] * 70)) == 3


def test_no_virtual_time_is_printed_before_there_is_one(now_s):
    progress = Progress([job_of().run])
    assert not any(JobTexts.VIRTUAL_TIME(at="") in line for line in shown(now_s, [None] * 40, progress))
    progress.add([text_of(clock_us=7 * SECOND)])
    assert shown(now_s, [None] * 40, progress)[0].startswith(JobTexts.VIRTUAL_TIME(at="0:07"))


@pytest.mark.parametrize(
    ("is_active", "tasks", "text"), [(False, 2, JobTexts.NO_DECISION_YET()), (True, 0, PLANS), (True, 2, RUNS)]
)
def test_what_a_query_does_is_what_spark_says(monkeypatch, is_active, tasks, text):
    stage = SimpleNamespace(numTasks=tasks, numCompletedTasks=0)
    tracker = SimpleNamespace(getActiveStageIds=lambda: [1] * bool(tasks), getStageInfo=lambda _: stage)
    session = SimpleNamespace(statusTracker=lambda: tracker)
    monkeypatch.setattr("pyspark.SparkContext.getOrCreate", lambda: session)
    assert doing(SimpleNamespace(status={"isTriggerActive": is_active})) == text


@pytest.mark.parametrize("was_compiled", [True, False])
def test_a_plain_run_that_compiles_first_says_so_before_it_begins(monkeypatch, tmp_path, was_compiled):
    monkeypatch.setattr("simulator.compiled.jit.WAS_COMPILED", was_compiled)
    monkeypatch.setattr(plain_run, "_write", lambda *_: None)
    lines = recorded(lambda console: plain_run.run_plain(job_of(), tmp_path / "out", console)).splitlines()
    assert lines == ([] if was_compiled else [JobTexts.COMPILES_FIRST()])


def test_what_it_waits_for_is_shown_until_there_is_progress():
    progress = Progress([job_of().run])
    line = LiveLine(Console(file=io.StringIO()), None, progress)
    line.wait(JobTexts.COMPILES_FIRST())
    assert line.figures() == JobTexts.COMPILES_FIRST()
