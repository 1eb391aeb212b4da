"""`sendlab whatif`: run an experiment, say what came out, write the page."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from simulator.experiments.experiment_file import load_experiment
from simulator.experiments.result import ExperimentResult
from streaming.experiments.arms_table import arms_tables
from streaming.experiments.folder import ExperimentFolder
from streaming.experiments.runs_asked import RunsAsked
from streaming.files.whole_file import write_text_whole
from streaming.options.changes import overrides_of
from streaming.page_frame.page_ahead import load_page_ahead
from streaming.pipelines.reports import Reports

PAGE = "streaming.experiment_page.experiment_html"
NO_REPORTS = Reports()


def whatif_command(path: Path, seeds: int | None, asked: RunsAsked, reports: Reports = NO_REPORTS) -> int:
    """Run what is missing of an experiment and write its result; 0 if the objectives hold, 1 if not, 4: cannot tell.

    Raises ScenarioError, InputError and EnvironmentProblem, one sentence each, and Interrupted after Ctrl-C.
    """
    asked.check(path)
    reports.check()
    loaded = load_experiment(path, overrides_of(asked.changes), seeds)
    folder = ExperimentFolder(asked.folder(path.stem))
    if asked.page == "html":
        load_page_ahead(PAGE)
    result = asked.run(loaded, folder.path, fresh=asked.fresh)
    folder.write_result(result)
    written = write_page(result, folder, asked.page)
    reports.write(result)
    tell(result, asked.console)
    return asked.end(written, interrupted=result.interrupted, holds=result.holds)


def write_page(result: ExperimentResult, folder: ExperimentFolder, page: str) -> Path:
    """Write the page of a result into its folder."""
    file = folder.path / ("report.html" if page == "html" else "report.md")
    if page == "html":
        from streaming.experiment_page.experiment_html import html

        write_text_whole(file, html(result))
    else:
        from streaming.experiment_page.markdown import write_markdown

        write_markdown(result, file)
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
