"""Bounds that were asked and that hold, and what the page says of those that are not reached."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from tests.bench import bounds
from tests.bench.bounds import Bound, about_of, is_as_asked, is_met, lines, reason_of
from tests.bench.one import MEASURES as MODULES
from tests.bench.page import BELOW_ITS_PARTS, page
from tests.bench.results import stored
from tests.bench.test_whole_run import FLOOR, PARTS, RUN

SOME = """
machine_floor: {says: the machine}
event_mode_parts: {says: parts of an attempt}
experiment_parts: {says: parts of a run}
event_loop_vs_simpy:
  says: the loop
  asked: ">= 220"
  required: ">= 185"
  because: "a line takes {machine_floor[line_waited_ns][1 MiB]} ns"
whatif_vs_simpy: {says: experiments, asked: ">= 320", because: "the loop is {experiment_parts[parts_ms][planning]} ms"}
whatif_two_workers_vs_one: {says: two workers, asked: ">= 1.8", because: "{whatif_two_workers_vs_one[lacking]:.2f}"}
help_seconds: {says: help, asked: "<= 0.4"}
"""
PEERS = MODULES.with_name("peers")
TITLE = "## What was asked and is not reached"


@pytest.fixture
def _some_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "lines.yaml").write_text(SOME)
    monkeypatch.setattr(bounds, "LINES", tmp_path / "lines.yaml")
    lines.cache_clear()
    yield
    lines.cache_clear()


def _page(name: str, value: float, parts: Any = PARTS, unit: str = "x") -> str:
    line = {"name": name, "value": value, "unit": unit, "ours": "9", "peer": "3"}
    return page(RUN, [line, FLOOR, *parts])


@pytest.mark.usefixtures("_some_lines")
def test_a_wish_that_is_not_reached_is_shown_beside_the_bound_that_holds() -> None:
    text = _page("event_loop_vs_simpy", 189)
    assert "| the loop | >= 220x | >= 185x | 189.00x (9 against 3) |" in text
    listed = "- the loop: asked >= 220x, held >= 185x, measured 189.00x (9 against 3): a line takes 5 ns.\n"
    assert listed in text.partition(TITLE)[2]
    assert "1 of 4 lines; 0 of them break the bound that is held (**missed**)." in text


@pytest.mark.usefixtures("_some_lines")
def test_a_line_below_the_bound_that_holds_is_missed() -> None:
    text = _page("event_loop_vs_simpy", 184)
    assert "| 184.00x (9 against 3), **missed** |" in text
    assert "measured 184.00x (9 against 3), **missed**: a line takes" in text.partition(TITLE)[2]
    assert "1 of 4 lines; 1 of them break" in text


@pytest.mark.usefixtures("_some_lines")
def test_what_is_as_asked_is_not_listed() -> None:
    text = _page("event_loop_vs_simpy", 221)
    assert "missed" not in text
    assert "Every bound holds, as it was asked." in text


@pytest.mark.usefixtures("_some_lines")
def test_a_reason_stands_only_where_a_figure_of_the_run_shows_it() -> None:
    assert "asked and held >= 320x, measured 300.00x (9 against 3), **missed**: the loop is 2 ms." in _page(
        "whatif_vs_simpy", 300
    )
    assert "measured 1.50x (9 against 3), **missed**.\n" in _page("whatif_two_workers_vs_one", 1.5)


@pytest.mark.usefixtures("_some_lines")
def test_parts_that_take_more_than_the_whole_are_no_reason() -> None:
    run = {"name": "experiment_parts", "value": 5, "unit": "ms", "ours": "", "parts_ms": {"planning": 6, "Spark's": -1}}
    text = _page("whatif_vs_simpy", 300, [PARTS[0], run])
    assert "measured 300.00x (9 against 3), **missed**.\n" in text
    assert BELOW_ITS_PARTS in text
    assert BELOW_ITS_PARTS not in _page("whatif_vs_simpy", 300)


def test_a_bound_says_which_figures_it_holds_and_in_which_unit() -> None:
    least, most = Bound.read(">= 220"), Bound.read("<= 0.4")
    assert [least.holds(219.9), least.holds(220), most.holds(0.4), most.holds(0.41)] == [False, True, True, False]
    assert (least.text("x"), most.text("s")) == (">= 220x", "<= 0.4 s")
    with pytest.raises(ValueError, match="expected a bound such as"):
        Bound.read("at most 2")


def test_another_bound_than_was_asked_is_refused_without_a_reason() -> None:
    with pytest.raises(ValueError, match="needs a reason"):
        about_of({"says": "it", "asked": ">= 220", "required": ">= 185"})


@pytest.mark.parametrize("required", [">= 230", "<= 185"])
def test_the_bound_that_holds_is_a_weaker_one_of_the_same_direction(required: str) -> None:
    with pytest.raises(ValueError, match=r"ask for it instead|same direction"):
        about_of({"says": "it", "asked": ">= 220", "required": required, "because": "{a[b]}"})


def test_a_bound_that_holds_needs_one_that_was_asked() -> None:
    with pytest.raises(ValueError, match="beside an asked one"):
        about_of({"says": "it", "required": ">= 185", "because": "{a[b]}"})


def test_every_line_of_the_stored_run_can_be_judged() -> None:
    names = {line["name"] for line in stored()[1]}
    assert names == set(lines())
    assert {is_met(line) for line in stored()[1]} <= {True, False}


def test_the_stored_run_shows_the_reason_of_every_weaker_bound_that_it_does_not_reach() -> None:
    by_name = {line["name"]: line for line in stored()[1]}
    weaker = [line for name, line in by_name.items() if lines()[name].is_weakened and not is_as_asked(line)]
    assert [line["name"] for line in weaker if not any(c.isdigit() for c in reason_of(line, by_name))] == []


def test_every_reason_is_made_of_figures_that_measures_give() -> None:
    sources = "".join(file.read_text() for file in (*MODULES.rglob("*.py"), *PEERS.rglob("*.py")))
    for about in lines().values():
        figures = [field for _, field, _, _ in Formatter().parse(about.because) if field]
        assert bool(figures) is bool(about.because)
        for name, *keys in (re.split(r"[\[\]]+", figure.rstrip("]")) for figure in figures):
            assert name in lines()
            assert [key for key in keys if f'"{key}"' not in sources and key not in ("value", "ours", "peer")] == []
