"""An experiment for a pull request: the verdict and the tables, as Markdown."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

from simulator.experiments.result import ExperimentResult
from streaming.experiment_page.experiment_page_texts import ExperimentPageTexts
from streaming.experiment_page.interval_svg import intervals_svg, pictured_measures, svg_beside
from streaming.experiment_page.text_tables import changes, differences, search_steps, side_by_side
from streaming.files.whole_file import write_text_whole
from streaming.installation.own_version import sendlab_version
from streaming.page_frame.text_table import TextTable


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")


def _alt(text: str) -> str:
    return text.replace("[", "(").replace("]", ")")


def table_markdown(table: TextTable | None) -> list[str]:
    """The lines of a table; none of None."""
    if table is None:
        return []
    lines = [f"### {_escaped(table.title)}", "", f"| {' | '.join(map(_escaped, table.head))} |"]
    lines.append(f"|{'---|' * len(table.head)}")
    return [*lines, *(f"| {' | '.join(map(_escaped, row))} |" for row in table.rows), ""]


def write_markdown(result: ExperimentResult, file: Path) -> None:
    """Write the text, and beside it the picture that it shows. Raises EnvironmentProblem."""
    drawn, beside = intervals_svg(result), svg_beside(file)
    if drawn is not None:
        write_text_whole(beside, drawn)
    write_text_whole(file, markdown(result, None if drawn is None else beside.name))


def markdown(result: ExperimentResult, picture: str | None = None) -> str:
    """The whole text; `picture`: the file that it shows, as seen from its own."""
    experiment, study = result.study.loaded.experiment, result.study
    of_arm = ExperimentPageTexts.RUNS_OF_ARM
    runs = ", ".join(of_arm(arm=arm, runs=len(study.runs_of(arm))) for arm in study.loaded.arms)
    lines = [f"## {experiment.name}", "", *(f"- {sentence}" for sentence in result.verdict), ""]
    lines += [line for note in result.notes for line in (note, "")]
    if result.interrupted:
        lines += [ExperimentPageTexts.NOT_FINISHED(), ""]
    if picture is not None:
        named = f"Intervals of {' and '.join(pictured_measures(result))} by arm"
        lines += [f"![{_alt(named)}]({quote(picture)})", ""]
    for table in (changes(result), search_steps(result), side_by_side(result), differences(result)):
        lines += table_markdown(table)
    said = ExperimentPageTexts.MADE_OF(runs=runs, confidence=experiment.confidence, version=sendlab_version())
    text = study.loaded.text.rstrip()
    lines += [said, "", "<details><summary>Experiment</summary>", "", "```yaml", text, "```", "", "</details>", ""]
    return "\n".join(lines)
