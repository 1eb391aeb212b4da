"""The picture of an advice: every setting by its failures and its p99."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from simulator.advice.advice import Advice
from simulator.advice.candidates import AS_IT_IS
from simulator.experiments.intervals import BEYOND
from streaming.experiment_page.pictures import is_wide, marked
from streaming.page_frame.colours import COLOURS
from streaming.page_frame.figure import Figure, figure

Point = tuple[str, float, float]  # name, failed, p99

NEAR = 0.04  # of the picture: labels of nearer points would lie on each other
BEATEN, PRESENT = "#9aa3b2", COLOURS[5]


def joined_labels(points: Sequence[Point], labels: Mapping[str, str]) -> dict[str, str]:
    """Labels by name: points that lie on each other share the label of the first, `1, as it is`."""
    spans = [max(values) - min(values) or 1.0 for values in ([x for _, x, _ in points], [y for *_, y in points])]
    found: dict[str, str] = {}
    places: dict[str, tuple[float, float]] = {}
    for name, x, y in sorted(points, key=lambda point: labels.get(point[0], "")):
        if name not in labels:
            continue
        near = next(
            (
                other
                for other, (of_x, of_y) in places.items()
                if abs(x - of_x) < NEAR * spans[0] and abs(y - of_y) < NEAR * spans[1]
            ),
            None,
        )
        if near is None:
            places[name], found[name] = (x, y), labels[name]
        else:
            found[near] += f", {labels[name]}"
    return found


def choices(advice: Advice) -> Figure | None:
    """plotly's JSON, None if nothing was measured."""
    standing, picked = advice.standing, [pick.name for pick in advice.picks]
    across, up = standing.criteria[:2]
    points = []
    for name in standing.known:
        failed, p99 = standing.figure(name, across), standing.figure(name, up)
        if failed is not None and p99 is not None:
            points.append((name, failed.mean, p99.mean))
    if not points:
        return None
    ends = [value for _, *both in points for value in both if math.isfinite(value)]
    top = BEYOND * max(ends, default=1.0)
    points = [(name, min(one, top), min(other, top)) for name, one, other in points]
    labels = {AS_IT_IS: AS_IT_IS} | {name: str(place) for place, name in enumerate(picked, 1)}
    texts = joined_labels(points, labels)
    dots = {
        "type": "scatter",
        "mode": "markers+text",
        "x": [failed for _, failed, _ in points],
        "y": [p99 for *_, p99 in points],
        "text": [texts.get(name, "") for name, *_ in points],
        "textposition": "middle right",
        "cliponaxis": False,
        "hovertext": [name for name, *_ in points],
        "hovertemplate": f"%{{hovertext}}: %{{x:.3g}} % {across.title}, {up.title} %{{y:.4g}} ms<extra></extra>",
        "marker": {
            "size": [12 if name in labels else 8 for name, *_ in points],
            "color": [PRESENT if n == AS_IT_IS else COLOURS[0] if n in picked else BEATEN for n, *_ in points],
        },
    }
    heights = [p99 for *_, p99 in points]
    above = {"title": {"text": f"{up.title}, {up.unit}"}} | (marked(heights) if is_wide(heights) else {"nticks": 6})
    return figure(
        [dots], 380, xaxis={"title": {"text": f"{across.title}, {across.unit}"}, "rangemode": "tozero"}, yaxis=above
    )
