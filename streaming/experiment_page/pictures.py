"""The pictures of an experiment as plotly's JSON: plain mappings, for a page is made faster without plotly itself."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping, Sequence

import numpy as np

from simulator.experiments.experiment_measures import MEASURES, plain
from simulator.experiments.intervals import drawn_intervals
from simulator.experiments.result import ExperimentResult
from simulator.experiments.study import Study
from simulator.experiments.words import plus_minus, with_unit
from simulator.kernel import histogram
from simulator.run.run_totals import BIN_COUNTS, Totals, bin_us_of, queue_bins_of
from simulator.scenario import Scenario
from simulator.units import US_PER_S
from streaming.page_frame.colours import COLOURS
from streaming.page_frame.figure import MARGIN, Figure, figure

OVERLAID = len(COLOURS)  # arms in one picture, at most
SIDE_BY_SIDE = (
    "failed_percent",
    "p99_ms",
    "mean_ms",
    "attempts_per_message",
    "copies_per_message",
    "max_queue_share_percent",
)
MARKED = ((500_000, "p50"), (990_000, "p99"), (999_000, "p99.9"))
ROW_PX, QUEUE_PX = 30, 8
LETTERS = 22  # of a name
QUEUE_ROWS_MAX = 128
WIDE = 20  # times: further apart needs a logarithmic axis
TAIL_FROM = 0.999  # what is faster than nearly all is not drawn
NEAR = 0.02  # of a run: periods of faults that are so near each other are one band over a heat map
RULE = "#838b9b"  # readable on light and dark
WIDTHS, DASHES = (4.6, 3.2, 1.8), ("solid", "solid", "solid", "dash", "dot", "dashdot")
DECADES = {"type": "log", "dtick": 1, "exponentformat": "none", "minexponent": 9}


def short(name: str, most: int = LETTERS) -> str:
    """A name that fits beside an axis."""
    return name if len(name) <= most else f"{name[: most - 1]}…"


def beside(name: str) -> str:
    """A name on up to two lines, left of its row."""
    lines = textwrap.wrap(name, LETTERS, break_on_hyphens=False, max_lines=2, placeholder="…")
    return "<br>".join(lines) or name


def pictures(result: ExperimentResult) -> dict[str, Figure]:
    """Every picture that has something to show, by name."""
    study = result.study
    arms = study.shown_arms()[:OVERLAID]
    made: dict[str, Figure | None] = {f"of_{name}": dots_of(study, arms, name) for name in SIDE_BY_SIDE}
    made |= {"search": search_path(result), "latency": _latency(result, arms)}
    made |= {"failed": _failed(result, arms), "p99": _p99(result, arms)}
    for number, arm in enumerate(arms):
        made[f"load_{number}"] = _load(result, arm)
        made[f"avoided_{number}"] = _heat(result, arm, _avoided(result, arm), "of the producers isolate it")
    found = {name: one for name, one in made.items() if one is not None}
    for kind in ("load", "avoided"):
        _scaled_alike([one["data"][0] for name, one in found.items() if name.startswith(kind)])
    return found


def _scaled_alike(maps: Sequence[Figure]) -> None:
    """Give heat maps of the same kind the same colours for the same values."""
    most = max((value for cells in maps for row in cells["z"] for value in row), default=0.0)
    for cells in maps:
        cells |= {"zmin": 0, "zmax": most, "zauto": False}


def is_wide(values: Sequence[float]) -> bool:
    """Whether numbers above 0 are so far apart that the small ones need a logarithmic axis."""
    return min(values, default=0.0) > 0 and max(values) > WIDE * min(values)


def marked(values: Sequence[float]) -> Figure:
    """A logarithmic axis with a few marks around values that are above 0."""
    first, last = (math.floor(math.log10(value)) for value in (min(values), max(values)))
    steps = (1, 2, 5) if last - first < 2 else (1, 3) if last - first < 3 else (1,)
    marks = [step * 10.0**power for power in range(first - 1, last + 2) for step in steps]
    return {"type": "log", "tickvals": marks, "ticktext": [f"{mark:,.10g}" for mark in marks]}


def spread_axis(values: Sequence[float]) -> Figure:
    """An axis for values above 0 with several marks among them: logarithmic where they are far apart."""
    return marked(values) if is_wide(values) else {"nticks": 6}


def dots_of(study: Study, arms: Sequence[str], measure: str) -> Figure | None:
    """A measure of each arm with its interval; None where there is none, or all are the same."""
    found = {arm: study.interval(arm, measure) for arm in arms}
    known = {arm: one for arm, one in found.items() if one is not None}
    if not known or (len({one.mean for one in known.values()}) == 1 and len(known) > 1):
        return None
    drawn = drawn_intervals(list(known.values()))
    dots = {
        "type": "scatter",
        "mode": "markers",
        "x": drawn.means,
        "y": [beside(arm) for arm in known],
        "marker": {
            "size": 9,
            "color": [COLOURS[arms.index(arm)] for arm in known],
            "symbol": ["triangle-right" if is_open else "circle" for is_open in drawn.is_open],
        },
        "error_x": {
            "type": "data",
            "symmetric": False,
            "thickness": 1.6,
            "color": RULE,
            "array": np.subtract(drawn.highs, drawn.means).tolist(),
            "arrayminus": np.subtract(drawn.means, drawn.lows).tolist(),
        },
        "customdata": [plus_minus(one, measure) for one in known.values()],
        "hovertemplate": "%{y}: %{customdata}<extra></extra>",
    }
    unit = MEASURES[plain(measure)].unit
    wide = unit == "ms" and is_wide([*drawn.means, *drawn.lows])
    axis = {"title": {"text": unit}} | (marked(drawn.means) if wide else {"nticks": 5})
    rows = {"type": "category", "autorange": "reversed", "automargin": True}
    return figure([dots], 74 + ROW_PX * len(known), xaxis=axis, yaxis=rows, margin=MARGIN | {"t": 8})


def _seconds(totals: Totals, scenario: Scenario) -> list[float]:
    bin_us = bin_us_of(scenario.duration_us, scenario.window_us)
    return [(number + 0.5) * bin_us / 1e6 for number in range(len(totals.bins))]


def fault_bands(result: ExperimentResult, arms: Sequence[str], apart: float = 0.0) -> list[Figure]:
    """The faults as shapes; those less `apart` (a part of the run) from the one before are one with it."""
    scenarios = [result.study.scenario(arm) for arm in arms]
    most_us = apart * max(scenario.duration_us for scenario in scenarios)
    periods: list[tuple[int, int]] = []
    for at, until in sorted({(p.at_us, p.until_us) for one in scenarios for p in one.fault_periods()}):
        if apart and periods and at - periods[-1][1] < most_us:
            at, until = periods[-1][0], max(periods.pop()[1], until)
        periods.append((at, until))
    return [
        {
            "type": "rect",
            "xref": "x",
            "yref": "paper",
            "x0": at / 1e6,
            "x1": until / 1e6,
            "y0": 0,
            "y1": 1,
            "layer": "below",
            "line": {"width": 0},
            "fillcolor": "rgba(128,128,128,0.18)",
        }
        for at, until in periods[:100]
    ]


def line_of(number: int) -> Figure:
    """How the line of an arm looks: one below another that runs where it does can still be seen."""
    return {"color": COLOURS[number], "width": WIDTHS[min(number, 2)], "dash": DASHES[number % len(DASHES)]}


def _lines(
    result: ExperimentResult, arms: Sequence[str], values: Mapping[str, Sequence[float | None]], title: str, log: bool
) -> Figure | None:
    if not any(value for row in values.values() for value in row):
        return None
    lines = [
        {
            "type": "scatter",
            "mode": "lines",
            "name": short(arm),
            "x": _seconds(result.totals[arm], result.study.scenario(arm)),
            "y": list(values[arm]),
            "line": line_of(number),
        }
        for number, arm in enumerate(arms)
    ]
    shown = [value for row in values.values() for value in row if value]
    above = {"title": {"text": title}, "automargin": True} | (spread_axis(shown) if log else {"nticks": 6})
    below = {"title": {"text": "seconds of virtual time"}, "nticks": 8}
    return figure(lines, 280, xaxis=below, yaxis=above, shapes=fault_bands(result, arms), hovermode="x unified")


def _failed(result: ExperimentResult, arms: Sequence[str]) -> Figure | None:
    place, found = BIN_COUNTS.index("failed"), {}
    for arm in arms:
        scenario, totals = result.study.scenario(arm), result.totals[arm]
        seconds = bin_us_of(scenario.duration_us, scenario.window_us) / 1e6 * len(result.study.runs_of(arm))
        found[arm] = (totals.bins[:, place] / seconds).tolist()
    return _lines(result, arms, found, "failed messages a second", log=False)


def _p99(result: ExperimentResult, arms: Sequence[str]) -> Figure | None:
    place = BIN_COUNTS.index("p99_half_us")
    found = {arm: [v / 2000 if v > 0 else None for v in result.totals[arm].bins[:, place].tolist()] for arm in arms}
    return _lines(result, arms, found, "p99, ms", log=True)


def _latency(result: ExperimentResult, arms: Sequence[str]) -> Figure | None:
    lines, marks = [], []
    for number, arm in enumerate(arms):
        counts = result.totals[arm].latency.sum(axis=0)
        cells = np.flatnonzero(counts)
        if not len(cells):
            continue
        above = 1 - np.cumsum(counts)[cells] / counts.sum()
        shown = (above > 0) & (np.append(above[1:], 0) < TAIL_FROM)
        colour = COLOURS[number]
        values = [histogram.middles(int(cell)) / 1000 for cell in cells[shown]]
        lines.append(
            {
                "type": "scatter",
                "mode": "lines",
                "name": short(arm),
                "x": values,
                "y": (100 * above[shown]).tolist(),
                "line": line_of(number),
            }
        )
        ranks = [(histogram.percentile_us(counts, ppm) / 1000, 100 - ppm / 1e4, name) for ppm, name in MARKED]
        marks.append(
            {
                "type": "scatter",
                "mode": "markers",
                "x": [r[0] for r in ranks],
                "y": [r[1] for r in ranks],
                "text": [f"{short(arm)}: {r[2]} {r[0]:.4g} ms" for r in ranks],
                "marker": {"size": 9, "color": colour},
                "hovertemplate": "%{text}<extra></extra>",
            }
        )
    below = {"title": {"text": "ms from a message's arrival to its end"}} | DECADES
    left = {"title": {"text": "part that takes longer, %"}, "automargin": True} | DECADES
    return figure([*lines, *marks], 320, xaxis=below, yaxis=left) if lines else None


def _shares(totals: Totals) -> np.ndarray:
    sums = totals.bin_attempts.sum(axis=1, keepdims=True)
    return 100 * totals.bin_attempts / np.maximum(sums, 1)


def _load(result: ExperimentResult, arm: str) -> Figure | None:
    """Share of the attempts, a row a queue; a row a broker where queues are too many, or were not counted."""
    scenario, totals = result.study.scenario(arm), result.totals[arm]
    writes = dict.fromkeys(scenario.brokers, 0)
    for entry in (entry for topic in scenario.topics for entry in scenario.route(topic)):
        writes[entry.broker] = max(writes[entry.broker], entry.write_queues)
    places = [(number, queue) for number, count in enumerate(writes.values()) for queue in range(count)]
    if not len(totals.queue_bins) or not 0 < len(places) <= QUEUE_ROWS_MAX:
        return _heat(result, arm, _shares(totals), "share of the attempts")
    counts = totals.queue_bins.astype(np.float64)
    shares = 100 * counts / np.maximum(counts.sum(axis=(1, 2), keepdims=True), 1)
    brokers, queues = np.array(places).T
    made = _heat(result, arm, shares[:, brokers, queues], "share of the attempts")
    if made is not None:
        bin_us, bins = queue_bins_of(scenario.duration_us, len(writes), totals.queue_bins.shape[2])
        rows = [f"{short(broker)} queue {queue}" for broker, count in writes.items() for queue in range(count)]
        firsts = [row for row, (_, queue) in zip(rows, places, strict=True) if queue == 0]
        made["data"][0] |= {"x": [(at + 0.5) * bin_us / US_PER_S for at in range(bins)], "y": rows}
        named = {"tickvals": firsts, "ticktext": [first.removesuffix(" queue 0") for first in firsts]}
        made["layout"]["yaxis"] |= named
        made["layout"]["height"] = 90 + max(22 * len(writes), QUEUE_PX * len(rows))
    return made


def _avoided(result: ExperimentResult, arm: str) -> np.ndarray:
    scenario, totals = result.study.scenario(arm), result.totals[arm]
    bin_us = bin_us_of(scenario.duration_us, scenario.window_us)
    whole = bin_us * scenario.producer_count * len(result.study.runs_of(arm))
    return np.minimum(100 * totals.bin_isolated_us / whole, 100)


def _heat(result: ExperimentResult, arm: str, values: np.ndarray, what: str) -> Figure | None:
    scenario, totals = result.study.scenario(arm), result.totals[arm]
    brokers = list(scenario.brokers)
    if not values.any() or len(brokers) > 64:
        return None
    shown = np.round(values.T.astype(np.float64), 2).tolist()
    cells = {
        "type": "heatmap",
        "x": _seconds(totals, scenario),
        "y": [short(broker) for broker in brokers],
        "z": shown,
        "colorscale": [[0, "rgba(31,131,198,0.04)"], [1, "rgb(31,131,198)"]],
        "showscale": True,
        "colorbar": {"thickness": 10, "ticksuffix": " %", "len": 1},
        "hovertemplate": "%{y}, %{x:.0f} s: %{z} % " + what + "<extra></extra>",
    }
    below = {"title": {"text": "seconds of virtual time"}, "nticks": 8}
    rows = {"type": "category", "autorange": "reversed", "automargin": True, "dtick": 1}
    return figure(
        [cells],
        90 + 22 * len(brokers),
        xaxis=below,
        yaxis=rows,
        shapes=[
            dict(band, layer="above", fillcolor="rgba(0,0,0,0)", line={"width": 1, "color": RULE})
            for band in fault_bands(result, [arm], NEAR)
        ],
    )


def search_path(result: ExperimentResult) -> Figure | None:
    """The values that a search has tried, with their intervals; None without a search."""
    find = result.study.loaded.experiment.find
    if find is None:
        return None
    first = find.such_that[0]
    steps = [step for step in enumerate(result.search_steps(), 1) if first.measure in step[1].measures]
    if not steps:
        return None
    own = [step.measures[first.measure] for _, step in steps]
    drawn = drawn_intervals(own, first.bound)
    fair = {True: "#009e73", False: "#d0342c", None: "#e69f00"}
    path = {
        "type": "scatter",
        "mode": "markers+text",
        "x": [step.value for _, step in steps],
        "y": drawn.means,
        "text": [str(number) for number, _ in steps],
        "textposition": "middle right",
        "marker": {
            "size": 11,
            "color": [fair[step.holds] for _, step in steps],
            "symbol": ["triangle-up" if is_open else "circle" for is_open in drawn.is_open],
        },
        "error_y": {
            "type": "data",
            "color": RULE,
            "symmetric": False,
            "array": np.subtract(drawn.highs, drawn.means).tolist(),
            "arrayminus": np.subtract(drawn.means, drawn.lows).tolist(),
        },
        "customdata": [with_unit(one.mean, first.measure) for one in own],
        "hovertemplate": "%{x}: %{customdata}<extra></extra>",
    }
    tried = {step.value for _, step in steps}
    order = [value for value in find.values() if value in tried]
    below = {"title": {"text": find.key}, "type": "category", "categoryorder": "array", "categoryarray": order}
    wide = is_wide([*drawn.means, *drawn.lows])
    left = {"title": {"text": first.measure}, "automargin": True} | (DECADES if wide else {})
    bound = {
        "type": "line",
        "xref": "paper",
        "x0": 0,
        "x1": 1,
        "y0": first.bound,
        "y1": first.bound,
        "line": {"dash": "dash", "width": 1.5, "color": "#8a8a8a"},
    }
    return figure([path], 300, xaxis=below, yaxis=left, shapes=[bound])
