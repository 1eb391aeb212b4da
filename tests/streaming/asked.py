"""The command line in this process, and runs that begin without Spark."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from simulator.scenario import parse_scenario
from streaming import cli
from streaming.jobs.claim import claimed
from streaming.jobs.folders.checkpoint import Checkpoint
from streaming.jobs.job import Job, Options
from streaming.jobs.scenario_job import scenario_job
from tests.says import Printed
from tests.simulator.small import text_of

NOBODY = 99_999_999  # no process has so high a number


def ask(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, Printed]:
    """Exit code and everything that a `sendlab` command prints, as one line."""
    monkeypatch.setattr(sys, "argv", ["sendlab", *map(str, arguments)])
    monkeypatch.setenv("COLUMNS", "2000")
    try:
        cli.main()
        code = 0
    except SystemExit as end:
        code = int(end.code or 0)
    said = capsys.readouterr()
    return code, Printed(" ".join((said.out + said.err).split()))


def job_of(**changes: object) -> Job:
    """The job of the small scenario with changes."""
    return scenario_job(parse_scenario(text_of(**changes)))


def begin_run(out: Path, job: Job, partitions: int = 1) -> Checkpoint:
    """What a run leaves that was killed right after it began."""
    with claimed(job, Options(out=out, partitions=partitions)) as claim:
        return claim.checkpoint


def picture_of(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Time and bytes of every file, to see that nothing was touched."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path): (path.stat().st_mtime_ns, path.read_bytes()) for path in files}
