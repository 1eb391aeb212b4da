"""A measure of the windows over virtual time, for notebooks."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.run.simulate import Result
from simulator.scenario.reading.scenario_error import not_known
from state.tables import WINDOWS

KEYS = ("cell", "window_start_us", "window_us", "topic", "broker")


def windows_figure(result: Result, measure: str = "p99_ms", topic: str | None = None) -> Any:
    """A plotly figure with a line a broker. Raises ValueError for a measure or a topic that does not exist.

    topic: of several the first, by name of the scenario, unless one is named.
    """
    import plotly.graph_objects as go

    measures = [name for name in WINDOWS.schema.names if name not in KEYS]
    if measure not in measures:
        raise ValueError(not_known("measure", measure, measures))
    topic = next(iter(result.scenario.topics)) if topic is None else topic
    if topic not in result.scenario.topics:
        raise ValueError(not_known("topic", topic, result.scenario.topics))
    windows = result.frame("windows")
    windows = windows[windows["topic"] == topic].sort_values("window_start_us")
    lines = [
        go.Scatter(x=rows["window_start_us"] / 1e6, y=rows[measure].astype(float).replace({np.nan: None}), name=broker)
        for broker, rows in windows.groupby("broker", sort=False)
    ]
    figure = go.Figure(lines)
    figure.update_layout(xaxis_title="virtual time, s", yaxis_title=f"{measure}, topic {topic}", template="none")
    return figure
