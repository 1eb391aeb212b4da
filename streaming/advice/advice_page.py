"""The page of an advice, HTML or Markdown: the verdict, the few with figures, why, costs and Java, then all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from simulator.advice.advice import Advice, Pick, interval_text
from simulator.advice.candidates import AS_IT_IS
from simulator.experiments.words import in_unit
from state.texts import listed
from streaming.advice.advice_page_texts import AdvicePageTexts
from streaming.advice.advice_picture import choices
from streaming.experiment_page.markdown import table_markdown
from streaming.files.whole_file import write_text_whole
from streaming.page_frame.frame_texts import FrameTexts
from streaming.page_frame.templates import rendered
from streaming.page_frame.text_table import TextTable

TEMPLATE = "advice/advice.html"
HELD = {True: "hold", False: "missed", None: "undecided"}


def write_advice(advice: Advice, folder: Path, page: str) -> Path:
    """Write the page of an advice into its folder; `page` is html or md."""
    made = html(advice, folder) if page == "html" else markdown(advice)
    file = folder / ("advice.html" if page == "html" else "advice.md")
    write_text_whole(file, made)
    return file


def situations_of(advice: Advice, name: str) -> TextTable:
    """A setting beside the client as it is, situation by situation."""
    standing, rows = advice.standing, []
    for situation in standing.trial.situations:
        cells = []
        for criterion in standing.criteria:
            ours, theirs = (
                interval_text(standing.figure(one, criterion, situation.name), criterion) for one in (name, AS_IT_IS)
            )
            cells.append(ours if name == AS_IT_IS else f"{ours} (current {theirs})")
        rows.append((situation.name.replace("_", " "), *cells))
    means = [interval_text(standing.figure(name, criterion), criterion) for criterion in standing.criteria]
    rows.append(("mean of all", *means))
    return TextTable(f"{name}, by situation", ("situation", *(one.title for one in standing.criteria)), tuple(rows))


def everything(advice: Advice) -> TextTable:
    """Every setting that was tried, the unbeaten first, and who beats it."""
    standing = advice.standing
    unbeaten, rows = standing.unbeaten(), []
    for name in (*unbeaten, *sorted(standing.beaten_by, key=lambda one: standing.ranks[one])):
        by = standing.beaten_by.get(name)
        what = "not beaten" if by is None else f"by {by}" if standing.beats(by, name) else f"as good as {by}"
        cells = [interval_text(standing.figure(name, criterion), criterion) for criterion in standing.criteria]
        held = (HELD[standing.holds(name)],) if standing.study.loaded.experiment.objectives else ()
        rows.append((name, *cells, *held, what))
    head = (
        "setting",
        *(one.title for one in standing.criteria),
        *(("objectives",) if advice.as_json()["objectives"] else ()),
    )
    return TextTable("Every setting that was tried", (*head, "beaten"), tuple(rows))


def sure(advice: Advice) -> list[str]:
    """How sure the advice is."""
    standing = advice.standing
    runs = len(standing.known) * len(standing.trial.situations) * standing.trial.seeds
    return [
        AdvicePageTexts.PAIRED(seeds=standing.trial.seeds, runs=runs, confidence=standing.confidence),
        AdvicePageTexts.DOMINATES(
            least=listed([f"{in_unit(one.least, one.unit)} ({one.title})" for one in standing.criteria])
        ),
        AdvicePageTexts.COMPARISONS(settings=len(standing.known)),
        *(AdvicePageTexts.NOT_TRIED(name=name, why=why) for name, why in standing.trial.impossible.items()),
    ]


def _gains(pick: Pick) -> list[str]:
    gains = pick.gains or [AdvicePageTexts.NO_GAIN()]
    return [*gains, pick.not_shown_worse] if pick.not_shown_worse else gains


def _costs(pick: Pick) -> list[str]:
    return [*(f"measured: {one}" for one in pick.losses), *pick.costs] or [AdvicePageTexts.NO_COST()]


def html(advice: Advice, folder: Path | None = None) -> str:
    """The whole page as text; folder: where the experiment of the trial lies."""
    trial, picture = advice.standing.trial, choices(advice)
    titles = [one.title for one in advice.standing.criteria]
    of_group = f"{titles[0]} and {titles[1]} of every setting".capitalize()
    return rendered(
        TEMPLATE,
        title=f"advice: {trial.scenario.name} - Sendlab",
        brand="Sendlab advice",
        heading=f"Which settings for: {trial.scenario.name}",
        situations=listed([one.name.replace("_", " ") for one in trial.situations]),
        interrupted=advice.interrupted,
        verdict=advice.verdict,
        pictures={"choices": picture} if picture else {},
        has_plotly=bool(picture),
        picture_title=of_group if trial.group or trial.replicas else "Failures and p99 of every setting",
        judged_by=listed([one.title for one in advice.standing.compared] or titles),
        picks=[_pick(advice, pick) for pick in advice.picks],
        sure=sure(advice),
        unknown=advice.unknown,
        everything=everything(advice),
        sources=[("The trial as an experiment for sendlab whatif", trial.text(folder))],
        footer=FrameTexts.PERCENTILES(),
    )


def _pick(advice: Advice, pick: Pick) -> dict[str, Any]:
    return {
        "name": pick.name,
        "best_in": listed(pick.best_in),
        "objectives": HELD[pick.holds] if advice.as_json()["objectives"] else "",
        "gains": _gains(pick),
        "costs": _costs(pick),
        "java": pick.java,
        "situations": situations_of(advice, pick.name),
    }


def markdown(advice: Advice) -> str:
    """The same as Markdown."""
    trial = advice.standing.trial
    lines = [f"## Which settings for: {trial.scenario.name}", "", *(f"- {one}" for one in advice.verdict), ""]
    for number, pick in enumerate(advice.picks, 1):
        lines += [f"### {number}. {pick.name}", "", f"{listed(pick.best_in).capitalize()}.", ""]
        lines += [*(f"- Why: {one}" for one in _gains(pick)), *(f"- Costs: {one}" for one in _costs(pick)), ""]
        language = "properties" if trial.replicas else "java"
        lines += [f"```{language}", pick.java, "```", "", *table_markdown(situations_of(advice, pick.name))]
    lines += [
        *table_markdown(everything(advice)),
        "### How sure this is",
        "",
        *(f"- {one}" for one in sure(advice)),
        "",
    ]
    lines += ["### What it does not cover", "", *(f"- {one}" for one in advice.unknown), ""]
    return "\n".join(lines)
