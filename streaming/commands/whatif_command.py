"""`sendlab whatif`: run an experiment, say what came out, write the page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from simulator.experiments.experiment_file import load_experiment
from simulator.experiments.result import ExperimentResult
from simulator.experiments.words import plus_minus
from streaming.changes import overrides_of
from streaming.errors import InputError, Interrupted
from streaming.experiments.folder import ExperimentFolder
from streaming.experiments.run_experiment import run_experiment
from streaming.job.asked import folder_asked
from streaming.own_policies.settled import settle
from streaming.results.whole_file import write_text_whole
from streaming.spark.java import require_java
from streaming.spark.master import master_asked

FORMATS = ("html", "md")
SHOWN = ("failed_percent", "mean_ms", "p99_ms", "p999_ms", "attempts_per_message", "copies_per_message", "lost")


def whatif_command(
    path: Path, *, out: Path | None, seeds: int | None, changes: Sequence[str], master: str | None, page: str,
    fresh: bool, console: Console,
) -> int:  # fmt: skip
    """Run what is missing of an experiment and write its result; 0 if the objectives hold, 1 if not.

    Raises ScenarioError, InputError and EnvironmentProblem, one sentence each, and Interrupted after Ctrl-C.
    """
    if page not in FORMATS:
        raise InputError(f"--format {page}: expected one of {', '.join(FORMATS)}")
    settle(path, changes)
    loaded = load_experiment(path, overrides_of(changes), seeds)
    require_java()
    folder = ExperimentFolder(Path("out") / path.stem if out is None else folder_asked(out, "--out"))
    master = None if master is None else master_asked(master, "--master")
    result = run_experiment(loaded, folder.path, console, master=master, fresh=fresh)
    folder.write_result(result)
    written = write_page(result, folder, page)
    tell(result, console)
    console.print(f"page: {written}", highlight=False, soft_wrap=True)
    if result.interrupted:
        raise Interrupted("stopped between two rounds of runs; the same command goes on from here")
    return 0 if result.holds else 1


def write_page(result: ExperimentResult, folder: ExperimentFolder, page: str) -> Path:
    """Write the page of a result into its folder."""
    from streaming.experiment_page.experiment_html import html
    from streaming.experiment_page.markdown import markdown

    made = html(result) if page == "html" else markdown(result)
    file = folder.path / ("report.html" if page == "html" else "report.md")
    write_text_whole(file, made)
    return file


def tell(result: ExperimentResult, console: Console) -> None:
    """Print the table of arms and the verdict."""
    study = result.study
    arms = [arm for arm in study.all_arms() if study.runs_of(arm)]
    table = Table(
        title=study.loaded.experiment.name, title_justify="left", title_style="bold", box=None, padding=(0, 1)
    )
    table.add_column("measure", no_wrap=True)
    for arm in arms:
        table.add_column(f"{arm}\n{len(study.runs_of(arm))} runs", justify="right", overflow="fold")
    for measure in SHOWN:
        found = [study.interval(arm, measure) for arm in arms]
        if any(found):
            table.add_row(measure, *("-" if one is None else plus_minus(one, measure) for one in found))
    console.print(table)
    for sentence in result.verdict:
        console.print(sentence, markup=False, highlight=False, soft_wrap=True)
