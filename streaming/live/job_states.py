"""The jobs in folders: which there are, and whether each runs, is finished, was stopped or was killed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from streaming.errors import InputError
from streaming.jobs.folders.folder_lock import holder_of
from streaming.live.group_lags import group_lags
from streaming.outputs.dataset import DamagedOutput, has_tables, open_output

RUNNING, FINISHED, STOPPED, KILLED, DAMAGED = "running", "finished", "stopped", "killed", "damaged"
NOTE = "run.json"
DEPTH = 3  # of folders below one that is given
ABOUT = (
    "run", "scenario_name", "release", "strategy", "seed", "duration_us", "forever", "clock_us", "wall_s", "events",
    "counts",
)  # fmt: skip


@dataclass(frozen=True)
class JobState:
    """A job as its output folder tells. id: names it as long as the folder stays where it is.

    why: in words, if it is damaged; then there is nothing about it.
    """

    id: str
    path: Path
    state: str
    about: dict[str, Any]
    reported_s: float  # when it last said how far it is: seconds of the wall clock since 1970
    why: str = ""

    def document(self) -> dict[str, Any]:
        """What pages show of it."""
        about = {name: self.about.get(name) for name in ABOUT}
        own = {
            "id": self.id,
            "path": str(self.path),
            "state": self.state,
            "reported_s": self.reported_s,
            "why": self.why,
        }
        lags = group_lags(self.path, str(self.about["run"])) if self.state == RUNNING else None
        return own | about | {"lags": lags}


def _notes(folder: Path, depth: int) -> Iterator[Path]:
    if (folder / NOTE).is_file() or has_tables(folder):
        yield folder / NOTE
    elif depth and os.access(folder, os.R_OK | os.X_OK):
        for below in sorted(folder.iterdir()):
            if below.is_dir() and not below.name.startswith(("_", ".")):
                yield from _notes(below, depth - 1)


def state_of(folder: Path) -> JobState:
    """The job of an output folder. Raises InputError if it is none."""
    name = blake2b(str(folder.resolve()).encode(), digest_size=6).hexdigest()
    # Who holds it first: a job that ends meanwhile has then written that it did.
    is_held = holder_of(folder) is not None
    note = folder / NOTE
    reported_s = (note if note.exists() else folder).stat().st_mtime
    try:
        about = open_output(folder).about
    except DamagedOutput as damage:
        return JobState(name, folder, DAMAGED, {}, reported_s, str(damage))
    if about["finished"]:
        state = FINISHED
    elif is_held:
        state = RUNNING
    else:
        state = STOPPED if about.get("stopped") else KILLED
    return JobState(name, folder, state, about, reported_s)


def jobs_in(folders: Iterable[Path]) -> list[JobState]:
    """Every job in the folders or below them, the last that said something first; what is no job is left out."""
    found: dict[str, JobState] = {}
    for folder in folders:
        for note in _notes(folder, DEPTH):
            try:
                job = state_of(note.parent)
            except (InputError, OSError):
                continue
            found[job.id] = job
    return sorted(found.values(), key=lambda job: (job.state != RUNNING, -job.reported_s))
