"""Files of clusters that were read wrongly elsewhere, each with its right value."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from simulator.scenario.texts.reading_texts import ReadingTexts
from streaming.errors import InputError
from streaming.texts.import_note_texts import ImportNoteTexts
from streaming.texts.init_texts import InitTexts
from tests.says import Says, prints, raises
from tests.streaming.init.asked import init_scenario, init_text, saved
from tests.streaming.init.asked import words_of as words_in

REPORTED = Path(__file__).parent / "reported"


def words_of(*names):
    return words_in(*(REPORTED / name for name in names))


def scenario_of(*names):
    return init_scenario(*(REPORTED / name for name in names))


def rate_of(scenario):
    return sum(float(one.rate_per_s) * one.count for one in scenario.producers)


def test_an_exporter_that_prints_sums_of_a_minute_is_reported_by_the_brokers_own_put_rate():
    assert rate_of(scenario_of("exporter-minute-sums")) == pytest.approx(0.9, abs=0.001)
    words = words_of("exporter-minute-sums")
    why = ImportNoteTexts.SUM_AS_ANOTHER_SHOWS(known="rocketmq_brokeruntime_put_tps10", per_s=0.9)
    assert f"rocketmq_producer_tps is {why}" in words


def test_an_exporter_page_without_tps_has_rate_size_and_cluster():
    scenario, words = scenario_of("exporter-without-tps"), words_of("exporter-without-tps")
    assert (rate_of(scenario), scenario.name, list(scenario.brokers)) == (340.0, "DefaultCluster", ["broker-a"])
    assert "message_bytes: 812B" in words
    assert "release: 5.3.3 page.txt: label des" in words


def test_model_0_is_broadcasting():
    assert scenario_of("exporter-without-tps").consumers["billing"].message_model == "BROADCASTING"
    assert "backlog" not in words_of("exporter-without-tps")  # its offsets are the instances' own


def test_stats_all_has_topics_with_their_rate_and_groups_with_their_backlog():
    scenario, words = scenario_of("stats-all"), words_of("stats-all")
    assert (sorted(scenario.topics), sorted(scenario.consumers)) == (["orders", "refunds"], ["audit", "billing"])
    assert rate_of(scenario) == pytest.approx(77.52)
    assert "{orders: 97.3, refunds: 2.7} stats.txt: statsAll: #InTPS" in words
    assert "backlog: 9120 stats.txt: statsAll: #Accumulation" in words
    assert "backlog: 13 stats.txt: statsAll: #Accumulation" in words


@pytest.mark.parametrize("order", list(itertools.permutations(("brokers.txt", "clusterList.txt"))))
def test_a_slave_is_no_master_whichever_file_comes_first(order):
    brokers = scenario_of(*(f"slave-in-broker-status/{name}" for name in order)).brokers
    assert {name: broker.slaves for name, broker in brokers.items()} == {"broker-a": 1}


def test_a_broker_that_did_not_answer_has_no_load():
    words = words_of("broker-did-not-answer")
    assert Says("init-note.did-not-answer", place="clusterList.txt:8", broker="broker-a") in words
    assert "it stored" not in words


def test_a_cut_topic_is_the_one_that_begins_so():
    scenario = scenario_of("cut-topic")
    (topic,) = scenario.topics
    assert topic == "order_payment_settlement_notification"
    (group,) = scenario.consumers.values()
    assert group.topic == topic


def test_tags_of_a_subscription_are_kept():
    words = words_of("tag-expression")
    assert "topics: {orders: new || paid}" in words
    assert scenario_of("tag-expression").consumers["billing"].message_model == "BROADCASTING"


def test_offsets_beyond_the_end_are_no_backlog():
    words = words_of("offsets-beyond-the-end")
    assert "backlog: 13 groups.txt: consumerProgress -g billing" in words
    queues = "orders broker-a 0, orders broker-a 1"
    assert Says("init-note.offsets-beyond", group="billing", count=2, queues=queues) in words


def test_brokers_that_only_a_group_names_are_all_there_are():
    assert sorted(scenario_of("two-brokers").brokers) == ["broker-a", "broker-b"]


def test_the_peers_of_dledger_are_a_set_that_elects_its_master():
    broker = scenario_of("unmodelled-settings/raft.conf").brokers["broker0"]
    assert (broker.mode, broker.replicas, broker.transient_store_pool, broker.send_threads) == ("dledger", 3, False, 16)
    words = words_of("unmodelled-settings/raft.conf")
    assert f"raft.conf:13: transientStorePoolEnable {ReadingTexts.NO_EFFECT_UNDER_DLEDGER()}" in words


def test_one_broker_of_a_controller_is_a_master_that_nobody_takes_over_from():
    broker = scenario_of("unmodelled-settings/controller.conf").brokers["broker-a"]
    assert (broker.mode, broker.replicas, broker.all_ack_in_sync_state_set) == ("master_slave", 1, False)
    words = words_of("unmodelled-settings/controller.conf")
    assert prints(words, InitTexts.ALONE_IN_ITS_SET, broker="broker-a", mode="controller")
    assert "controller.conf:6: broker-a is in controller mode" in words


def test_a_value_that_rocketmq_cannot_read_is_its_default():
    words = words_of("unmodelled-settings/slave-b.conf")
    assert (
        "slave-b.conf:12: mapedFileSizeCommitLog: RocketMQ cannot read '1024 * 1024 * 1024' as a whole number" in words
    )
    assert "mapped_file_size_commit_log" not in words


def test_a_broker_that_gets_nothing_gets_nothing():
    scenario, words = scenario_of("broker-gets-nothing"), words_of("broker-gets-nothing")
    assert sorted(scenario.brokers) == ["broker-a", "broker-b"]
    assert [topic.brokers for topic in scenario.topics.values()] == [("broker-a",)]
    assert "broker-b stored nothing (clusterList.txt: #InTPS)" in words
    assert Says("init-note.without-master", brokers="broker-c") in words


def test_an_application_s_log_is_called_one(tmp_path):
    log = "2026-11-25 10:00:00.123 ERROR 1 --- [main] o.s.b.SpringApplication : failed\n" + (
        "org.springframework.beans.factory.BeanCreationException: Error creating bean\n\tat x.Y.z(Y.java:1)\n"
    )
    client = "  .   ____\norg.apache.rocketmq.client.exception.MQClientException: No route info of this topic\n"
    for text in (log, log.partition("\n")[2], client, '{"@timestamp":"2026-11-25T10:00:00Z","level":"ERROR"}\n'):
        with raises(InputError, Says("init.application-log", ".../app.log:1")):
            init_text(saved(tmp_path, "app.log", text))


def test_a_slave_of_an_idle_cluster_is_no_master(tmp_path):
    text = (REPORTED / "slave-in-broker-status" / "brokers.txt").read_text()
    idle = text.replace("201.5 200.3 198.8", "0.0 0.0 0.0")
    (broker,) = init_scenario(saved(tmp_path, "brokers.txt", idle)).brokers.values()
    assert broker.slaves == 1
