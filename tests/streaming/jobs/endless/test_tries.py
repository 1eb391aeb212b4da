"""What fails begins again, later and later, as often in a row as it may."""

from __future__ import annotations

from unittest.mock import Mock

import pytest

from streaming.errors import EnvironmentProblem
from streaming.jobs import run_job
from streaming.jobs.endless.tries import Tries
from streaming.jobs.job import Options
from streaming.runner.stop_signals import StopSignals
from tests.streaming.recorded_console import recorded


def test_each_failure_in_a_row_waits_twice_as_long_up_to_a_minute():
    tries = Tries(9)
    assert [tries.wait_s(5) for _ in range(9)] == [1, 2, 4, 8, 16, 32, 60, 60, 60]
    assert (tries.of_most, tries.wait_s(5)) == ("9 of 9", None)


def test_what_ran_well_for_long_counts_from_one_again():
    tries = Tries(2)
    assert [tries.wait_s(5), tries.wait_s(5), tries.wait_s(3600), tries.wait_s(5)] == [1, 2, 1, 2]


def test_nothing_begins_again_unless_asked_for():
    assert Tries(0).wait_s(5) is None


def test_a_session_that_fails_is_begun_again_and_everybody_is_reported(monkeypatch, tmp_path):
    ends = [EnvironmentProblem("the first end"), EnvironmentProblem("the JVM ended"), None]

    def session(*_):
        end = ends.pop(0)
        if end is not None:
            raise end

    monkeypatch.setattr(run_job, "_run_session", session)
    monkeypatch.setattr(run_job, "Tries", lambda most: Mock(wait_s=lambda _: 0, of_most=f"1 of {most}"))
    claim, onlooker = Mock(options=Options(tmp_path, restarts=5)), Mock()
    asked = run_job._Asked(StopSignals(), Mock())
    said = recorded(lambda console: run_job._run_again_and_again(claim, asked, console, [onlooker]))
    assert (ends, onlooker.again.call_count) == ([], 2)
    assert "the first end" in said
    assert "restarting in 0 s (1 of 5)" in said


def test_nothing_begins_again_once_it_was_asked_to_end(monkeypatch, tmp_path):
    monkeypatch.setattr(run_job, "_run_session", Mock(side_effect=EnvironmentProblem("the JVM ended")))
    stop = StopSignals()
    stop.asked.set()
    asked = run_job._Asked(stop, Mock())
    with pytest.raises(EnvironmentProblem, match="the JVM ended"):
        recorded(lambda console: run_job._run_again_and_again(Mock(options=Options(tmp_path)), asked, console, []))
