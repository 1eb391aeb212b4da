"""A report of clients over proxies: what goes over each, when it is away, and who hangs on it."""

from __future__ import annotations

import pytest

from simulator.scenario import parse_scenario
from streaming.report.cards import without_picture
from streaming.report.causes.cause_lines import cause_lines
from streaming.report.collected.data import collect
from streaming.report.collected.proxy_series import NOWHERE
from streaming.report.consumers.pop_cards import pop_cards
from streaming.report.consumers.proxy_cards import proxy_cards, proxy_figures
from streaming.report.figures import figures
from streaming.report.texts.card_texts import CardTexts
from tests.says import Says
from tests.streaming.report.pure_output import write_simulated

KILLED = """
name: one of two proxies is killed
duration: 30s
seed: 5
client: {release: 5.3.3}
proxies: {count: 2, one_host: true}
producers:
  - {group: shop, count: 4, threads: 4, rate: 20/s, grpc: {release: 5.0.8}}
topics: {orders: {queues: 2}}
brokers:
  broker-a: {latency: {constant: 1ms}, release: 5.3.3}
consumers:
  billing: {topic: orders, count: 2, service: 1ms, grpc: {release: 5.0.8, proxy: proxy-1}}
faults:
  - {at: 10s, proxy: proxy-1, kind: kill}
  - {at: 25s, for: 2s, proxy: proxy-2, kind: hang}
"""


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return collect(write_simulated(tmp_path_factory.mktemp("proxies"), parse_scenario(KILLED)))


def test_attempts_are_counted_by_proxy_and_those_without_a_connection_apart(data):
    own = data.proxies
    assert own.names == ["proxy-1", "proxy-2", NOWHERE]
    assert own.attempts.sum() == sum(row.attempts for row in own.totals) > data.series.attempts.sum()
    assert own.failures[-1].sum() == own.attempts[-1].sum() > 0
    assert own.attempts[0].sum() > 0 == own.attempts[0][12:].sum()


def test_the_table_has_what_failed_and_how_long_attempts_took(data):
    of = {row.proxy: row for row in data.proxies.totals}
    assert (of["proxy-1"].p50_ms, of[NOWHERE].failures) == (pytest.approx(3, rel=0.2), of[NOWHERE].attempts)


def test_a_proxy_without_attempts_has_no_latency(tmp_path):
    remoting = KILLED.replace(", grpc: {release: 5.0.8}}\ntopics", "}\ntopics")
    assert remoting != KILLED
    totals = collect(write_simulated(tmp_path, parse_scenario(remoting))).proxies.totals
    assert {(row.attempts, row.p50_ms, row.p99_ms) for row in totals} == {(0, None, None)}


def test_lanes_show_when_a_proxy_is_away_or_stands_still_and_which_one_an_instance_hangs_on(data):
    own = data.proxies
    assert own.down == {"proxy-1": [(10_000_000, 30_000_000)]}
    assert own.still == {"proxy-2": [(25_000_000, 27_000_000)]}
    assert {instance: hangs[0][0] for instance, hangs in own.hangs.items()} == dict.fromkeys(
        ("billing-1", "billing-2"), "proxy-1"
    )
    names = [bar["name"] for bar in proxy_figures(data)["proxy-lanes"]["data"]]
    assert names[:4] == ["runs", "away", "stands still", "proxy-1"]


def test_an_instance_whose_process_is_away_hangs_on_no_proxy(tmp_path):
    killed = KILLED + "  - {at: 5s, for: 3s, consumer: billing-2, kind: kill}\n"
    hangs = collect(write_simulated(tmp_path, parse_scenario(killed))).proxies.hangs
    assert [until_us for _, _, until_us in hangs["billing-2"] if until_us <= 8_000_000] == [5_000_000]
    assert all(from_us >= 8_000_000 for _, from_us, _ in hangs["billing-2"][1:])
    assert hangs["billing-1"][0][2] > 8_000_000


def test_there_is_a_card_of_each_picture(data):
    assert all(proxy_figures(data).values())
    assert [card.name for card in proxy_cards(data)] == ["proxy-lanes", "proxy-load", "proxy-latency"]
    assert proxy_cards(data)[0].note == Says("card.proxies-note")


def test_the_card_of_what_comes_again_calls_the_group_a_grpc_group(data):
    (card,) = pop_cards(data)
    assert card.title == Says("card.popped-over-proxies", group="billing")


def test_attempts_that_reached_no_broker_are_not_said_not_to_have_failed(data):
    assert not data.series.failures.any()
    nothing = without_picture(data, figures(data))
    count = int(data.proxies.failures.sum())
    assert CardTexts.FAILED_UNREACHED(count=count) in nothing
    assert CardTexts.NO_ATTEMPT_FAILED() not in nothing
    assert CardTexts.NO_RETRY() not in nothing


def test_what_proxies_hold_of_brokers_is_no_isolation_by_producers(tmp_path):
    measuring = KILLED.replace(
        "one_host: true", "release: 5.3.3, send_latency_enable: true, start_detector_enable: true"
    )
    hangs = "faults: [{at: 10s, for: 5s, broker: broker-a, kind: hang}]"
    data = collect(write_simulated(tmp_path, parse_scenario(measuring.split("faults:")[0] + hangs)))
    held = [row for batch in data.output.batches("fault_items", ["producer"]) for row in batch.to_pylist()]
    assert {row["producer"] for row in held} > set()
    assert min(row["producer"] for row in held) >= data.output.producers
    assert data.isolation.isolated_us.sum() == 0
    assert isinstance(cause_lines(data), list)
