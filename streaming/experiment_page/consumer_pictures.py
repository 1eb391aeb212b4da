"""The pictures of an experiment's consumer groups: their measures side by side, and their lag over time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from simulator.experiments.result import ExperimentResult
from simulator.experiments.words import OF_CONSUMERS, OF_LATER
from streaming.experiment_page.experiment_page_texts import ExperimentPageTexts
from streaming.experiment_page.pictures import OVERLAID, dots_of, fault_bands, line_of, short
from streaming.page_frame.figure import Figure, figure

GROUPS_MAX = 2  # with pictures
POINTS_MAX = 300


def consumer_pictures(result: ExperimentResult) -> dict[str, Figure]:
    """Every picture that has something to show, by name: `of_MEASURE[GROUP]`, `lag_NUMBER` of the group."""
    study = result.study
    arms = study.shown_arms()[:OVERLAID]
    groups = list(study.scenario(arms[0]).consumers)[:GROUPS_MAX] if arms else []
    names = [*OF_LATER, *(f"{measure}[{group}]" for group in groups for measure in OF_CONSUMERS)]
    made = {f"of_{name}": dots_of(study, arms, name) for name in names}
    made |= {f"lag_{place}": _lag(result, arms, place) for place in range(len(groups))}
    return {name: one for name, one in made.items() if one is not None}


def lag_titles(result: ExperimentResult) -> list[tuple[str, str, str]]:
    """Name, title and note of each picture of a lag."""
    note = ExperimentPageTexts.BACKLOG()
    arms = result.study.shown_arms()
    groups = list(result.study.scenario(arms[0]).consumers)[:GROUPS_MAX] if arms else []
    return [(f"lag_{place}", f"Backlog of {group} over time", note) for place, group in enumerate(groups)]


def _lag(result: ExperimentResult, arms: Sequence[str], place: int) -> Figure | None:
    lines = []
    for number, arm in enumerate(arms):
        lag = result.totals[arm].consumer_lag
        if lag.shape[1] <= place or not lag[:, place].any():
            continue
        step = -(-len(lag) // POINTS_MAX)
        most = [float(lag[at : at + step, place].max()) for at in range(0, len(lag), step)]
        window_s = result.study.scenario(arm).window_us / 1e6
        lines.append(
            {
                "type": "scatter",
                "mode": "lines",
                "name": short(arm),
                "x": [(at + 1) * step * window_s for at in range(len(most))],
                "y": np.round(np.array(most) / len(result.study.runs_of(arm)), 1).tolist(),
                "line": line_of(number),
            }
        )
    above = {"title": {"text": "messages"}, "automargin": True, "nticks": 6}
    below = {"title": {"text": "seconds of virtual time"}, "nticks": 8}
    shapes = fault_bands(result, arms)
    return figure(lines, 280, xaxis=below, yaxis=above, shapes=shapes, hovermode="x unified") if lines else None
