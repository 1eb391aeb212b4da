"""What an exporter's labels say beside its figures: clusters, instances, releases."""

from __future__ import annotations

import pytest

from streaming.errors import InputError
from tests.says import Says, raises
from tests.streaming.init.asked import init_scenario, saved, words_of

RUNTIME = 'brokerIP="192.0.2.1:10911",brokerHost="h",des="V4_9_4",boottime="1",broker_version="420"'


def page(folder, *lines):
    return saved(folder, "page.txt", "".join(f"rocketmq_{line}\n" for line in lines))


def in_cluster(cluster, broker, per_s):
    return f'producer_tps{{cluster="{cluster}",broker="{broker}",topic="orders",}} {per_s}'


def test_a_broker_of_two_clusters_is_refused(tmp_path):
    file = page(tmp_path, in_cluster("east", "broker-a", 100.5), in_cluster("west", "broker-a", 30.5))
    with raises(InputError, Says("init.scraped-in-two-clusters", ".../page.txt", first="east", second="west")):
        init_scenario(file)


def test_brokers_of_two_clusters_are_noted(tmp_path):
    file = page(tmp_path, in_cluster("east", "broker-a", 100.5), in_cluster("west", "broker-b", 30.5))
    assert Says("init-note.several-clusters", count=2, names="east, west") in words_of(file)


def test_online_consumers_are_the_group_s_instances(tmp_path):
    diff = 'group_diff{group="billing",topic="orders",countOfOnlineConsumers="4",msgModel="1",} 6'
    file = page(tmp_path, in_cluster("east", "broker-a", 100.5), diff)
    assert init_scenario(file).consumers["billing"].count == 4


def test_any_metric_of_a_broker_s_runtime_has_its_release(tmp_path):
    of_broker = 'broker_tps{cluster="east",brokerIP="192.0.2.1:10911",broker="broker-a",} 100.5'
    file = page(tmp_path, of_broker, f"brokeruntime_put_tps60{{{RUNTIME}}} 100.5")
    assert init_scenario(file).brokers["broker-a"].release == "4.9.4"


def test_a_cluster_that_is_idle_now_has_the_load_of_its_last_minutes(tmp_path):
    file = page(tmp_path, in_cluster("east", "broker-a", 0.0), f"brokeruntime_put_tps600{{{RUNTIME}}} 250.0")
    scenario = init_scenario(file)
    assert sum(float(one.rate_per_s) * one.count for one in scenario.producers) == 250


def of_master(address, per_s):
    return f'broker_tps{{cluster="east",brokerIP="{address}",broker="raft1",}} {per_s}'


def test_a_master_without_an_address_is_no_broker_of_its_own(tmp_path):
    gone = 'brokeruntime_put_tps60{cluster="east",brokerIP="",brokerHost="",} 59296.5'
    known = f"brokeruntime_put_tps60{{{RUNTIME}}} 100.5"
    scenario = init_scenario(page(tmp_path, of_master("192.0.2.1:10911", 100.5), of_master("", 0.0), known, gone))
    assert list(scenario.brokers) == ["raft1"]
    assert sum(float(one.rate_per_s) * one.count for one in scenario.producers) == pytest.approx(100.5, rel=0.01)


def test_figures_of_a_former_master_are_noted(tmp_path):
    file = page(tmp_path, of_master("192.0.2.1:10911", 100.5), of_master("192.0.2.2:10911", 12083.87))
    assert Says("init-note.former-masters", broker="raft1", addresses="192.0.2.1:10911, 192.0.2.2:10911") in words_of(
        file
    )
