"""The scenario of the published benchmark gives what docs/published.md says of it."""

import pytest

from streaming.fitting.point_file import read_points
from tests.house.tree import ROOT
from tests.published_page import AWAY_WITHIN, GRID, broker_away, of_scenario, one_broker

PAGE = (ROOT / "docs" / "published.md").read_text()


@pytest.fixture(scope="module")
def cells():
    return of_scenario(read_points(GRID, 8))


def test_the_fitted_cells_are_within(cells):
    assert [each.point for each in cells if not each.is_within] == []


def test_the_page_shows_what_the_scenario_gives(cells):
    for each in cells:
        assert f"| {each.point.per_s:,.0f} | {each.per_s:,.0f} ({each.throughput_ratio - 1:+.1%}) |" in PAGE


def test_a_group_gets_what_was_published_of_a_broker_that_is_away():
    for what, published, ours in broker_away():
        assert ours == pytest.approx(published, rel=AWAY_WITHIN, abs=0.5), what
        assert f"| {what} | {published:,} | {ours:,} |" in PAGE


def test_one_broker_gives_what_the_page_says_with_its_own_threads():
    for row, ours in one_broker():
        published = float(row["produced_per_s"])
        assert f"| {row['size']} | {row['threads']} | {published:,.0f} | {ours:,.0f} (" in PAGE
