"""What does not fit groups that consume over proxies is refused with a sentence that says what is wrong."""

from __future__ import annotations

import pytest

from tests.simulator.scenario.test_sending_keys import said

BROKERS = {"a": {"latency": {"constant": "1ms"}, "release": "5.3.3"}}


def refusal(grpc=None, proxies=None, **keys):
    group = {"topic": "orders", "service": "1ms", "grpc": grpc or {}} | keys
    return said(brokers=BROKERS, proxies={"count": 2} if proxies is None else proxies, consumers={"billing": group})


@pytest.mark.parametrize(
    ("grpc", "sentence"),
    [
        ({"release": "4.9.8"}, "consumers.billing.grpc.release: expected one of 5.0.0, 5.0.1,"),
        ({"kind": "pull"}, 'kind: expected one of push, simple, got "pull"'),
        ({"proxy": "proxy-9"}, "no proxy named proxy-9; known: proxy-1, proxy-2"),
        ({"invisible_duration": "20s"}, "invisible_duration: a push consumer does not have it; leave it out, or set"),
        ({"kind": "simple", "max_cache_message_count": 9}, "a simple consumer does not have it; leave it out, or set"),
        ({"kind": "simple", "invisible_duration": "5s"}, 'expected a duration from 10s to 12h, got "5s"'),
    ],
)
def test_settings_of_the_client(grpc, sentence):
    assert sentence in refusal(grpc)


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        ({"consume_mode": "ORDERLY"}, "a gRPC group with ORDERLY is not modelled"),
        ({"message_model": "BROADCASTING"}, "a gRPC consumer cannot broadcast; expected CLUSTERING"),
        ({"release": "5.3.3"}, "this group has grpc; expected grpc.release"),
        ({"consume_message_batch_max_size": 8}, "a gRPC listener gets one message at a time; expected 1"),
        ({"delay_level_when_next_consume": 3}, "a gRPC listener cannot choose a delay level; leave it out"),
    ],
)
def test_keys_of_the_group(keys, sentence):
    assert sentence in refusal(**keys)


def test_without_proxies():
    group = {"topic": "orders", "service": "1ms", "grpc": {}}
    assert "the scenario has none; set proxies" in said(brokers=BROKERS, consumers={"billing": group})


def test_brokers_that_know_no_pop():
    group = {"topic": "orders", "service": "1ms", "grpc": {}}
    brokers = {"a": {"latency": {"constant": "1ms"}, "release": "4.9.8"}}
    found = said(brokers=brokers, proxies={"count": 1}, consumers={"billing": group})
    assert "brokers.a.release: release 4.9.8 knows no POP, which proxies ask for" in found
