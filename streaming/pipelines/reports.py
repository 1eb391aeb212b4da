"""Files that a pipeline keeps of an experiment, besides its page."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from streaming.files.whole_file import check_writable, write_text_whole

if TYPE_CHECKING:
    from simulator.experiments.result import ExperimentResult


@dataclass(frozen=True)
class Reports:
    """JUnit's XML and a Markdown summary with its picture, where they were asked for."""

    junit: Path | None = None
    markdown: Path | None = None

    def check(self) -> None:
        """Raise InputError or EnvironmentProblem for a file that cannot be written."""
        from streaming.experiment_page.interval_svg import svg_beside

        picture = None if self.markdown is None else svg_beside(self.markdown)
        for file in (self.junit, self.markdown, picture):
            if file is not None:
                check_writable(file)

    def write(self, result: ExperimentResult) -> None:
        """Write those that were asked for."""
        if self.junit is not None:
            from streaming.pipelines.junit_file import junit

            write_text_whole(self.junit, junit(result))
        if self.markdown is not None:
            from streaming.experiment_page.markdown import write_markdown

            write_markdown(result, self.markdown)
