"""The page of a hunt: what share of the schedules missed what, the found cases with pictures, what was not reached."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from simulator.experiments.words import number
from simulator.hunt.cases.case_words import how_often
from simulator.hunt.cases.found_case import FoundCase
from simulator.hunt.schedule import scenario_with
from simulator.units import some
from streaming.files.whole_file import write_text_whole
from streaming.hunt.hunt_folder import CASES
from streaming.hunt.run_hunt import HuntResult, places_text
from streaming.hunt.schedule_svg import schedule_svg
from streaming.page_frame.templates import rendered
from streaming.page_frame.text_table import TextTable
from streaming.texts.hunt_run_texts import HuntRunTexts

PAGE = "hunt.html"


def write_hunt_page(result: HuntResult, folder: Path) -> Path:
    """Write the page into the hunt's folder. Raises OSError."""
    file = folder / PAGE
    write_text_whole(file, hunt_html(result, folder))
    return file


def hunt_html(result: HuntResult, folder: Path) -> str:
    """The whole page as text."""
    loaded = result.loaded
    return rendered(
        "hunt/hunt.html",
        title=f"hunt: {loaded.name} - Sendlab",
        brand="Sendlab hunt",
        heading=HuntRunTexts.HEADING(hunt=loaded.name),
        objectives=", ".join(map(str, loaded.goals)),
        space=HuntRunTexts.SPACE(kinds=some(len(loaded.space.templates), "kind"), most=loaded.space.most),
        interrupted=result.interrupted,
        verdict=result.verdict,
        cases=[_case(result, case, folder) for case in result.cases],
        missed=_missed(result),
        states=_states(result),
        corpus=_corpus(result),
        faults=_faults(result),
        left_out=_left_out(result),
        sure=_sure(result),
    )


def _case(result: HuntResult, case: FoundCase, folder: Path) -> dict[str, Any]:
    text = result.loaded.scenario.to_yaml()
    seeds = HuntRunTexts.SEEDS(missed=case.seeds[0], seeds=case.seeds[1])
    return {
        "sentence": case.sentence,
        "often": HuntRunTexts.CASE_MISSES(often=how_often(case.a_year).capitalize(), objective=case.goal, seeds=seeds),
        "met": some(len(case.met), "schedule"),
        "also": ", ".join(case.also),
        "others": ", ".join(case.others),
        "picture": schedule_svg(scenario_with(text, case.schedule), case.schedule),
        "because": case.because,
        "command": f"sendlab run {folder / CASES / case.name}.yaml",
        "scenario": result.scenario_of(case),
    }


def _missed(result: HuntResult) -> TextTable:
    hunt = result.hunt
    rows = [
        (
            str(goal),
            _share(hunt.random_missed[str(goal)], hunt.random_judged[str(goal)]),
            _share(hunt.missed[str(goal)], hunt.judged[str(goal)]),
            str(sum(str(goal) in case.all_goals for case in hunt.cases)),
        )
        for goal in result.goals
    ]
    return TextTable(
        HuntRunTexts.WHAT_WAS_MISSED(), ("objective", "of random schedules", "of all", "cases"), tuple(rows)
    )


def _share(count: int, whole: int) -> str:
    """How many of those that show it; none of an objective that the scenario misses by itself."""
    return f"{count:,} of {whole:,} ({number(100 * count / whole)} %)" if whole else "not known"


def _states(result: HuntResult) -> TextTable:
    hunt = result.hunt
    reached = [(name, f"{count:,}") for name, count in hunt.marks.most_common()]
    return TextTable(
        HuntRunTexts.WHAT_WAS_REACHED(),
        ("state", "schedules"),
        (*reached, *((name, "never") for name in result.never_reached)),
    )


def _corpus(result: HuntResult) -> TextTable | None:
    rows = tuple(result.corpus.items())
    return TextTable(HuntRunTexts.WHAT_WAS_FOUND_BEFORE(), ("file", "now"), rows) if rows else None


def _faults(result: HuntResult) -> TextTable:
    space = result.loaded.space
    rows = [
        (
            template.kind.replace("_", " "),
            places_text(template.target, places),
            "unknown" if template.a_year is None else number(template.a_year),
            template.because,
        )
        for template, places in zip(space.templates, space.places, strict=True)
    ]
    return TextTable(HuntRunTexts.WHAT_MAY_HAPPEN(), ("fault", "places", "a year, each", "from"), tuple(rows))


def _left_out(result: HuntResult) -> TextTable | None:
    rows = [
        (one.kind.replace("_", " "), places_text(one.target, one.places) if one.places else "nobody", one.why)
        for one in result.loaded.space.left_out
    ]
    return TextTable(HuntRunTexts.WHAT_WAS_LEFT_OUT(), ("fault", "places", "why"), tuple(rows)) if rows else None


def _sure(result: HuntResult) -> list[str]:
    hunt = result.hunt
    return [
        HuntRunTexts.SAME_SEED(seed=result.loaded.scenario.seed),
        HuntRunTexts.PROVES_NOTHING(),
        *([f"{result.not_run}."] if result.not_run else []),
        *result.left_out,
        HuntRunTexts.RATES_ARE_ROUGH(),
        HuntRunTexts.OF_RUNS(
            schedules=some(hunt.done, "schedule"), runs=some(result.runs, "run"), took_s=result.took_s
        ),
    ]
