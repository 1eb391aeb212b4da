"""The page of an advice, HTML or Markdown: the verdict, the few with figures, why, costs and Java, then all."""

from __future__ import annotations

import json
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template

from simulator.advice.advice import UNKNOWN, Advice, Pick, told
from simulator.advice.candidates import AS_IT_IS
from simulator.advice.standing import CRITERIA
from simulator.experiments.words import listed, some
from streaming.advice.advice_picture import choices
from streaming.experiment_page.experiment_html import code, figure_card, table_html
from streaming.experiment_page.markdown import table_markdown
from streaming.experiment_page.text_tables import TextTable
from streaming.job.scenario_job import sendlab_version
from streaming.results.plotly_text import packed_plotly

HELD = {True: "hold", False: "missed", None: "cannot be told"}


def write_advice(advice: Advice, folder: Path, page: str) -> Path:
    """Write the page of an advice into its folder; `page` is html or md."""
    made = html(advice) if page == "html" else markdown(advice)
    file = folder / ("advice.html" if page == "html" else "advice.md")
    spare = file.with_name(f".{file.name}.part")
    spare.write_text(made, encoding="utf-8")
    spare.replace(file)
    return file


def situations_of(advice: Advice, name: str) -> TextTable:
    """A setting beside the client as it is, situation by situation."""
    standing, rows = advice.standing, []
    for situation in standing.trial.situations:
        cells = []
        for criterion in CRITERIA:
            ours, theirs = (
                told(standing.figure(one, criterion, situation.name), criterion) for one in (name, AS_IT_IS)
            )
            cells.append(ours if name == AS_IT_IS else f"{ours} (as it is {theirs})")
        rows.append((situation.name.replace("_", " "), *cells))
    means = [told(standing.figure(name, criterion), criterion) for criterion in CRITERIA]
    rows.append(("mean of all", *means))
    return TextTable(f"{name}, by situation", ("situation", *(one.title for one in CRITERIA)), tuple(rows))


def everything(advice: Advice) -> TextTable:
    """Every setting that was tried, the unbeaten first, and who beats it."""
    standing = advice.standing
    unbeaten, rows = standing.unbeaten(), []
    for name in (*unbeaten, *sorted(standing.beaten_by, key=lambda one: standing.ranks[one])):
        by = standing.beaten_by.get(name)
        what = "not beaten" if by is None else f"by {by}" if standing.beats(by, name) else f"as good as {by}"
        cells = [told(standing.figure(name, criterion), criterion) for criterion in CRITERIA]
        held = (HELD[standing.holds(name)],) if standing.study.loaded.experiment.objectives else ()
        rows.append((name, *cells, *held, what))
    head = ("setting", *(one.title for one in CRITERIA), *(("objectives",) if advice.as_json()["objectives"] else ()))
    return TextTable("Every setting that was tried", (*head, "beaten"), tuple(rows))


def sure(advice: Advice) -> list[str]:
    """How sure the advice is."""
    standing = advice.standing
    runs = len(standing.known) * len(standing.trial.situations) * standing.trial.seeds
    lines = [
        f"{some(standing.trial.seeds, 'seed')} for each setting and situation, the same for all: {some(runs, 'run')}. "
        f"Arrivals, service times and the broker that is struck are shared, so differences are paired; ± and what is "
        f"called shown is Student's t over seeds, {standing.confidence:g} %.",
        "A setting beats another that is shown to be worse in one figure and does not measure better in any, each "
        "figure being the mean of all situations. Differences under 2 % count as none.",
        f"{some(len(standing.known), 'setting')} are held against each other: some differences are shown by chance, "
        "fewer with more --seeds. What you choose, look at with `sendlab whatif` once more, with seeds of its own.",
    ]
    lines += [f"Not tried: {name}: {why}" for name, why in standing.trial.impossible.items()]
    return lines


def _gains(pick: Pick) -> list[str]:
    return pick.gains or ["nothing that these runs show, against the client as it is"]


def _costs(pick: Pick) -> list[str]:
    return [*(f"measured: {one}" for one in pick.losses), *pick.costs] or ["nothing: this is the client as it is"]


def html(advice: Advice) -> str:
    """The whole page as text; every name in it is escaped."""
    here, style = files("streaming.experiment_page"), (files("streaming.report") / "style.css").read_text("utf-8")
    trial = advice.standing.trial
    picture = choices(advice)
    parts = "".join(_pick(advice, pick, number) for number, pick in enumerate(advice.picks))
    note = "Each dot is a setting, mean of all situations. Down and to the left is better; the few bear their numbers."
    chart = figure_card("choices", "Failures and p99 of every setting", note) if picture else ""
    return Template((here / "page.html").read_text("utf-8")).substitute(
        title=escape(f"advice: {trial.scenario.name} - Sendlab"),
        style=style + (here / "page.css").read_text("utf-8"),
        brand="Sendlab advice",
        heading=escape(f"Which settings for: {trial.scenario.name}"),
        story=_story(advice),
        verdict=_list(advice.verdict),
        charts=chart + parts,
        tables=f'<section class="card"><h2>How sure this is</h2>{_list(sure(advice))}</section>'
        f'<section class="card"><h2>Of what it knows nothing</h2>{_list(UNKNOWN)}</section>',
        runs=_all(advice),
        sources=code("The trial as an experiment for sendlab whatif", trial.text()),
        footer=escape(f"Sendlab {sendlab_version()}. Percentiles are off by less than 1 %. Times are virtual."),
        script=(here / "page.js").read_text("utf-8"),
        figures=json.dumps({"choices": picture} if picture else {}, allow_nan=False).replace("<", "\\u003c"),
        plotly=packed_plotly() if picture else "",
    )


def _story(advice: Advice) -> str:
    trial = advice.standing.trial
    names = listed([one.name.replace("_", " ") for one in trial.situations])
    text = f"<p>Situations: {escape(names)}. Judged by failed messages, p99, duplicates and the busiest queue.</p>"
    if advice.interrupted:
        text += '<p class="warn">Not finished: this is what was known when it was stopped.</p>'
    return text


def _list(lines: list[str] | tuple[str, ...]) -> str:
    return "<ul>" + "".join(f"<li>{escape(one)}</li>" for one in lines) + "</ul>"


def _pick(advice: Advice, pick: Pick, number: int) -> str:
    held = f"<p>Objectives in every situation: {HELD[pick.holds]}.</p>" if advice.as_json()["objectives"] else ""
    parts = f'<p class="note">{escape(listed(pick.best_in))}</p>{held}<h3>Why</h3>{_list(_gains(pick))}'
    parts += f"<h3>What it costs</h3>{_list(_costs(pick))}{code('To paste', pick.java)}"
    parts += table_html(situations_of(advice, pick.name), f"pick-{number}")
    return f'<section class="card"><h2>{number + 1}. {escape(pick.name)}</h2>{parts}</section>'


def _all(advice: Advice) -> str:
    table = everything(advice)
    copy = '<button class="copy" type="button" data-copy="everything">Copy</button>'
    return f'<section class="card">{copy}<h2>{escape(table.title)}</h2>{table_html(table, "everything")}</section>'


def markdown(advice: Advice) -> str:
    """The same as Markdown."""
    trial = advice.standing.trial
    lines = [f"## Which settings for: {trial.scenario.name}", "", *(f"- {one}" for one in advice.verdict), ""]
    for number, pick in enumerate(advice.picks, 1):
        lines += [f"### {number}. {pick.name}", "", f"{listed(pick.best_in).capitalize()}.", ""]
        lines += [*(f"- Why: {one}" for one in _gains(pick)), *(f"- Costs: {one}" for one in _costs(pick)), ""]
        lines += ["```java", pick.java, "```", "", *table_markdown(situations_of(advice, pick.name))]
    lines += [
        *table_markdown(everything(advice)),
        "### How sure this is",
        "",
        *(f"- {one}" for one in sure(advice)),
        "",
    ]
    lines += ["### Of what it knows nothing", "", *(f"- {one}" for one in UNKNOWN), ""]
    return "\n".join(lines)
