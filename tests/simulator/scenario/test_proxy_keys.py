"""What does not fit gRPC producers and proxies is refused with a sentence that says what is wrong."""

from __future__ import annotations

import numpy as np
import pytest
from pyarrow.csv import read_csv

from simulator.releases.ledger import NEWEST
from simulator.scenario import ScenarioError, parse_scenario
from simulator.scenario.proxy_settings import HOP_US
from tests.says import Says, raises
from tests.simulator.scenario.test_sending_keys import said
from tests.simulator.small import scenario_of, text_of

PROXIES = {"count": 2}
STRUCK = {"at": "1s", "for": "1s", "kind": "kill", "proxy": "proxy-1"}


@pytest.mark.parametrize(
    ("producers", "says"),
    [
        ({"mode": "oneway"}, Says("broker.grpc-one-way", "...mode")),
        ({"batch": 3}, Says("broker.grpc-batch", "...batch", got=3)),
        ({"selector": "random"}, Says("broker.grpc-selector", got="random")),
        ({"client": {"release": "5.3.3"}}, Says("broker.remoting-settings", "...client")),
        (
            {"grpc": {"release": "4.9.8"}},
            Says("reading.not-known", "...grpc.release", what="release of the java client"),
        ),
        (
            {"grpc": {"client": "go", "release": 5}},
            Says("reading.not-known", "...release", known="5.0.0, 5.1.0, 5.1.2, 5.1.4"),
        ),
        ({"grpc": {"client": "golang"}}, Says("field.expected", "...grpc.client", got='"golang"', near="go")),
        ({"grpc": {"client": "C#"}}, Says("field.expected", "...grpc.client", near="csharp")),
        ({"grpc": {"proxy": "proxy-9"}}, Says("reading.not-known", name="proxy-9", known="proxy-1, proxy-2")),
        ({"grpc": {"proxy": ["proxy-1", "proxy-2"]}}, Says("proxied.one-for-each", "...proxy", clients=1, got=2)),
        ({"grpc": {"max_attempts": 0}}, Says("field.expected", low=1, high=100, got=0)),
    ],
)
def test_groups(producers, says):
    assert says in said(proxies=PROXIES, producers={"grpc": {}} | producers)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"proxies": None}, Says("broker.proxies-missing")),
        ({"producers": {"count": 1}}, Says("broker.proxies-unused", "...proxies")),
        ({"cells": 2, "producers": {"grpc": {}, "count": 2}}, Says("broker.proxies-shared", "...cells", got=2)),
        ({"topics": {"orders": {"auto_create": True}}}, Says("broker.grpc-auto-create")),
        ({"network": [{"each_way": "1ms"}]}, Says("broker.network-with-proxies")),
        (
            {"faults": [STRUCK | {"proxy": "proxy-3"}]},
            Says("reading.not-known", name="proxy-3", known="proxy, proxy-1, proxy-2"),
        ),
        ({"faults": [STRUCK | {"broker": "a"}]}, Says("fault.exclusive", "...proxy", first="broker", second="proxy")),
        (
            {"proxies": {"release": "4.9.8"}},
            Says("broker.no-proxy-before", "...proxies.release", first="5.0.0", release="4.9.8"),
        ),
        (
            {"faults": [STRUCK | {"kind": "silent_death"}]},
            Says("fault.not-of-proxies", kind="silent_death"),
        ),
        ({"proxies": {"mode": "remote"}}, Says("field.expected", "...proxies.mode", expected="one of cluster, local")),
        ({"proxies": {"hop": "fast"}}, Says("unit.expected", "...proxies.hop.constant", noun="duration", got='"fast"')),
        (
            {"proxies": {"send_latency_enable": True, "release": "5.1.4"}},
            Says("broker.proxy-not-before", release="5.1.4", first="5.2.0"),
        ),
        (
            {"proxies": {"start_detector_enable": True}},
            Says("broker.detector-without-fault-strategy", "...start_detector_enable"),
        ),
    ],
)
def test_scenarios(changes, says):
    assert says in said(**({"proxies": PROXIES, "producers": {"grpc": {}}} | changes))


def test_a_delay_level_is_refused():
    delayed = {"grpc": {}, "delay": {"level": 3}}
    readers = {"billing": {"topic": "orders", "count": 1, "service": "1ms"}}
    assert Says("broker.grpc-delay-level") in said(proxies=PROXIES, producers=delayed, consumers=readers)


def test_a_partition_of_grpc_producers_is_refused():
    cut = {"at": "1s", "for": "1s", "kind": "partition", "broker": "a", "producers": "producers"}
    assert Says("broker.network-of-grpc", group="producers") in said(
        proxies=PROXIES, producers={"grpc": {}}, faults=[cut]
    )


def test_a_scenario_is_written_as_it_is_read():
    scenario = scenario_of(
        proxies={"count": 3, "one_host": True, "hop": "4ms"},
        producers={"grpc": {"release": "5.0.7", "request_timeout": "2s"}},
        faults=[STRUCK, {"at": "1s", "kind": "rolling_restart", "proxy": "all", "each": "1s", "pause": "0s"}],
    )
    assert parse_scenario(scenario.to_yaml()).digest() == scenario.digest()
    assert scenario.fault_periods()[0].title == "proxy-1 is killed"


def test_proxies_count_in_the_digest():
    digests = {
        parse_scenario(text_of(proxies={"count": count}, producers={"grpc": {"max_attempts": attempts}})).digest()
        for count in (1, 2)
        for attempts in (1, 2)
    }
    assert len(digests) == 4


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"proxies": {"mode": "local", "count": 2}}, Says("broker.of-cluster-mode", "...proxies.count")),
        ({"faults": [STRUCK]}, Says("broker.local-proxy", "...faults[0].proxy", name="a")),
        (
            {"faults": [{"at": "1s", "for": "1s", "kind": "partition", "broker": "a"}]},
            Says("broker.local-fault", "...faults[0].kind"),
        ),
        ({"producers": {"grpc": {"proxy": "proxy-1"}}}, Says("broker.local-client", "...producers.grpc.proxy")),
        (
            {"brokers": {"a": {"latency": {"constant": "1ms"}, "release": "5.3.2"}}},
            Says("broker.local-release", "...brokers.a.release", release=NEWEST),
        ),
    ],
)
def test_proxies_in_brokers(changes, says):
    given = {"proxies": {"mode": "local"}, "producers": {"grpc": {}}} | changes
    with raises(ScenarioError, says):
        scenario_of(**given)


def test_proxies_in_brokers_are_written_as_they_are_read():
    scenario = scenario_of(proxies={"mode": "local"}, producers={"grpc": {}})
    assert parse_scenario(scenario.to_yaml()).digest() == scenario.digest()
    assert scenario.proxy_names == []


def test_the_default_hop_is_that_of_recorded_pairs_of_sends(root):
    pairs = read_csv(root / "conf/traces/grpc/hop-r1.csv.gz")
    longer_us = pairs["grpc_us"].to_numpy() - pairs["remoting_us"].to_numpy()
    assert np.median(longer_us) == pytest.approx(HOP_US, abs=250)
    assert np.percentile(longer_us, 25) < HOP_US < np.percentile(longer_us, 75)
