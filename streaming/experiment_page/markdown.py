"""An experiment for a pull request: the verdict and the tables, as Markdown."""

from __future__ import annotations

from simulator.experiments.result import ExperimentResult
from streaming.experiment_page.text_tables import TextTable, changes, differences, search_steps, side_by_side
from streaming.own_version import sendlab_version


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")


def table_markdown(table: TextTable | None) -> list[str]:
    """The lines of a table; none of None."""
    if table is None:
        return []
    lines = [f"### {_escaped(table.title)}", "", f"| {' | '.join(map(_escaped, table.head))} |"]
    lines.append(f"|{'---|' * len(table.head)}")
    return [*lines, *(f"| {' | '.join(map(_escaped, row))} |" for row in table.rows), ""]


def markdown(result: ExperimentResult) -> str:
    """The whole text."""
    experiment, study = result.study.loaded.experiment, result.study
    runs = ", ".join(f"{arm}: {len(study.runs_of(arm))} runs" for arm in study.loaded.arms)
    lines = [f"## {experiment.name}", "", *(f"- {sentence}" for sentence in result.verdict), ""]
    lines += [line for note in result.notes for line in (note, "")]
    if result.interrupted:
        lines += ["**Not finished: this is what was known when it was stopped.**", ""]
    for table in (changes(result), search_steps(result), side_by_side(result), differences(result)):
        lines += table_markdown(table)
    said = f"{runs}; {experiment.confidence} % intervals; the same seeds for all arms; Sendlab {sendlab_version()}."
    text = study.loaded.text.rstrip()
    lines += [said, "", "<details><summary>Experiment</summary>", "", "```yaml", text, "```", "", "</details>", ""]
    return "\n".join(lines)
