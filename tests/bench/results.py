"""results.json: the figures of one whole run, with machine, commit, dates and load; what a run has given so far."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import psutil

from tests.bench.measure import ROOT, machine

RESULTS = Path(__file__).with_name("results.json")
SO_FAR = ROOT / ".cache" / "bench.json"
QUIET_AT_MOST_PERCENT = 10.0  # of all cores, before a measure
LOOK_S = 3.0
CODE = ("simulator", "state", "streaming")  # what is measured


@dataclass(frozen=True)
class Run:
    """Where and when figures were taken.

    `busy_percent`: what other work took of all cores before each measure; `began`: when the run began, and when it was
    resumed; `dates`: when each measure was taken, where that is known.
    """

    machine: str
    commit: str
    date: str
    busy_percent: dict[str, float]
    began: tuple[str, ...] = ()
    dates: dict[str, str] = field(default_factory=dict)

    @property
    def busiest_percent(self) -> float:
        """The most that other work took before a measure."""
        return max(self.busy_percent.values(), default=0.0)

    def is_busy(self, measure: str) -> bool:
        """Whether other work took more before this measure than a quiet machine has."""
        return self.busy_percent.get(measure, 0.0) > QUIET_AT_MOST_PERCENT


class OtherRun(Exception):
    """There is no run to resume, or it is of another machine or other code."""


@dataclass
class SoFar:
    """What a run has given so far: lines, busy percent, seconds and date by measure. `code`: what was measured."""

    code: str = ""
    began: list[str] = field(default_factory=list)
    lines: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    busy_percent: dict[str, float] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    dates: dict[str, str] = field(default_factory=dict)

    @classmethod
    def begun(cls) -> SoFar:
        """A run from its start."""
        return cls(_code(), [now()])

    @classmethod
    def resumed(cls, path: Path = SO_FAR) -> SoFar:
        """The run that was interrupted, without what was measured beside other work. Raises OtherRun."""
        if not path.exists():
            raise OtherRun("no run was interrupted: start one without --resume")
        found = cls(**json.loads(path.read_text()))
        if found.code != _code():
            raise OtherRun("the interrupted run is of other code or another machine: start one without --resume")
        found.began.append(now())
        for measure in [name for name, busy in found.busy_percent.items() if busy > QUIET_AT_MOST_PERCENT]:
            for kept in (found.lines, found.busy_percent, found.seconds, found.dates):
                kept.pop(measure, None)
        return found

    def add(self, measure: str, lines: list[dict[str, Any]], busy: float, seconds: float) -> None:
        """Take what a measure gave."""
        self.lines[measure] = [{"measure": measure, **line} for line in lines]
        self.busy_percent[measure], self.seconds[measure] = round(busy, 1), round(seconds, 1)
        self.dates[measure] = now()

    def keep(self, path: Path = SO_FAR) -> None:
        """Store it, so that an interruption loses one measure at most."""
        path.parent.mkdir(parents=True, exist_ok=True)
        spare = path.with_suffix(".new")
        spare.write_text(json.dumps(asdict(self)))
        spare.replace(path)

    def run(self, order: Sequence[str]) -> Run:
        """The run as it is stored once it is whole. The commit ends in + where tracked files differ from it."""
        busy = {name: self.busy_percent[name] for name in order}
        dates = {name: self.dates[name] for name in order if name in self.dates}
        return Run(machine(), commit_now(), now(), busy, tuple(self.began), dates)

    def in_order(self, order: Sequence[str]) -> list[dict[str, Any]]:
        """The lines of the measures that were taken, in this order."""
        return [line for name in order for line in self.lines.get(name, [])]


def busy_percent() -> float:
    """Percent of all cores that other work takes now, over some seconds."""
    return float(psutil.cpu_percent(LOOK_S))


def now() -> str:
    """The date in words."""
    return f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"


def _git(*arguments: str) -> str:
    command = ["git", "-C", str(ROOT), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def commit_now() -> str:
    """The commit; it ends in + where tracked Python files differ from it."""
    return _git("rev-parse", "--short", "HEAD") + ("+" if _git("status", "--porcelain", "-uno", "--", "*.py") else "")


def _code() -> str:
    trees = _git("rev-parse", *(f"HEAD:{name}" for name in CODE)).split()
    changed = sha256(_git("diff", "HEAD", "--", *CODE).encode()).hexdigest()
    return " ".join([machine(), *trees, changed])


def store(run: Run, lines: Sequence[dict[str, Any]], path: Path = RESULTS) -> None:
    """Write the lines of a whole run in the place of the ones before."""
    path.write_text(json.dumps({"run": asdict(run), "measures": lines}, indent=1, ensure_ascii=False) + "\n")


def stored(path: Path = RESULTS) -> tuple[Run, list[dict[str, Any]]]:
    """The run that is stored, and its lines."""
    document = json.loads(path.read_text())
    return Run(**document["run"]), document["measures"]
