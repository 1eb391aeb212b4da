"""A report of groups that filter: what brokers looked at for them, and what they gave them."""

from __future__ import annotations

import pytest

from simulator.scenario import parse_scenario
from streaming.report.collected.data import collect
from streaming.report.consumers.filter_cards import filter_cards, filter_figures
from tests.says import Says
from tests.streaming.report.pure_output import write_simulated

FILTERS = """
name: groups that filter
duration: 10s
seed: 5
client: {release: 5.3.3}
producers: {group: shop, count: 2, threads: 2, rate: 50/s}
topics: {orders: {queues: 2, tags: {paid: 1, open: 3}, properties: {region: {eu: 3, us: 1}}}}
brokers:
  broker-a: {latency: {constant: 1ms}, enable_property_filter: true}
consumers:
  all: {topic: orders, service: 1ms}
  by-sql: {topics: {orders: {sql: "region = 'us'"}}, service: 1ms}
  by-tag: {topics: {orders: paid}, service: 1ms}
"""
BY_SQL, BY_TAG = 1, 2


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return collect(write_simulated(tmp_path_factory.mktemp("filters"), parse_scenario(FILTERS)))


def test_groups_that_filter_have_a_picture_and_a_group_that_takes_everything_has_none(data):
    assert [name for name, figure in filter_figures(data).items() if figure] == ["filtered-1", "filtered-2"]
    assert [card.name for card in filter_cards(data)] == ["filtered-1", "filtered-2"]


def test_what_a_broker_leaves_out_by_tag_costs_no_look_at_properties(data):
    assert (data.filters[BY_TAG].read.sum(), data.filters[BY_SQL].passed_by.sum()) == (0, 0)
    assert data.filters[BY_SQL].read.sum() == pytest.approx(3 * data.filters[BY_SQL].given.sum(), rel=0.2)


def test_the_note_has_the_expression_and_the_counts(data):
    own = data.filters[BY_SQL]
    given, looked = own.given.sum(), own.given.sum() + own.read.sum()
    note = Says("card.filtered-note", expressions="orders: region = 'us'", given=given, looked=looked)
    assert filter_cards(data)[0].note == note
