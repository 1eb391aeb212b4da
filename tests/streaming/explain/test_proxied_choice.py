"""Why a proxy chose the queue of an attempt: the fault at its broker, and the attempt before."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from streaming.explain.proxied_choice import client_words, proxy_lines

SCENARIO = """
name: behind a proxy
duration: 90s
client: {{release: 5.3.3}}
proxies: {{count: 2{more}}}
producers:
  - {{group: billing, count: 2, threads: 1, rate: 1/s}}
  - {{group: shop, count: 2, threads: 1, rate: 1/s, grpc: {{release: 5.0.8}}}}
topics: {{orders: {{queues: 4}}}}
brokers: {{broker-a: {{latency: {{constant: 1ms}}}}, broker-b: {{like: broker-a}}}}
"""


def output(kind, more=""):
    fault = {"broker": "broker-a", "at_us": 30_000_000, "until_us": 70_000_000, "kind": kind, "label": "F"}
    return SimpleNamespace(about={"faults": [fault], "scenario_yaml": SCENARIO.format(more=more)})


def asked(begin_s=31, attempt=1, broker="broker-a"):
    rows = [{"attempt": n, "broker": broker, "begin_us": begin_s * 1_000_000, "producer": 2} for n in (1, 2)]
    return SimpleNamespace(row=rows[attempt - 1], attempts=rows)


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("kill", "until it reads its route again, which it does when that is 20s old"),
        ("hang", "so none leaves it out"),
        ("slow", "the proxy does not know of it"),
    ],
)
def test_a_fault_at_the_broker_is_named_with_what_a_proxy_knows_of_it(kind, why):
    (line,) = proxy_lines(output(kind), asked())
    assert line.startswith("F (0:30 to 1:10): ")
    assert line.endswith(why)


def test_a_proxy_that_measures_its_brokers_is_said_to():
    (line,) = proxy_lines(output("hang", ", send_latency_enable: true"), asked())
    assert "send_latency_enable) leaves out a broker" in line


@pytest.mark.parametrize("other", [{"begin_s": 71}, {"begin_s": 29}, {"broker": "broker-b"}])
def test_a_fault_elsewhere_or_at_another_time_is_not_named(other):
    assert list(proxy_lines(output("kill"), asked(**other))) == []


def test_a_second_attempt_names_the_broker_of_the_first():
    *_, line = proxy_lines(output("kill"), asked(attempt=2))
    assert line == "the attempt before went to broker-a: a proxy does not leave that broker out"


def test_the_client_is_that_of_the_producers_group():
    assert client_words(output("kill"), asked()) == "rocketmq-client-java 5.0.8 over a proxy"
