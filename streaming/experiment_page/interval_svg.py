"""The picture beside an experiment's Markdown: each arm's interval of a few measures, as a small SVG file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from simulator.experiments.experiment_measures import MEASURES, plain
from simulator.experiments.intervals import drawn_intervals
from simulator.experiments.result import ExperimentResult
from streaming.experiment_page.pictures import OVERLAID, short
from streaming.page_frame.colours import COLOURS
from streaming.page_frame.templates import rendered

USUAL = ("failed_percent", "p99_ms")
WIDTH, LEFT, RIGHT = 720, 190, 96
ROW, HEAD = 24, 34
PANELS_MAX = 6


class Scale:
    """From values to places in the picture; from 0 where the values are not far from it."""

    def __init__(self, low: float, high: float) -> None:
        self.low, self.span = low, (high - low) or 1.0

    def __call__(self, value: float) -> float:
        """The place of a value."""
        return LEFT + (WIDTH - LEFT - RIGHT) * (value - self.low) / self.span


def svg_beside(markdown: Path) -> Path:
    """The picture's file: summary.svg beside summary.md."""
    return markdown.with_name(f"{markdown.stem if markdown.suffix == '.md' else markdown.name}.svg")


def pictured_measures(result: ExperimentResult) -> list[str]:
    """The measures of the objectives, or the usual ones, that some arm has."""
    experiment, study = result.study.loaded.experiment, result.study
    asked = [one.measure for one in (*experiment.objectives, *(experiment.find.such_that if experiment.find else ()))]
    arms = study.shown_arms()[:OVERLAID]
    names = dict.fromkeys(asked or USUAL)
    return [name for name in names if any(study.interval(arm, name) is not None for arm in arms)][:PANELS_MAX]


def intervals_svg(result: ExperimentResult) -> str | None:
    """The file's text: a panel a measure, a row an arm, the objective's bound dashed; None if nothing was measured."""
    measures = pictured_measures(result)
    if not measures:
        return None
    panels: list[dict[str, Any]] = []
    for measure in measures:
        panels.append(_panel(result, measure, panels[-1]["end"] if panels else 0))
    return rendered(
        "experiment_page/intervals.svg", title=f"{', '.join(measures)} by arm", panels=panels, width=WIDTH, left=LEFT,
        right=RIGHT, row_px=ROW, height=panels[-1]["end"],
    )  # fmt: skip


def _panel(result: ExperimentResult, measure: str, top: int) -> dict[str, Any]:
    """A measure's panel: where it begins, where its first row does, where it ends, its bounds and rows."""
    study, experiment = result.study, result.study.loaded.experiment
    arms = study.shown_arms()[:OVERLAID]
    found = {arm: one for arm in arms if (one := study.interval(arm, measure)) is not None}
    objectives = (*experiment.objectives, *(experiment.find.such_that if experiment.find else ()))
    bounds = [one.bound for one in objectives if one.measure == measure]
    drawn = drawn_intervals(list(found.values()), *bounds)
    place = _scale([*drawn.means, *drawn.lows, *drawn.highs, *bounds])
    unit = MEASURES[plain(measure)].unit
    ends = zip(found.items(), drawn.means, drawn.lows, drawn.highs, drawn.is_open, strict=True)
    rows = [
        {
            "arm": short(arm, 26),
            "figure": "no end" if is_open else f"{one.mean:.4g}",
            "low": place(low),
            "mean": place(mean),
            "high": place(high),
            "colour": COLOURS[list(arms).index(arm)],
        }
        for (arm, one), mean, low, high, is_open in ends
    ]
    return {
        "title": f"{measure}{f' ({unit})' if unit else ''}",
        "top": top,
        "first": top + HEAD,
        "end": top + HEAD + ROW * len(found) + 8,
        "bounds": [(place(bound), f"{bound:g}") for bound in dict.fromkeys(bounds)],
        "rows": rows,
    }


def _scale(values: Sequence[float]) -> Scale:
    low, high = min(values), max(values)
    spare = 0.04 * ((high - low) or abs(high) or 1.0)
    return Scale(0.0 if 0 <= low < high / 2 or low == 0 else low - spare, high + spare)
