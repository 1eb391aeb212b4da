"""The picture of an advice: every setting by its failures and its p99."""

from __future__ import annotations

from typing import Any

from simulator.advice.advice import Advice
from simulator.advice.candidates import AS_IT_IS
from simulator.advice.standing import CRITERIA
from streaming.experiment_page.pictures import figure
from streaming.page_frame.colours import COLOURS

FAILED, P99 = CRITERIA[:2]
BEATEN, PRESENT = "#9aa3b2", COLOURS[5]


def choices(advice: Advice) -> dict[str, Any] | None:
    """plotly's JSON, None if nothing was measured."""
    standing, picked = advice.standing, [pick.name for pick in advice.picks]
    points = []
    for name in standing.known:
        failed, p99 = standing.figure(name, FAILED), standing.figure(name, P99)
        if failed is not None and p99 is not None:
            points.append((name, failed.mean, p99.mean))
    if not points:
        return None
    labels = {AS_IT_IS: AS_IT_IS} | {name: str(place) for place, name in enumerate(picked, 1)}
    dots = {
        "type": "scatter",
        "mode": "markers+text",
        "x": [failed for _, failed, _ in points],
        "y": [p99 for *_, p99 in points],
        "text": [labels.get(name, "") for name, *_ in points],
        "textposition": "middle right",
        "cliponaxis": False,
        "hovertext": [name for name, *_ in points],
        "hovertemplate": "%{hovertext}: %{x:.3g} % failed, p99 %{y:.4g} ms<extra></extra>",
        "marker": {
            "size": [12 if name in labels else 8 for name, *_ in points],
            "color": [PRESENT if n == AS_IT_IS else COLOURS[0] if n in picked else BEATEN for n, *_ in points],
        },
    }
    above = {"title": {"text": "p99, ms"}, "type": "log"}
    return figure([dots], 380, xaxis={"title": {"text": "failed, %"}, "rangemode": "tozero"}, yaxis=above)
