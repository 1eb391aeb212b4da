"""Ctrl-C in a run of the plain engine keeps what is simulated, and the report says that it is half a run."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest

from streaming.jobs.plain.plain_run import stopped_at
from streaming.live.job_states import STOPPED, state_of
from streaming.report import write_report
from streaming.texts.job_texts import JobTexts
from tests.house.tree import ROOT
from tests.says import Says, prints

LONG = ["--engine", "plain", "--set", "duration=4h", "--tables", "sends,windows,consumer_windows,stored"]


def interrupted(out):
    """Start four virtual hours, interrupt them once they have windows, and wait for the end."""
    code = "from streaming.entry import main; main()"
    command = [sys.executable, "-c", code, "run", "conf/scenarios/quickstart.yaml", "--out", str(out), *LONG]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    until = time.monotonic() + 120
    while time.monotonic() < until and not list(out.glob("windows/**/*")):
        time.sleep(0.2)
    time.sleep(1.5)
    os.kill(process.pid, signal.SIGINT)
    found, _ = process.communicate(timeout=120)
    return process.returncode, found


def test_what_is_simulated_is_kept_and_the_report_says_that_it_is_half_a_run(tmp_path):
    code, printed = interrupted(tmp_path / "out")
    assert code == 130, printed
    assert prints(printed, JobTexts.PLAIN_STOPPED, out=tmp_path / "out")
    note = json.loads((tmp_path / "out" / "run.json").read_text())
    assert not note["finished"]
    assert note["stopped"], "one that was killed never says so"
    assert state_of(tmp_path / "out").state == STOPPED
    assert 0 < note["clock_us"] < note["duration_us"]
    windows = pd.read_parquet(tmp_path / "out" / "windows")
    assert note["clock_us"] - windows["window_start_us"].max() <= 2_000_000
    text = write_report(tmp_path / "out", format="md").read_text()
    assert "not finished" in text


@pytest.mark.parametrize(
    ("clock_us", "expected"),
    [
        (0, Says("job.plain-not-begun", out="out")),
        (61_000_000, Says("job.plain-stopped", reached="1:01", duration="5:00")),
        (534_000_000, Says("job.plain-stopped", reached="5:00", duration="5:00")),  # the rest was under way
    ],
)
def test_a_stopped_run_says_how_far_it_came_and_never_beyond_its_end(clock_us, expected):
    assert stopped_at(clock_us, 300_000_000, Path("out")) == expected
