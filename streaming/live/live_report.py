"""The report of a job that still runs: made again when there is more, and when somebody looks."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from streaming.live.job_states import JobState

if TYPE_CHECKING:
    from streaming.report.collected.data import ReportData

EVERY_S = 3.0
# Reading all the tables costs in proportion to them: at most this part of one core goes into it.
PART_OF_TIME = 0.2
REACHED = ("clock_us", "duration_us", "forever", "counts")


@dataclass(frozen=True)
class Version:
    """One state of the report; number: that of the micro-batch and the state of the job that it shows."""

    number: str
    data: ReportData

    @property
    def reached(self) -> dict[str, Any]:
        """How far the run is that all its parts show."""
        about = self.data.output.about
        return {name: about.get(name) for name in REACHED}


class LiveReport:
    """The last report of a folder, made again as often as it may be."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = threading.Lock()
        self._made: Version | None = None
        self._not_before = 0.0

    def version(self, job: JobState) -> Version:
        """The report as it is to be shown now. Raises InputError if the folder cannot be read."""
        from streaming.report.collected.data import collect

        wanted = f"{job.about['clock_us']}-{job.state}"
        with self._lock:
            is_due = time.monotonic() >= self._not_before or job.about["finished"]
            if self._made is None or (self._made.number != wanted and is_due):
                began = time.monotonic()
                data = collect(self.folder)  # the job may have got further since `job` was read
                self._made = Version(f"{data.output.about['clock_us']}-{job.state}", data)
                took_s = time.monotonic() - began
                self._not_before = time.monotonic() + max(EVERY_S, took_s / PART_OF_TIME)
            return self._made

    def document(self, job: JobState) -> dict[str, Any]:
        """Its parts and pictures, for a page that is open."""
        from streaming.report.page import update_of

        version = self.version(job)
        return {"version": version.number, "reached": version.reached, **update_of(version.data)}

    def page(self, job: JobState) -> str:
        """The whole page."""
        from streaming.report.page import build

        return build(self.version(job).data, "live/live.html")
