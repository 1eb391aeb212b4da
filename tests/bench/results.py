"""results.json: the figures of one whole run, with machine, commit, date and load."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psutil

from tests.bench.measure import ROOT, Entry, machine

RESULTS = Path(__file__).with_name("results.json")
QUIET_AT_MOST_PERCENT = 10.0  # of all cores, before the first measure
LOOK_S = 3.0


@dataclass(frozen=True)
class Run:
    """Where and when figures were taken; `busy_percent`: what other work took of all cores before each measure."""

    machine: str
    commit: str
    date: str
    busy_percent: dict[str, float]

    @property
    def busiest_percent(self) -> float:
        """The most that other work took before a measure."""
        return max(self.busy_percent.values(), default=0.0)


def busy_percent() -> float:
    """Percent of all cores that other work takes now, over some seconds."""
    return float(psutil.cpu_percent(LOOK_S))


def this_run(busy: dict[str, float]) -> Run:
    """The run that ends now. `commit` ends in + where tracked files differ from it."""
    git = ["git", "-C", str(ROOT)]
    commit = subprocess.run([*git, "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True)
    changed = subprocess.run([*git, "diff", "--quiet", "HEAD", "--", "*.py"], check=False).returncode
    mark = "+" if changed else ""
    return Run(machine(), commit.stdout.strip() + mark, f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC", busy)


def store(run: Run, entries: Sequence[Entry], path: Path = RESULTS) -> None:
    """Write the figures of a whole run in the place of the ones before."""
    document = {"run": asdict(run), "measures": [entry.as_json() for entry in entries]}
    path.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n")


def stored(path: Path = RESULTS) -> tuple[Run, list[dict[str, Any]]]:
    """The run that is stored, and its lines."""
    document = json.loads(path.read_text())
    return Run(**document["run"]), document["measures"]
