"""The picture beside an experiment's Markdown: each arm's interval of a few measures, as a small SVG file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from simulator.experiments.experiment_measures import MEASURES, plain
from simulator.experiments.intervals import drawn_intervals
from simulator.experiments.result import ExperimentResult
from streaming.experiment_page.pictures import OVERLAID, short
from streaming.page_frame.colours import COLOURS

USUAL = ("failed_percent", "p99_ms")
WIDTH, LEFT, RIGHT = 720, 190, 96
ROW, HEAD = 24, 34
INK, RULE = "#20242c", "#838b9b"
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
    parts, top = [], 0
    for measure in measures:
        lines, top = _panel(result, measure, top)
        parts += lines
    title = f"{', '.join(measures)} by arm"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{top}" viewBox="0 0 {WIDTH} {top}" '
    head += 'role="img" font-family="sans-serif" font-size="12">'
    back = f'<rect width="{WIDTH}" height="{top}" fill="#ffffff"/>'
    return "\n".join([head, f"<title>{escape(title)}</title>", back, *parts, "</svg>", ""])


def _panel(result: ExperimentResult, measure: str, top: int) -> tuple[list[str], int]:
    """The lines of a measure's panel from `top`, and where it ends."""
    study, experiment = result.study, result.study.loaded.experiment
    arms = study.shown_arms()[:OVERLAID]
    found = {arm: one for arm in arms if (one := study.interval(arm, measure)) is not None}
    objectives = (*experiment.objectives, *(experiment.find.such_that if experiment.find else ()))
    bounds = [one.bound for one in objectives if one.measure == measure]
    drawn = drawn_intervals(list(found.values()), *bounds)
    place = _scale([*drawn.means, *drawn.lows, *drawn.highs, *bounds])
    unit, rows = MEASURES[plain(measure)].unit, top + HEAD
    lines = [_text(12, top + 18, f"{measure}{f' ({unit})' if unit else ''}", weight="bold")]
    for bound in dict.fromkeys(bounds):
        x, end = place(bound), rows + ROW * len(found) - 6
        lines.append(f'<path d="M{x:.1f} {rows - 8}V{end}" stroke="{INK}" stroke-dasharray="4 3"/>')
        lines.append(_text(x, rows - 12, f"{bound:g}", anchor="middle"))
    ends = zip(found.items(), drawn.means, drawn.lows, drawn.highs, drawn.is_open, strict=True)
    for number, ((arm, one), mean, low, high, is_open) in enumerate(ends):
        colour = COLOURS[list(arms).index(arm)]
        told = "no end" if is_open else f"{one.mean:.4g}"
        lines += _row(arm, told, rows + ROW * number + 6, (place(low), place(mean), place(high)), colour)
    return lines, rows + ROW * len(found) + 8


def _row(arm: str, told: str, y: int, places: tuple[float, float, float], colour: str) -> Iterator[str]:
    low, mean, high = places
    yield _text(LEFT - 12, y + 4, short(arm, 26), anchor="end")
    yield f'<path d="M{low:.1f} {y}H{high:.1f}M{low:.1f} {y - 4}v8M{high:.1f} {y - 4}v8" stroke="{RULE}" fill="none"/>'
    yield f'<circle cx="{mean:.1f}" cy="{y}" r="4.5" fill="{colour}"/>'
    yield _text(WIDTH - RIGHT + 16, y + 4, told)


def _scale(values: Sequence[float]) -> Scale:
    low, high = min(values), max(values)
    spare = 0.04 * ((high - low) or abs(high) or 1.0)
    return Scale(0.0 if 0 <= low < high / 2 or low == 0 else low - spare, high + spare)


def _text(x: float, y: float, text: str, *, anchor: str = "start", weight: str = "normal") -> str:
    where = f'x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}" font-weight="{weight}" fill="{INK}"'
    return f"<text {where}>{escape(text)}</text>"
