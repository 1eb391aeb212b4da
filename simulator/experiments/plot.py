"""A picture of a measure over the arms, for notebooks."""

from __future__ import annotations

from typing import Any

from simulator.experiments.experiment_measures import MEASURES, plain
from simulator.experiments.intervals import drawn_intervals
from simulator.experiments.study import Study
from simulator.experiments.texts.experiment_file_texts import ExperimentFileTexts
from simulator.scenario.reading.scenario_error import not_known


def intervals_figure(study: Study, measure: str) -> Any:
    """A plotly figure: a dot an arm with its interval. Raises ValueError for a measure that no arm has."""
    import plotly.graph_objects as go

    if plain(measure) not in MEASURES:
        raise ValueError(not_known("measure", measure, MEASURES))
    found = {arm: study.interval(arm, measure) for arm in study.all_arms()}
    known = {arm: one for arm, one in found.items() if one is not None}
    if not known:
        raise ValueError(ExperimentFileTexts.NO_ARM_HAS_IT(measure=measure))
    drawn = drawn_intervals(list(known.values()))
    errors = {
        "type": "data",
        "symmetric": False,
        "array": [high - mean for high, mean in zip(drawn.highs, drawn.means, strict=True)],
        "arrayminus": [mean - low for mean, low in zip(drawn.means, drawn.lows, strict=True)],
    }
    marker = {"size": 10, "symbol": ["triangle-right" if is_open else "circle" for is_open in drawn.is_open]}
    dots = go.Scatter(x=drawn.means, y=list(known), mode="markers", error_x=errors, marker=marker)
    figure = go.Figure(dots)
    title = f"{measure} ({MEASURES[plain(measure)].unit})" if MEASURES[plain(measure)].unit else measure
    figure.update_layout(xaxis_title=title, yaxis={"autorange": "reversed", "type": "category"}, template="none")
    return figure
