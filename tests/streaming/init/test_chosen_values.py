"""What a scenario gets where files say several things, one thing, or nothing."""

from __future__ import annotations

import pytest

from simulator.releases.ledger import NEWEST
from streaming.init.chosen_values import OperatorAnswers, known_release, latency_of, sender_threads, service_of
from streaming.init.cluster_facts import BrokerFacts, ConsumerFacts, Sourced
from streaming.texts.init_texts import InitTexts
from tests.says import Said, Says
from tests.streaming.init.asked import RECORDED, init_scenario, init_text, saved

NOTHING_KNOWN = BrokerFacts()


@pytest.mark.parametrize(
    ("said", "taken"), [("5.3.3", "5.3.3"), ("5.3.9", "5.3.3"), ("4.9.9", "4.9.8"), ("3.2.6", None)]
)
def test_a_release_that_is_not_modelled_is_the_nearest_older_one(said, taken):
    assert known_release(said) == taken


def test_the_highest_load_that_a_file_says_is_taken():
    scenario = init_scenario("5.3.3/clusterList.txt", "metrics/range.json")
    assert sum(float(one.rate_per_s) * one.count for one in scenario.producers) == pytest.approx(88.7, abs=0.05)


def test_what_the_operator_says_wins():
    answers = OperatorAnswers(rate_per_s=Sourced(500.0, "given"), producers=Sourced(4, "given"))
    (group,) = init_scenario("metrics/range.json", answers=answers).producers
    assert (group.count, float(group.rate_per_s)) == (4, 125.0)


def test_a_put_time_is_the_end_of_its_class_at_most():
    broker = BrokerFacts(put_ms=Sourced({0.0: 90, 10.0: 9, 50.0: 1}, "status"))
    assert latency_of(broker, NOTHING_KNOWN, 10).value == "{lognormal: {p50: 0.3ms, p99: 10ms}}"


def test_an_assumed_service_time_leaves_the_send_threads_mostly_idle():
    known = latency_of(NOTHING_KNOWN, NOTHING_KNOWN, 20_000.0)
    assert known.value == "{lognormal: {p50: 0.04ms, p99: 0.37ms}}"
    assert Says("init-source.so-short", per_s=20_000.0, busy=0.3) in Said(known.source)


def test_a_service_time_that_no_file_has_is_short_enough_for_what_is_consumed():
    group = ConsumerFacts(per_s=Sourced(10_000.0, "progress"))
    assert service_of(group, 2).value == "2ms"  # 40 threads: 4 ms at most


def test_a_fast_producer_has_a_thread_for_each_50_messages_a_second():
    assert [sender_threads(per_s).value for per_s in (1.0, 50.0, 51.0)] == [1, 1, 2]


def test_a_group_that_does_not_push_or_has_no_instance_is_left_out_with_the_reason(tmp_path):
    table = (
        "#Group   #Count  #Version   #Type  #Model          #TPS     #Diff Total\n"
        "away     0       OFFLINE                           0        12\n"
        "lite     1       V5_3_3     PULL   CLUSTERING      5        0\n"
    )
    text = init_text(saved(tmp_path, "progress.txt", table))
    for group, why in (("away", InitTexts.NO_INSTANCE()), ("lite", InitTexts.NO_PUSH_CONSUMER(kind="PULL"))):
        assert InitTexts.GROUP_LEFT_OUT(group=group, why=why) in " ".join(text.replace("#", "").split())


def test_a_topic_that_can_only_be_read_on_a_broker_has_its_route_written_out(tmp_path):
    route = (
        "#ClusterName  #BrokerName  #BrokerAddrs    #ReadQueue #WriteQueue #Perm\n"
        "c             broker-a     {0=10.0.0.1:1}  8          4           6\n"
        "c             broker-b     {0=10.0.0.2:1}  8          8           4\n"
    )
    (a, b) = init_scenario(saved(tmp_path, "topicRoute-pay.txt", route)).topics["pay"].route
    assert (a.write_queues, a.permission, b.permission) == (4, "rw", "r")


@pytest.mark.parametrize("release", ["5.4.0", "5.5.0"])
def test_the_release_of_brokers_alone_is_that_of_the_clients_too(tmp_path, release):
    listed = (RECORDED / "5.3.3" / "clusterList.txt").read_text().replace("V5_3_3", f"V{release.replace('.', '_')}")
    scenario = init_scenario(saved(tmp_path, "clusterList.txt", listed))
    assert {broker.release for broker in scenario.brokers.values()} == {release}
    assert scenario.client.release == release


def test_where_no_file_says_a_release_it_is_the_newest():
    scenario = init_scenario()
    assert scenario.client.release == NEWEST == "5.5.0"
    assert {broker.release for broker in scenario.brokers.values()} == {NEWEST}
    assert scenario.name_servers.release == NEWEST
