"""A report of a POP group: what came again and why, as a finding with its cause and as a picture."""

from __future__ import annotations

import pytest

from simulator.scenario import parse_scenario
from streaming.report.causes.cause_lines import cause_lines, shown_findings
from streaming.report.causes.proving import prove_output
from streaming.report.collected.data import collect
from streaming.report.consumers.consumer_cards import owner_cards
from streaming.report.consumers.consumer_figures import consumer_figures
from streaming.report.consumers.pop_cards import pop_cards, pop_figures
from streaming.report.findings.about_pops import about_pops
from tests.says import Says
from tests.streaming.report.pure_output import write_simulated

FROZEN = """
name: a frozen instance of a POP group
duration: 40s
seed: 5
client: {release: 5.3.3}
producers: {group: shop, count: 2, threads: 4, rate: 10/s}
topics: {orders: {queues: 4}}
brokers:
  broker-a: {latency: {constant: 1ms}, release: 5.3.3}
  broker-b: {like: broker-a}
consumers:
  billing: {topic: orders, count: 3, threads: 20, service: 100ms, consume_mode: POP, pop_invisible_time: 10s}
  audit: {topic: orders, count: 2, threads: 4, service: 1ms}
faults: [{at: 5s, for: 20s, consumer: billing-2, kind: hang}]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    found = write_simulated(tmp_path_factory.mktemp("pop"), parse_scenario(FROZEN))
    prove_output(found, 60.0)
    return found


@pytest.fixture(scope="module")
def data(folder):
    return collect(folder)


def test_a_finding_names_the_frozen_instance_as_the_cause_and_the_reason(data):
    (one,) = [found for found in shown_findings(cause_lines(data)) if found.kind == "revived"]
    assert (one.because, one.proven, one.without) == (("F1",), True, {"F1": 0.0})
    assert one.size == data.pops[1].again.sum() > 0
    assert one.text == Says("consequence.revived", why="; instance away or unanswered")
    assert one.text.endswith(" (without F1: 0).")


def test_without_a_proof_the_totals_say_it(data):
    (one,) = about_pops(data.summary.pops)
    assert one.text == Says("group-finding.revived", why="instance away or unanswered")


def test_a_pop_group_has_a_picture_and_a_group_that_pulls_has_none(data):
    made = pop_figures(data)
    assert [name for name, figure in made.items() if figure] == ["popped-1"]
    again = [trace for trace in made["popped-1"]["data"] if trace["meta"]["set"] == "again"]
    assert [trace["name"] for trace in again] == ["instance away or unanswered"]
    (card,) = pop_cards(data)
    assert card.name == "popped-1"
    assert card.note == Says("card.popped-note", count=data.pops[1].again.sum())


def test_who_pops_where_has_a_row_for_each_instance_and_broker_and_no_owners(data):
    figure = consumer_figures(data)["owners-1"]
    rows = [f"{broker}:billing-{number}" for broker in ("broker-a", "broker-b") for number in (1, 2, 3)]
    assert figure["layout"]["yaxis"]["ticktext"] == rows
    assert [trace["name"] for trace in figure["data"]] == ["nobody", "billing-1", "billing-2", "billing-3"]
    assert [card.note for card in owner_cards(data)] == [Says("card.owners-note"), Says("card.poppers-note")]


def test_what_is_invisible_is_the_most_of_all_brokers_in_a_window(data):
    assert data.pops[1].invisible.max() == data.summary.pops[0].most_invisible > 2


def test_who_shares_queues_pops_where_too_and_no_queue_has_several_owners(tmp_path):
    text = FROZEN.replace("pop_invisible_time: 10s", "pop_share_queue_num: 1")
    shared = collect(write_simulated(tmp_path, parse_scenario(text)))
    figure = consumer_figures(shared)["owners-1"]
    rows = [f"{broker}:billing-{number}" for broker in ("broker-a", "broker-b") for number in (1, 2, 3)]
    assert figure["layout"]["yaxis"]["ticktext"] == rows
    assert "several owners" not in [trace["name"] for trace in figure["data"]]
    assert owner_cards(shared)[1].note == Says("card.poppers-note")
