"""Metrics that brokers of 5.1 and later export themselves."""

from __future__ import annotations

import pytest

from tests.says import Says
from tests.streaming.init.asked import init_scenario, saved, words_of

OF_BROKER = 'cluster="D",node_type="broker",node_id="{}"'


def sample(metric, value, at_s, node="broker-a", **labels):
    own = "".join(f',{name}="{text}"' for name, text in labels.items())
    when = "" if at_s is None else f" {at_s}000"
    return f"rocketmq_{metric}{{{OF_BROKER.format(node)}{own}}} {value}{when}\n"


def scrape(at_s, orders, refunds, lag=77, node="broker-a", aggregation=None):
    more = {"aggregation": aggregation} if aggregation else {}
    of_orders = {"topic": "orders", "message_type": "normal", "is_system": "false", **more}
    of_refunds = {"topic": "refunds", "message_type": "normal", "is_system": "false", **more}
    of_client = {"consumer_group": "billing", "version": "v5_1_4", "consume_mode": "push"}
    of_group = {"topic": "orders", "consumer_group": "billing", "is_system": "false"}
    return "".join(
        (
            sample("messages_in_total", orders, at_s, node, **of_orders),
            sample("messages_in_total", refunds, at_s, node, **of_refunds),
            sample("messages_in_total", 5, at_s, node, topic="rmq_sys_wheel_timer", is_system="true"),
            sample("throughput_in_total", orders * 900, at_s, node, **of_orders),
            sample("messages_out_total", orders // 2, at_s, node, is_retry="false", **of_group),
            sample("producer_connections", 4, at_s, node, language="java", version="v5_1_4"),
            sample("consumer_connections", 2, at_s, node, **of_client),
            sample("consumer_lag_messages", lag, at_s, node, is_retry="false", **of_group),
            sample("consumer_lag_messages", 3, at_s, node, is_retry="true", **of_group),
        )
    )


def rate_of(file):
    return sum(float(one.rate_per_s) * one.count for one in init_scenario(file).producers)


def test_one_page_has_no_load_but_parts_sizes_and_backlogs(tmp_path):
    file = saved(tmp_path, "metrics.txt", scrape(None, 60_000, 600))
    words = words_of(file)
    assert Says("init-note.counts-since-start", metric="rocketmq_messages_in_total") in words
    assert "topics: {orders: 99, refunds: 1}" in words
    assert "message_bytes: 900B" in words
    assert "it was 77 messages behind (metrics.txt: rocketmq_consumer_lag_messages)" in words


def test_names_counts_and_releases_are_those_of_the_labels(tmp_path):
    scenario = init_scenario(saved(tmp_path, "metrics.txt", scrape(None, 9, 9) + scrape(None, 9, 9, node="broker-b")))
    assert (scenario.name, sorted(scenario.brokers)) == ("D", ["broker-a", "broker-b"])
    assert (scenario.producer_count, scenario.client.release) == (4, "5.1.4")
    assert (scenario.consumers["billing"].count, scenario.consumers["billing"].release) == (2, "5.1.4")


@pytest.mark.parametrize(("second", "per_s"), [((66_000, 660), 101.0), ((600, 6), 10.1)])
def test_counters_have_a_rate_between_two_scrapes_also_when_a_broker_began_again(tmp_path, second, per_s):
    page = scrape(1_700_000_000, 60_000, 600) + scrape(1_700_000_060, *second)
    assert rate_of(saved(tmp_path, "metrics.txt", page)) == pytest.approx(per_s, abs=0.01)


def test_brokers_are_added_up(tmp_path):
    page = "".join(
        scrape(1_700_000_000 + 60 * i, 60_000 + 6_000 * i, 0, node=node)
        for node in ("broker-a", "broker-b")
        for i in (0, 1)
    )
    file = saved(tmp_path, "metrics.txt", page)
    assert rate_of(file) == pytest.approx(200)
    assert "it was 154 messages behind" in words_of(file)


def test_counters_of_an_interval_are_no_load(tmp_path):
    page = scrape(1_700_000_000, 60, 6, aggregation="delta") + scrape(1_700_000_060, 66, 6, aggregation="delta")
    words = words_of(saved(tmp_path, "metrics.txt", page))
    assert Says("init-note.counts-of-exports") in words


def test_a_negative_lag_is_no_backlog(tmp_path):
    words = words_of(saved(tmp_path, "metrics.txt", scrape(None, 9, 9, lag=-5)))
    facts = {"metric": "rocketmq_consumer_lag_messages", "group": "billing", "topic": "orders", "count": -5}
    assert Says("init-note.beyond-the-end", **facts) in words
    assert "messages behind" not in words


def test_brokers_that_are_scraped_at_moments_of_their_own_are_added_up(tmp_path):
    page = "".join(
        scrape(1_700_000_000 + 60 * i + late_s, 60_000 + 6_000 * i, 0, node=node)
        for node, late_s in (("broker-a", 0), ("broker-b", 23))
        for i in (0, 1)
    )
    file = saved(tmp_path, "metrics.txt", page)
    assert rate_of(file) == pytest.approx(200)
    assert "it was 154 messages behind" in words_of(file)


def test_a_slave_s_figures_are_not_added_to_its_master_s(tmp_path):
    pages = [scrape(None, 9, 9, lag=lag).replace("cluster=", f'instance="{who}:5557",cluster=') for who, lag in
             (("a", 77), ("a-slave", 70))]  # fmt: skip
    assert "it was 77 messages behind" in words_of(saved(tmp_path, "metrics.txt", "".join(pages)))


def test_a_page_without_throughput_has_sizes_by_its_histogram(tmp_path):
    own = {"topic": "orders", "message_type": "normal", "is_system": "false"}
    text = sample("messages_in_total", 100, None, **own) + sample("message_size_sum", 200_000, None, **own)
    words = words_of(saved(tmp_path, "metrics.txt", text + sample("message_size_count", 100, None, **own)))
    assert "message_bytes: 2000B" in words
    assert "metrics.txt: rocketmq_message_size_sum over rocketmq_message_size_count" in words
