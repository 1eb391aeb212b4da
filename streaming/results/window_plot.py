"""A measure of the windows over virtual time, for notebooks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from simulator.run.simulate import Result
from simulator.scenario.reading.scenario_error import not_known
from state.group_table import CONSUMER_WINDOWS
from state.table import Table
from state.tables import WINDOWS
from streaming.texts.command_texts import CommandTexts

KEYS = ("cell", "window_start_us", "window_us", "topic", "broker", "consumer_group")


def measures_in(table: Table) -> list[str]:
    """Columns of a table of windows that can be drawn: numbers, and no keys."""
    return [
        field.name
        for field in table.schema
        if field.name not in KEYS and (pa.types.is_integer(field.type) or pa.types.is_floating(field.type))
    ]


def windows_figure(result: Result, measure: str = "p99_ms", topic: str | None = None) -> Any:
    """A plotly figure with a line a broker, or a line a consumer group for a measure that only groups have.

    topic: of several the first, by name of the scenario, unless one is named. Raises ValueError for a measure or a
    topic that does not exist, or whose table the run did not make.
    """
    import plotly.graph_objects as go

    of_brokers, of_groups = measures_in(WINDOWS), measures_in(CONSUMER_WINDOWS)
    if measure not in (*of_brokers, *of_groups):
        raise ValueError(not_known("measure", str(measure), dict.fromkeys([*of_brokers, *of_groups])))
    if measure in of_brokers:
        rows, line, title = _of_topic(result, topic), "broker", _topic(result, topic)
        title = f"{measure}, topic {title}"
    else:
        if "consumer_windows" not in result.tables:
            raise ValueError(CommandTexts.NO_CONSUMER_WINDOWS(measure=measure))
        rows, line, title = result.frame("consumer_windows"), "consumer_group", measure
    figure = go.Figure([_drawn(go, one, measure, str(name)) for name, one in rows.groupby(line, sort=False)])
    figure.update_layout(xaxis_title="virtual time, s", yaxis_title=title, template="none", showlegend=True)
    return figure


def _topic(result: Result, topic: str | None) -> str:
    found = next(iter(result.scenario.topics)) if topic is None else topic
    if found not in result.scenario.topics:
        raise ValueError(not_known("topic", str(found), result.scenario.topics))
    return found


def _of_topic(result: Result, topic: str | None) -> pd.DataFrame:
    name = _topic(result, topic)
    windows: pd.DataFrame = result.frame("windows")
    return windows[windows["topic"] == name]


def _drawn(go: Any, rows: pd.DataFrame, measure: str, name: str) -> Any:
    """A line; points whose neighbours have no value get a marker, or they would not be seen."""
    rows = rows.sort_values("window_start_us")
    values = rows[measure].astype(float).to_numpy()
    missing = np.r_[True, np.isnan(values), True]
    lone = ~missing[1:-1] & missing[:-2] & missing[2:]
    return go.Scatter(
        x=rows["window_start_us"] / 1e6,
        y=[None if np.isnan(value) else value for value in values],
        name=name,
        mode="lines+markers" if lone.any() else "lines",
        marker={"size": np.where(lone, 6, 0)} if lone.any() else None,
    )
