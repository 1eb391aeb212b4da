"""A picture of a measure over the arms, for notebooks."""

from __future__ import annotations

from typing import Any

from simulator.experiments.experiment_measures import MEASURES, plain
from simulator.experiments.study import Study
from simulator.scenario.reading.scenario_error import not_known


def intervals_figure(study: Study, measure: str) -> Any:
    """A plotly figure: a dot an arm with its interval. Raises ValueError for a measure that no arm has."""
    import plotly.graph_objects as go

    if plain(measure) not in MEASURES:
        raise ValueError(not_known("measure", measure, MEASURES))
    found = {arm: study.interval(arm, measure) for arm in study.all_arms()}
    known = {arm: one for arm, one in found.items() if one is not None}
    if not known:
        raise ValueError(f"no arm has a measure {measure}")
    means = [one.mean for one in known.values()]
    above = [(one.high if one.high is not None else one.mean) - one.mean for one in known.values()]
    below = [one.mean - (one.low if one.low is not None else one.mean) for one in known.values()]
    errors = {"type": "data", "symmetric": False, "array": above, "arrayminus": below}
    dots = go.Scatter(x=means, y=list(known), mode="markers", error_x=errors, marker={"size": 10})
    figure = go.Figure(dots)
    title = f"{measure} ({MEASURES[plain(measure)].unit})" if MEASURES[plain(measure)].unit else measure
    figure.update_layout(xaxis_title=title, yaxis={"autorange": "reversed", "type": "category"}, template="none")
    return figure
