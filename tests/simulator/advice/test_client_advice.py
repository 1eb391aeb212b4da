"""Advice where a cluster has proxies: the client kind, gRPC clients' settings and those of the proxies."""

from __future__ import annotations

import pytest
import yaml

from simulator.advice.advice import Advice
from simulator.advice.advice_texts import AdviceTexts
from simulator.advice.candidates import AS_IT_IS
from simulator.advice.group_candidates import group_java
from simulator.advice.standing import Standing
from simulator.advice.trial import trial_of
from simulator.experiments.study import Study
from simulator.releases.ledger import NEWEST
from tests.simulator.experiments.small import SCENARIO

BROKERS = {"broker-a": {"latency": {"constant": "1ms"}, "release": "5.3.3"}, "broker-b": {"like": "broker-a"}}
BASE = SCENARIO | {"client": {"release": "5.3.3"}, "proxies": {"count": 2, "release": "5.3.3"}, "brokers": BROKERS}
OVER = {"group": "shop", "count": 4, "rate": "20/s", "grpc": {}}
DIRECT = {"group": "direct", "count": 4, "rate": "20/s"}
GROUP = {"topic": "orders", "count": 2, "threads": 4, "service": "20ms"}
KINDS = ["remoting client 5.3.3, strategy off", "remoting client 5.3.3, strategy on"]
PROXY_FAULT = {"at": "1s", "for": "1s", "proxy": "proxy-1", "kind": "hang"}


@pytest.fixture
def trial(tmp_path):
    def of(which="usual", group=None, **keys):
        file = tmp_path / "small.yaml"
        file.write_text(yaml.safe_dump(BASE | keys))
        return trial_of(file, which, group=group)

    return of


def test_producers_over_proxies_try_the_remoting_client_and_what_grpc_and_proxies_have(trial):
    assert list(trial(producers=OVER).candidates) == [
        "as it is", *KINDS, "one attempt", "5 attempts", "request time-out 1s", "request time-out 10s",
        "proxies measure brokers", "routes of proxies 5s",
    ]  # fmt: skip


def test_remoting_producers_try_grpc_only_where_the_cluster_has_proxies(trial):
    both = trial(producers=[OVER, DIRECT])
    assert "gRPC client 5.0.8" in both.candidates
    assert both.scenario_of(both.candidates["gRPC client 5.0.8"]).producers[1].grpc is not None
    alone = trial(producers=DIRECT, proxies=None)
    assert not any("gRPC" in name for name in (*alone.candidates, *alone.impossible))


def test_proxies_fail_in_the_usual_situations_and_are_gone_with_their_last_client(trial):
    own = trial(producers=OVER)
    assert [one.name for one in own.situations][-2:] == ["proxy kill", "proxy hang"]
    arms = own.experiment().arms
    assert arms[f"{KINDS[1]} | proxy kill"].proxies is None
    assert arms[f"{KINDS[1]} | proxy kill"].faults == ()
    assert arms[f"{KINDS[1]} | hang"].faults[0].kind == "hang"
    assert arms[f"{AS_IT_IS} | proxy kill"].faults[0].struck_proxies == ("proxy-1",)


def test_own_faults_of_proxies_are_gone_with_them_and_others_stay(trial):
    broker = {"at": "2s", "for": "1s", "broker": "broker-a", "kind": "kill"}
    own = trial("own", producers=OVER, faults=[PROXY_FAULT, broker])
    faults = own.experiment().arms[f"{KINDS[0]} | its own faults"].faults
    assert [fault.kind for fault in faults] == ["kill"]


def test_proxies_stay_for_the_consumers_that_need_them(trial):
    own = trial(producers=OVER, consumers={"billing": GROUP | {"grpc": {}}})
    assert own.scenario_of(own.candidates[KINDS[0]]).proxies is not None


def pasted(own, *names):
    advice = Advice(Standing(own, Study(own.experiment())))
    return [advice._java(own.scenario_of(own.candidates[name])).splitlines() for name in names]


def test_what_is_pasted_is_of_the_client_kind_and_of_the_proxies(trial):
    own = trial(producers=OVER)
    attempts, measuring, remoting = pasted(own, "5 attempts", "proxies measure brokers", KINDS[1])
    assert attempts == [
        "// org.apache.rocketmq:rocketmq-client-java:5.0.8, shop", "producerBuilder.setMaxAttempts(5);",
    ]  # fmt: skip
    assert measuring == ['// rmq-proxy.json: {"sendLatencyEnable": true, "startDetectorEnable": true}']
    assert remoting[:2] == [
        "// org.apache.rocketmq:rocketmq-client:5.3.3", "producer.setSendLatencyFaultEnable(true);",
    ]  # fmt: skip


def test_an_assumed_hop_is_among_what_the_advice_does_not_know(trial):
    def of(**proxies):
        own = trial(producers=OVER, proxies={"count": 2, "release": "5.3.3"} | proxies)
        return Advice(Standing(own, Study(own.experiment()))).unknown[-1]

    assert "assumption" in of()
    assert "assumption" not in of(hop="1ms")


def test_a_group_over_proxies_tries_invisible_times_newer_proxies_and_the_remoting_client(trial):
    own = trial(group="billing", producers=DIRECT, consumers={"billing": GROUP | {"grpc": {}}})
    names = list(own.candidates)
    assert names[names.index("proxies of 5.5.0") :] == [
        "proxies of 5.5.0", "invisible time 10s", "invisible time 30s", "invisible time 2m",
        "remoting client 5.3.3, pull", "remoting client 5.3.3, POP",
    ]  # fmt: skip
    assert own.scenario_of(own.candidates["remoting client 5.3.3, POP"]).consumers["billing"].consume_mode == "POP"
    assert own.impossible == {}


def test_a_simple_consumer_tries_its_own_invisible_duration_and_a_push_consumer(trial):
    own = trial(group="billing", producers=DIRECT, consumers={"billing": GROUP | {"grpc": {"kind": "simple"}}})
    pushing, shorter = (own.candidates[name] for name in ("PushConsumer 5.0.8", "invisible time 30s"))
    assert own.scenario_of(pushing).consumers["billing"].grpc.kind == "push"
    own_java = group_java(own.scenario_of(shorter), own.scenario, "billing").splitlines()
    assert own_java[-1] == "simpleConsumer.receive(16, Duration.ofMillis(30000));"


def test_a_group_that_pulls_tries_pop_where_client_and_brokers_have_it(trial):
    pulling = {"producers": DIRECT, "proxies": None, "group": "billing"}
    assert "POP instead of pull" in trial(consumers={"billing": GROUP}, **pulling).candidates
    for keys in ({"release": "4.9.8"}, {"consume_mode": "ORDERLY"}):
        assert "POP instead of pull" not in trial(consumers={"billing": GROUP | keys}, **pulling).candidates


def test_a_remoting_group_tries_a_push_consumer_over_the_cluster_s_proxies(trial):
    for keys in ({}, {"release": "5.3.3"}, {"consume_mode": "POP", "pop_invisible_time": "30s"}):
        own = trial(group="billing", producers=OVER, consumers={"billing": GROUP | keys})
        group = own.scenario_of(own.candidates["PushConsumer 5.0.8"]).consumers["billing"]
        assert (group.grpc.kind, group.release) == ("push", None)


def test_what_is_pasted_for_the_client_of_another_language_names_its_library(trial):
    own = trial(producers=OVER | {"grpc": {"client": "go"}})
    (lines,) = pasted(own, "5 attempts")
    client = "rocketmq-clients/golang 5.1.4"
    assert AdviceTexts.OTHER_CLIENT(client=client, group="shop", timeout="3s", attempts=5) in lines
    assert not any("rocketmq-client-java" in line for line in lines)


def test_a_group_in_order_keeps_its_order_with_the_remoting_client(trial):
    group = GROUP | {"grpc": {"proxy": ["proxy-1", "proxy-2"]}, "consume_mode": "ORDERLY"}
    own = trial(producers=OVER, consumers={"billing": group}, group="billing")
    kinds = [own.scenario_of(one).consumers["billing"] for name, one in own.candidates.items() if "remoting" in name]
    assert [(kind.grpc, kind.consume_mode) for kind in kinds] == [(None, "ORDERLY")]
    assert not any("instances" in name for name in (*own.candidates, *own.impossible))


def test_proxies_in_brokers_are_renewed_with_their_brokers(trial):
    local = {"mode": "local", "release": "5.3.3"}
    own = trial(proxies=local, producers=OVER, consumers={"billing": GROUP | {"grpc": {}}}, group="billing")
    found = own.scenario_of(own.candidates[f"proxies of {NEWEST}"])
    assert {found.proxies.release, *(broker.release for broker in found.brokers.values())} == {NEWEST}
