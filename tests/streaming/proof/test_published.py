"""`sendlab verify published`: scenarios of published benchmarks give what docs/published.md says of them."""

from __future__ import annotations

import pytest

from streaming.proof.published.producer_grid import grid_figures, of_scenario, published_points
from streaming.proof.published.published_figure import PublishedFigure
from streaming.proof.published.single_broker import broker_away, one_broker
from tests.house.tree import ROOT
from tests.says import Says
from tests.streaming.asked import ask

PAGE = (ROOT / "docs" / "published.md").read_text()


@pytest.fixture(scope="module")
def cells():
    return of_scenario(published_points())


def test_the_fitted_cells_are_within(cells):
    assert [figure for figure in grid_figures(cells) if not figure.is_within] == []


def test_the_page_shows_what_the_scenario_gives(cells):
    for each in cells:
        assert f"| {each.point.per_s:,.0f} | {each.per_s:,.0f} ({each.throughput_ratio - 1:+.1%}) |" in PAGE


@pytest.mark.parametrize(("table", "within"), [(broker_away, 4), (one_broker, 2)])
def test_the_page_shows_what_a_broker_gives(table, within):
    figures = table()
    assert sum(figure.is_within for figure in figures) == within
    for figure in figures:
        assert f"| {figure.what} | {figure.published:,.0f} | {figure.simulated:,.0f}" in PAGE


def test_nothing_is_within_a_share_of_nothing_but_nothing():
    said = [PublishedFigure("", "lost", "messages", 0, lost, 0.02, "predicted").is_within for lost in (0, 1)]
    assert said == [True, False]


def test_a_page_without_marks_is_kept(monkeypatch, capsys, tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# Mine\n")
    code, said = ask(monkeypatch, capsys, "verify", "published", "--out", page)
    assert (code, Says("proof.tables-expected") in said, page.read_text()) == (2, True, "# Mine\n")
