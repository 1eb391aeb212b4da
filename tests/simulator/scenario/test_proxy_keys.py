"""What does not fit gRPC producers and proxies is refused with a sentence that says what is wrong."""

from __future__ import annotations

import pytest

from simulator.releases.ledger import NEWEST
from simulator.scenario import ScenarioError, parse_scenario
from tests.says import Says, raises
from tests.simulator.scenario.test_sending_keys import said
from tests.simulator.small import scenario_of, text_of

PROXIES = {"count": 2}
STRUCK = {"at": "1s", "for": "1s", "kind": "kill", "proxy": "proxy-1"}


@pytest.mark.parametrize(
    ("producers", "sentence"),
    [
        ({"mode": "oneway"}, "mode: a gRPC producer sends nothing one-way; expected sync or async"),
        ({"batch": 3}, "batch: a gRPC producer sends its messages one by one; expected 1, got 3"),
        ({"selector": "random"}, "a proxy chooses the queues of a gRPC producer's messages; expected none, got random"),
        ({"client": {"release": "5.3.3"}}, "client: it holds settings of a remoting client, and this group has grpc"),
        ({"grpc": {"release": "4.9.8"}}, "grpc.release: expected one of 5.0.0, 5.0.1,"),
        ({"grpc": {"proxy": "proxy-9"}}, "no proxy named proxy-9; known: proxy-1, proxy-2"),
        ({"grpc": {"max_attempts": 0}}, "expected a whole number from 1 to 100, got 0"),
    ],
)
def test_groups(producers, sentence):
    assert sentence in said(proxies=PROXIES, producers={"grpc": {}} | producers)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"proxies": None}, "its producers send over proxies, and the scenario has none; set proxies"),
        ({"producers": {"count": 1}}, "nobody sends or receives over them; give a group grpc, such as"),
        ({"cells": 2, "producers": {"grpc": {}, "count": 2}}, "expected 1 with proxies, got 2"),
        ({"topics": {"orders": {"auto_create": True}}}, "a proxy refuses a topic that does not exist"),
        ({"network": [{"each_way": "1ms"}]}, "not modelled together with proxies; see proxies.hop"),
        ({"faults": [STRUCK | {"proxy": "proxy-3"}]}, "no proxy named proxy-3; known: proxy, proxy-1, proxy-2"),
        (
            {"faults": [STRUCK | {"kind": "silent_death"}]},
            "proxies have no kind silent_death; expected one of kill, hang,",
        ),
        ({"proxies": {"mode": "remote"}}, "mode: expected one of cluster, local"),
        ({"proxies": {"hop": "fast"}}, "hop"),
        (
            {"proxies": {"send_latency_enable": True, "release": "5.1.4"}},
            "a proxy of release 5.1.4 does not have it; the first that has it is 5.2.0",
        ),
        ({"proxies": {"start_detector_enable": True}}, "set send_latency_enable: true, too"),
    ],
)
def test_scenarios(changes, sentence):
    assert sentence in said(**({"proxies": PROXIES, "producers": {"grpc": {}}} | changes))


def test_a_delay_level_is_refused():
    delayed = {"grpc": {}, "delay": {"level": 3}}
    readers = {"billing": {"topic": "orders", "count": 1, "service": "1ms"}}
    sentence = "a gRPC message has no delay level; expected delay_time or deliver_time"
    assert sentence in said(proxies=PROXIES, producers=delayed, consumers=readers)


def test_a_partition_of_grpc_producers_is_refused():
    cut = {"at": "1s", "for": "1s", "kind": "partition", "broker": "a", "producers": "producers"}
    sentence = "producers sends over proxies, which are no part of its network; leave producers out for all"
    assert sentence in said(proxies=PROXIES, producers={"grpc": {}}, faults=[cut])


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
