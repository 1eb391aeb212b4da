"""What does not fit groups that consume over proxies is refused with a sentence that says what is wrong."""

from __future__ import annotations

import pytest
import yaml

from simulator.scenario import parse_scenario
from tests.says import Says
from tests.simulator.scenario.test_sending_keys import said
from tests.simulator.small import scenario_of

BROKERS = {"a": {"latency": {"constant": "1ms"}, "release": "5.3.3"}}


def refusal(grpc=None, proxies=None, **keys):
    group = {"topic": "orders", "count": 2, "service": "1ms", "grpc": grpc or {}} | keys
    return said(brokers=BROKERS, proxies={"count": 2} if proxies is None else proxies, consumers={"billing": group})


@pytest.mark.parametrize(
    ("grpc", "says"),
    [
        ({"release": "4.9.8"}, Says("field.expected", "...consumers.billing.grpc.release", got='"4.9.8"')),
        ({"kind": "pull"}, Says("field.expected", "...kind", expected="one of push, simple", got='"pull"')),
        ({"kind": "SimpleConsumer"}, Says("field.expected", "...kind", near="simple")),
        ({"await": "10s"}, Says("reading.unknown-meant", "...grpc.await", near="await_duration")),
        ({"client": "python"}, Says("reading.known-to-rocketmq", "...grpc.client")),
        ({"proxy": "proxy-9"}, Says("reading.not-known", what="proxy", name="proxy-9", known="proxy-1, proxy-2")),
        ({"proxy": ["proxy-1"] * 3}, Says("proxied.one-for-each", "...billing.grpc.proxy", clients=2, got=3)),
        ({"proxy": ["proxy-1", "proxy-9"]}, Says("reading.not-known", "...grpc.proxy[1]", name="proxy-9")),
        ({"proxy": []}, Says("fault.empty-list", "...grpc.proxy", what="proxy")),
        ({"proxy": ["proxy-1", "a b"]}, Says("field.name-expected", "...grpc.proxy[1]", what="proxy", got='"a b"')),
        (
            {"invisible_duration": "20s"},
            Says("proxied.not-of-kind", "...invisible_duration", kind="push", other="simple"),
        ),
        ({"kind": "simple", "max_cache_message_count": 9}, Says("proxied.not-of-kind", kind="simple", other="push")),
        ({"kind": "simple", "invisible_duration": "5s"}, Says("field.expected", low="10s", high="12h", got='"5s"')),
    ],
)
def test_settings_of_the_client(grpc, says):
    assert says in refusal(grpc)


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ({"consume_mode": "POP"}, Says("proxied.other-mode", "...billing.consume_mode", mode="POP")),
        ({"consume_mode": "FIFO"}, Says("field.expected", "...billing.consume_mode", near="ORDERLY")),
        ({"sql": "amount > 1"}, Says("reading.unknown-meant", "...billing.sql", near="topics")),
        ({"suspend_current_queue_time": "2s"}, Says("proxied.suspends", "...suspend_current_queue_time")),
        ({"message_model": "BROADCASTING"}, Says("proxied.broadcast", "...message_model")),
        ({"release": "5.3.3"}, Says("proxied.remoting-release", "...billing.release")),
        ({"consume_message_batch_max_size": 8}, Says("proxied.batch")),
        ({"delay_level_when_next_consume": 3}, Says("proxied.delay-level")),
    ],
)
def test_keys_of_the_group(keys, says):
    assert says in refusal(**keys)


def test_without_proxies():
    group = {"topic": "orders", "service": "1ms", "grpc": {}}
    says = Says("proxied.no-proxies", "...billing.grpc")
    assert says in said(brokers=BROKERS, consumers={"billing": group})


def test_brokers_that_know_no_pop():
    group = {"topic": "orders", "service": "1ms", "grpc": {}}
    brokers = {"a": {"latency": {"constant": "1ms"}, "release": "4.9.8"}}
    found = said(brokers=brokers, proxies={"count": 1}, consumers={"billing": group})
    assert Says("proxied.no-pop", "...brokers.a.release", release="4.9.8") in found


@pytest.mark.parametrize("given", ["proxy-2", ["proxy-1", "proxy-2"]])
def test_the_proxies_of_clients_are_written_as_they_are_read(given):
    own = {"topic": "orders", "count": 2, "service": "1ms", "grpc": {"proxy": given}}
    changes = {"brokers": BROKERS, "proxies": {"count": 2}, "consumers": {"billing": own}}
    found = scenario_of(**changes, producers={"count": 2, "grpc": {"proxy": given}})
    assert yaml.safe_load(found.to_yaml())["consumers"]["billing"]["grpc"]["proxy"] == given
    assert yaml.safe_load(found.to_yaml())["producers"][0]["grpc"]["proxy"] == given
    assert parse_scenario(found.to_yaml()) == found
