"""The HTML page of an experiment: the verdict in words, then pictures and tables. Every name in it is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

from simulator.experiments.result import ExperimentResult
from simulator.experiments.words import some
from streaming.experiment_page.consumer_pictures import consumer_pictures, lag_titles
from streaming.experiment_page.pictures import OVERLAID, pictures
from streaming.experiment_page.text_tables import (
    TextTable,
    changes,
    differences,
    meanings,
    runs,
    search_steps,
    side_by_side,
)
from streaming.files.whole_file import check_writable, make_folder_of, write_text_whole
from streaming.page_frame.colours import COLOURS
from streaming.page_frame.frame import STILL, Page, framed
from streaming.page_frame.html_tables import sentence, text_table

STYLE = (files("streaming.experiment_page") / "page.css").read_text("utf-8")


def write_experiment(result: ExperimentResult, path: str | Path) -> Path:
    """Write the page of a result to a file; returns its path. Raises EnvironmentProblem if it cannot be written."""
    file = Path(path)
    make_folder_of(file)
    check_writable(file)
    write_text_whole(file, html(result))
    return file


def html(result: ExperimentResult) -> str:
    """The whole page as text."""
    made, name = pictures(result) | consumer_pictures(result), result.study.loaded.experiment.name
    return framed(
        Page(
            title=f"{name} - Sendlab",
            brand="Sendlab experiment",
            heading=name,
            story=_story(result),
            main=main_part(
                bullets(result.verdict), _charts(result, made), _tables(result), _runs(result), sources=_sources(result)
            ),
            footer=_footer(result),
            script=STILL,
            pictures=made,
            has_plotly=bool(made),
            style=STYLE,
        )
    )


def main_part(verdict: str, *parts: str, sources: str) -> str:
    """The verdict first, what it was made of last."""
    first = f'<section class="card verdict" aria-labelledby="verdict"><h2 id="verdict">Verdict</h2>{verdict}</section>'
    last = f'<details class="card"><summary><h2>Experiment and scenarios</h2></summary>{sources}</details>'
    return "\n".join((first, *parts, last))


def bullets(lines: Iterable[str]) -> str:
    """A list of sentences."""
    return "<ul>" + "".join(f"<li>{sentence(one)}</li>" for one in lines) + "</ul>"


def _story(result: ExperimentResult) -> str:
    experiment, study = result.study.loaded.experiment, result.study
    counts = {len(study.runs_of(arm)) for arm in study.loaded.arms}
    each = some(counts.pop(), "run") if len(counts) == 1 else f"{min(counts)} to {max(counts)} runs"
    text = f"{some(len(study.loaded.arms), 'arm')}, {each} each, all with the same seeds: arrivals and service times "
    text += f"are shared, so differences are paired. Intervals hold with {experiment.confidence} % confidence. "
    cut = (
        f"The first {experiment.warm_up_us / 1e6:g} s are cut as warm-up"
        if experiment.warm_up_us
        else "No warm-up is cut"
    )
    text = f"<p>{sentence(f'{text}{cut}; in-flight messages are drained at the end.')}</p>"
    if result.interrupted:
        text += '<p class="warn">Not finished: this is what was known when it was stopped.</p>'
    if experiment.description:
        text += f'<p class="note">{escape(experiment.description)}</p>'
    text += "".join(f'<p class="note">{escape(one)}</p>' for one in result.notes)
    return text


def figure_card(name: str, title: str, note: str = "", extra: str = "") -> str:
    """The place of a picture, with its title."""
    about = f'<p class="note">{escape(note)}</p>' if note else ""
    place = f'<div class="figure waiting" data-figure="{name}" role="img" aria-label="{escape(title)}"></div>'
    return f'<section class="card"><h2>{escape(title)}</h2>{about}{place}{extra}</section>'


def _legend(result: ExperimentResult) -> str:
    arms = result.study.shown_arms()[:OVERLAID]
    keys = (f'<span><i style="border-color:{COLOURS[n]}"></i>{escape(arm)}</span>' for n, arm in enumerate(arms))
    return f'<p class="arms">{"".join(keys)}</p>'


def _charts(result: ExperimentResult, made: Mapping[str, Any]) -> str:
    legend = _legend(result)
    parts = []
    if "search" in made:
        note = "Numbered in order; green holds, red does not, orange is undecided. The dashed line is the bound."
        parts.append(figure_card("search", "The search", note))
    beside = [figure_card(name, name.removeprefix("of_")) for name in made if name.startswith("of_")]
    if beside:
        parts.append(f'<div class="charts">{"".join(beside)}</div>')
    titles = lag_titles(result) | {
        "failed": ("Failed messages over time", "Mean of the runs. Grey bands are the faults."),
        "p99": (
            "p99 over time",
            "Of the messages that ended in each stretch, mean of the runs. Grey bands are the faults.",
        ),
        "latency": ("Latency", "All runs of an arm together; dots mark p50, p99 and p99.9."),
    }
    parts += [figure_card(name, *about, extra=legend) for name, about in titles.items() if name in made]
    arms = result.study.shown_arms()[:OVERLAID]
    heats = []
    for number, arm in enumerate(arms):
        for kind, title in (("load", "Load of each queue"), ("avoided", "Isolated brokers")):
            if f"{kind}_{number}" in made:
                heats.append(figure_card(f"{kind}_{number}", f"{title}: {arm}"))
    if heats:
        parts.append(f'<div class="charts">{"".join(heats)}</div>')
    return "".join(parts)


def table_html(table: TextTable, name: str) -> str:
    """A table that scrolls by itself; `name` is its id."""
    return text_table(table.title, table.head, table.rows, name)


def _tables(result: ExperimentResult) -> str:
    parts = []
    for number, table in enumerate((changes(result), search_steps(result), side_by_side(result), differences(result))):
        if table is not None:
            copy = f'<button class="copy" type="button" data-copy="table-{number}">Copy</button>'
            title = f"<h2>{escape(table.title)}</h2>"
            parts.append(f'<section class="card">{copy}{title}{table_html(table, f"table-{number}")}</section>')
    return "".join(parts)


def _runs(result: ExperimentResult) -> str:
    inner = "".join(
        f"<h3>{escape(table.title)}</h3>{table_html(table, f'runs-{number}')}"
        for number, table in enumerate(runs(result))
    )
    means = table_html(meanings(result), "meanings")
    text = (
        '<p class="note">Every number above is made of these runs; all measures of each are in runs/, as Parquet.</p>'
    )
    return (
        f'<details class="card"><summary><h2>The runs</h2></summary>{text}{inner}</details>'
        f'<details class="card"><summary><h2>What is measured</h2></summary>{means}</details>'
    )


def code(title: str, text: str) -> str:
    """A titled text as it is."""
    return f'<h3>{escape(title)}</h3><pre tabindex="0"><code>{escape(text)}</code></pre>'


def _sources(result: ExperimentResult) -> str:
    study = result.study
    arms = "".join(code(f"Scenario of {arm}", scenario.to_yaml()) for arm, scenario in study.loaded.arms.items())
    return code("Experiment", study.loaded.text) + arms


def _footer(result: ExperimentResult) -> str:
    runs_done = sum(len(runs) for runs in result.study.values.values())
    text = f"{some(runs_done, 'run')}. "
    return sentence(f"{text}Percentiles are off by less than 1 %. Times are virtual.")
