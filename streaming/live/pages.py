"""The pages of `sendlab serve`: a list of jobs, and each job's report, kept up to date by scripts that ask again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from http import HTTPStatus
from pathlib import Path
from typing import Any

from streaming.errors import EnvironmentProblem, InputError
from streaming.live.job_states import JobState, jobs_in
from streaming.live.live_report import LiveReport
from streaming.page_frame.figure import figure_json
from streaming.page_frame.templates import rendered
from streaming.texts.flow_texts import PageServerTexts

HTML, JSON = "text/html; charset=utf-8", "application/json"
# Nothing of a page comes from elsewhere, and no other page may show it.
HEADERS = [
    ("Cache-Control", "no-store"),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "SAMEORIGIN"),
    ("Referrer-Policy", "no-referrer"),
]


class Pages:
    """A WSGI application that shows the jobs in some folders, and changes nothing."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = folders
        self._reports: dict[str, LiveReport] = {}

    def __call__(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        """Answer one request."""
        try:
            status, kind, text = self._answer(environ.get("PATH_INFO", "/"))
        except (InputError, EnvironmentProblem, OSError) as error:
            status, kind, text = HTTPStatus.SERVICE_UNAVAILABLE, HTML, _trouble(str(error))
        start(f"{status.value} {status.phrase}", [("Content-Type", kind), *HEADERS])
        return [text.encode()]

    def _answer(self, path: str) -> tuple[HTTPStatus, str, str]:
        if path == "/":
            return HTTPStatus.OK, HTML, _jobs()
        if path == "/jobs.json":
            return HTTPStatus.OK, JSON, json.dumps([job.document() for job in jobs_in(self._folders)])
        parts = path.split("/")
        if len(parts) == 4 and parts[1] == "jobs":
            job = next((job for job in jobs_in(self._folders) if job.id == parts[2]), None)
            if job is not None and parts[3] in ("", "state.json", "report.json"):
                return self._of_job(job, parts[3])
        return HTTPStatus.NOT_FOUND, HTML, _trouble(PageServerTexts.NO_SUCH_PAGE())

    def _of_job(self, job: JobState, what: str) -> tuple[HTTPStatus, str, str]:
        if job.why and what != "state.json":
            raise InputError(job.why)
        report = self._reports.setdefault(job.id, LiveReport(job.path))
        if what == "state.json":
            return HTTPStatus.OK, JSON, json.dumps(job.document())
        if what == "report.json":
            return HTTPStatus.OK, JSON, figure_json(report.document(job))
        return HTTPStatus.OK, HTML, report.page(job)


def _jobs() -> str:
    return rendered("live/jobs.html", title="Sendlab jobs", brand="Sendlab", heading="Jobs")


def _trouble(why: str) -> str:
    return rendered("live/trouble.html", why=why)
