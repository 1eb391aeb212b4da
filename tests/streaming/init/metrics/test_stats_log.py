"""A broker's stats.log: the minute of the highest load, the topics' parts, and what groups take."""

from __future__ import annotations

import pytest

from streaming.errors import InputError
from streaming.init.texts.init_source_texts import InitSourceTexts
from tests.says import Says, raises
from tests.streaming.init.asked import init_scenario, init_text, saved, words_of


def line(minute, name, key, tps, span="Minute"):
    figures = f"SUM: {round(tps * 60)} TPS: {tps:.2f} AVGPT: 1.00"
    return f"2026-11-25 10:0{minute}:00 INFO - [{name}] [{key}] Stats In One {span}, {figures}\n"


LOG = "".join(
    (
        line(0, "TOPIC_PUT_NUMS", "orders", 75.42),
        line(0, "TOPIC_PUT_SIZE", "orders", 75_420.0),
        line(0, "BROKER_PUT_NUMS", "DefaultCluster", 79.0),
        line(0, "GROUP_GET_NUMS", "orders@billing", 61.0),
        "2026-11-25 10:00:00 INFO - [GROUP_GET_FALL_SIZE] [0@orders@billing] Stats Every 5 Minutes, Value: 123\n",
        line(1, "TOPIC_PUT_NUMS", "orders", 65.42),
        line(1, "TOPIC_PUT_NUMS", "RMQ_SYS_TRANS_HALF_TOPIC", 900.0),
        line(1, "TOPIC_PUT_NUMS", "refunds", 4.0),
        line(0, "TOPIC_PUT_NUMS", "orders", 999.0, span="Hour"),
    )
)


def rate_of(*files):
    return sum(float(one.rate_per_s) * one.count for one in init_scenario(*files).producers)


def test_the_minute_of_the_highest_load_is_taken(tmp_path):
    file = saved(tmp_path, "stats.log", LOG)
    assert rate_of(file) == pytest.approx(75.42)
    most = Says("init-source.minute-of-several", source="stats.log: TOPIC_PUT_NUMS", minute="2026-11-25 10:00", count=2)
    assert most in words_of(file)


def test_topics_sizes_groups_and_the_cluster_are_read(tmp_path):
    file = saved(tmp_path, "stats.log", LOG)
    scenario = init_scenario(file)
    assert (scenario.name, list(scenario.consumers)) == ("DefaultCluster", ["billing"])
    mean = InitSourceTexts.MEAN_OF_MINUTES(source="stats.log: TOPIC_PUT_NUMS")
    assert f"topics: {{orders: 97.2, refunds: 2.8}} {mean}" in words_of(file)
    assert "message_bytes: 1000B" in words_of(file)


def test_logs_of_several_brokers_are_added_up(tmp_path):
    files = [saved(tmp_path, f"stats-{name}.log", LOG) for name in "ab"]
    assert rate_of(*files) == pytest.approx(150.84)


def test_a_line_that_is_cut_off_is_a_sentence(tmp_path):
    with raises(InputError, Says("init.stats-time-expected", ".../stats.log:1")):
        init_text(saved(tmp_path, "stats.log", LOG[:80]))
