"""Intervals without end are on the page, in the pictures and in the JSON, and end none of them."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from simulator.experiments.experiment_runner import experiment
from simulator.experiments.intervals import Interval, drawn_intervals
from streaming.experiment_page.experiment_html import html
from streaming.experiment_page.interval_svg import intervals_svg

EXPERIMENT = Path(__file__).parents[2] / "simulator" / "experiments" / "reported" / "S4-experiment.yaml"


@pytest.fixture(scope="module")
def result():
    return experiment(EXPERIMENT)


def test_an_experiment_of_which_a_run_does_not_drain_has_a_page(result):
    drain = result.study.interval("now", "drain_s[billing]")
    assert drain.high == math.inf > drain.mean
    page = html(result)  # of end_to_end_p99_ms
    assert "Infinity" not in page
    assert "28,400 ms (27,900 to no end)" in page


def test_the_result_as_json_has_null_for_what_has_no_end(result):
    found = json.loads(json.dumps(result.as_json(), allow_nan=False))
    drain = found["arms"]["now"]["measures"]["drain_s[billing]"]
    assert (drain["mean"], drain["high"]) == (93.0, None)


def test_a_plot_of_a_measure_without_end_is_finite(result):
    figure = result.plot("drain_s[billing]")
    assert all(map(math.isfinite, figure.data[0].error_x.array))


def test_the_picture_beside_markdown_says_that_a_mean_has_no_end(result):
    for run in result.study.values["now"].values():
        run["p99_ms"] = math.inf
    drawn = intervals_svg(result)
    assert ">no end<" in drawn
    assert "inf" not in drawn.replace("infinite", "")


def test_what_has_no_end_is_drawn_beyond_everything_else():
    open_one, other = (Interval(*ends, 3, "median") for ends in ((81.0, 80.0, math.inf), (math.inf, 90.0, math.inf)))
    drawn = drawn_intervals([open_one, other], 100.0)
    assert (drawn.means, drawn.highs, drawn.is_open) == ([81.0, 120.0], [120.0, 120.0], [False, True])
