"""The HTML page of an experiment: the verdict in words, then pictures and tables."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from simulator.experiments.result import ExperimentResult
from simulator.units import some
from streaming.experiment_page.consumer_pictures import consumer_pictures, lag_titles
from streaming.experiment_page.experiment_page_texts import ExperimentPageTexts
from streaming.experiment_page.pictures import OVERLAID, pictures
from streaming.experiment_page.text_tables import changes, differences, meanings, runs, search_steps, side_by_side
from streaming.files.whole_file import check_writable, make_folder_of, write_text_whole
from streaming.page_frame.colours import COLOURS
from streaming.page_frame.frame_texts import FrameTexts
from streaming.page_frame.templates import rendered
from streaming.texts.experiment_texts import ExperimentTexts

TEMPLATE = "experiment_page/experiment.html"
Card = tuple[str, ...]  # name of the picture, title, and perhaps a note
OVER_TIME: tuple[Card, ...] = (
    ("failed", "Failed messages over time", ExperimentPageTexts.FAILED()),
    ("p99", "p99 over time", ExperimentPageTexts.P99()),
    ("latency", "Latency", ExperimentPageTexts.LATENCY()),
)
HEAT_MAPS = (("load", "Load of each queue"), ("avoided", "Isolated brokers"))


def write_experiment(result: ExperimentResult, path: str | Path) -> Path:
    """Write the page of a result to a file; returns its path. Raises EnvironmentProblem if it cannot be written."""
    file = Path(path)
    make_folder_of(file)
    check_writable(file)
    write_text_whole(file, html(result))
    return file


def html(result: ExperimentResult) -> str:
    """The whole page as text."""
    made, loaded = pictures(result) | consumer_pictures(result), result.study.loaded
    name, description = loaded.experiment.name, loaded.experiment.description
    arms = result.study.shown_arms()[:OVERLAID]
    scenarios = [(f"Scenario of {arm}", scenario.to_yaml()) for arm, scenario in loaded.arms.items()]
    done = sum(len(runs) for runs in result.study.values.values())
    return rendered(
        TEMPLATE,
        title=f"{name} - Sendlab",
        brand="Sendlab experiment",
        heading=name,
        story=_story(result),
        interrupted=result.interrupted,
        notes=[*([description] if description else []), *result.notes],
        verdict=result.verdict,
        pictures=made,
        has_plotly=bool(made),
        arms=list(zip(arms, COLOURS, strict=False)),
        side_by_side=[(name, name.removeprefix("of_")) for name in made if name.startswith("of_")],
        over_time=_of(made, (*lag_titles(result), *OVER_TIME)),
        heat_maps=_of(made, _heat_maps(arms)),
        tables=(changes(result), search_steps(result), side_by_side(result), differences(result)),
        runs=runs(result),
        meanings=meanings(result),
        sources=[("Experiment", loaded.text), *scenarios],
        footer=FrameTexts.RUNS_AND_PERCENTILES(runs=done),
    )


def _of(made: Iterable[str], cards: Iterable[Card]) -> list[Card]:
    """Those cards whose picture was made."""
    names = set(made)
    return [card for card in cards if card[0] in names]


def _heat_maps(arms: Iterable[str]) -> list[Card]:
    return [(f"{kind}_{number}", f"{title}: {arm}") for number, arm in enumerate(arms) for kind, title in HEAT_MAPS]


def _story(result: ExperimentResult) -> str:
    experiment, study = result.study.loaded.experiment, result.study
    counts = {len(study.runs_of(arm)) for arm in study.loaded.arms}
    each = some(counts.pop(), "run") if len(counts) == 1 else f"{min(counts)} to {max(counts)} runs"
    warm_up_us = experiment.warm_up_us
    cut = ExperimentTexts.WARM_UP(seconds=warm_up_us / 1e6) if warm_up_us else ExperimentTexts.NO_WARM_UP()
    return ExperimentTexts.STORY(
        arms=some(len(study.loaded.arms), "arm"), each=each, confidence=experiment.confidence, warm_up=cut
    )
