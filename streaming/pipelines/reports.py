"""Files that a pipeline keeps of an experiment, besides its page."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from simulator.experiments.result import ExperimentResult
from streaming.results.whole_file import check_writable, write_text_whole


@dataclass(frozen=True)
class Reports:
    """JUnit's XML and a Markdown summary, where they were asked for."""

    junit: Path | None = None
    markdown: Path | None = None

    def check(self) -> None:
        """Raise InputError or EnvironmentProblem for a file that cannot be written."""
        for file in (self.junit, self.markdown):
            if file is not None:
                check_writable(file)

    def write(self, result: ExperimentResult) -> None:
        """Write those that were asked for."""
        from streaming.experiment_page.markdown import markdown
        from streaming.pipelines.junit_file import junit

        for file, made in ((self.junit, junit), (self.markdown, markdown)):
            if file is not None:
                write_text_whole(file, made(result))
