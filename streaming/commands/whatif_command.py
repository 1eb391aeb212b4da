"""`sendlab whatif`: run an experiment, say what came out, write the page."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from simulator.experiments.experiment_file import load_experiment
from simulator.experiments.result import ExperimentResult
from streaming.changes import overrides_of
from streaming.experiments.arms_table import arms_tables
from streaming.experiments.folder import ExperimentFolder
from streaming.experiments.runs_asked import RunsAsked
from streaming.results.whole_file import check_writable, write_text_whole


@dataclass(frozen=True)
class Reports:
    """Files for a pipeline, besides the page: JUnit's XML and a Markdown summary."""

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


def whatif_command(path: Path, seeds: int | None, asked: RunsAsked, reports: Reports = Reports()) -> int:
    """Run what is missing of an experiment and write its result; 0 if the objectives hold, 1 if not, 4: cannot tell.

    Raises ScenarioError, InputError and EnvironmentProblem, one sentence each, and Interrupted after Ctrl-C.
    """
    asked.check(path)
    reports.check()
    loaded = load_experiment(path, overrides_of(asked.changes), seeds)
    folder = ExperimentFolder(asked.folder(path.stem))
    result = asked.run(loaded, folder.path, fresh=asked.fresh)
    folder.write_result(result)
    written = write_page(result, folder, asked.page)
    reports.write(result)
    tell(result, asked.console)
    return asked.end(written, interrupted=result.interrupted, holds=result.holds)


def write_page(result: ExperimentResult, folder: ExperimentFolder, page: str) -> Path:
    """Write the page of a result into its folder."""
    from streaming.experiment_page.experiment_html import html
    from streaming.experiment_page.markdown import markdown

    made = html(result) if page == "html" else markdown(result)
    file = folder.path / ("report.html" if page == "html" else "report.md")
    write_text_whole(file, made)
    return file


def tell(result: ExperimentResult, console: Console) -> None:
    """Print the arms beside each other, and the verdict."""
    study = result.study
    console.print(study.loaded.experiment.name, style="bold", markup=False, highlight=False, soft_wrap=True)
    for table in arms_tables(study, console.width):
        console.print(table)
        console.print()
    for sentence in result.verdict:
        console.print(sentence, markup=False, highlight=False, soft_wrap=True)
