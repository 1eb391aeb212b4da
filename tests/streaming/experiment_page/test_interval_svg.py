"""The picture of an experiment's Markdown."""

from __future__ import annotations

from xml.etree import ElementTree as Xml

import pytest

from simulator.experiments.experiment_file import parse_experiment
from simulator.experiments.experiment_runner import experiment
from streaming.experiment_page.interval_svg import intervals_svg, svg_beside
from streaming.experiment_page.markdown import write_markdown
from tests.simulator.small import text_of

SVG = "{http://www.w3.org/2000/svg}"
EXPERIMENT = """name: two <arms>
scenario: small.yaml
seeds: 3
arms: {now & here: {}, slow: {brokers.a.latency: {exponential: {mean: 40ms}}}}
"""


@pytest.fixture(scope="module")
def outcome(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pictured")
    (folder / "small.yaml").write_text(text_of(duration="5s"))
    return lambda more="": experiment(parse_experiment(EXPERIMENT + more, folder=folder))


def texts(drawn):
    return [one.text for one in Xml.fromstring(drawn).iter(f"{SVG}text")]


def test_a_row_an_arm_in_a_panel_a_measure(outcome):
    result = outcome()
    drawn = intervals_svg(result)
    mean = f"{result.study.interval('slow', 'p99_ms').mean:.4g}"
    assert texts(drawn)[:3] == ["failed_percent (%)", "now & here", "0"]
    assert texts(drawn)[-4:] == ["now & here", "2.007", "slow", mean]
    assert len(list(Xml.fromstring(drawn).iter(f"{SVG}circle"))) == 4


def test_the_bound_of_an_objective_lies_between_the_dots_that_it_parts(outcome):
    drawn = Xml.fromstring(intervals_svg(outcome("objectives: ['p99_ms < 20']\n")))
    (bound,) = [one for one in drawn.iter(f"{SVG}path") if one.get("stroke-dasharray")]
    now, slow = (float(one.get("cx")) for one in drawn.iter(f"{SVG}circle"))
    assert now < float(bound.get("d")[1:].split()[0]) < slow


def test_markdown_shows_the_picture_that_lies_beside_it(outcome, tmp_path):
    write_markdown(outcome(), tmp_path / "my summary.md")
    assert (
        "![Intervals of failed_percent and p99_ms by arm](my%20summary.svg)" in (tmp_path / "my summary.md").read_text()
    )
    assert Xml.parse(tmp_path / "my summary.svg").getroot().tag == f"{SVG}svg"


def test_a_summary_of_another_ending_is_not_written_over(tmp_path):
    assert svg_beside(tmp_path / "summary.svg").name == "summary.svg.svg"
