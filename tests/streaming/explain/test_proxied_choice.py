"""Why a proxy chose the queue of an attempt: the fault at its broker, and the attempt before."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from streaming.explain.find_attempt import Found
from streaming.explain.proxied_choice import client_words, proxy_lines
from streaming.explain.texts.explain_texts import ExplainTexts
from tests.says import Says

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


MESSAGE = {"producer": 2, "thread": 0, "topic": "orders", "send_seq": 0}


def over(attempt, proxy, broker="broker-a", outcome="SEND_OK"):
    """A row of proxied_attempts."""
    return {"attempt": attempt, "proxy": proxy, "broker": broker, "begin_us": 0, "end_us": 300, "outcome": outcome}


def output(kind, more="", attempts=()):
    fault = {"broker": "broker-a", "at_us": 30_000_000, "until_us": 70_000_000, "kind": kind, "label": "F"}
    batches = [SimpleNamespace(to_pylist=lambda: list(attempts))]
    return SimpleNamespace(
        about={"faults": [fault], "scenario_yaml": SCENARIO.format(more=more)}, batches=lambda *_: batches
    )


def asked(begin_s=31, attempt=1, broker="broker-a"):
    rows = [{"attempt": n, "broker": broker, "begin_us": begin_s * 1_000_000, **MESSAGE} for n in (1, 2)]
    return SimpleNamespace(row=rows[attempt - 1], attempts=rows)


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("kill", ExplainTexts.PROXY_AGE(age="20s")),
        ("hang", ExplainTexts.PROXY_BLIND()),
        ("slow", ExplainTexts.PROXY_UNAWARE()),
    ],
)
def test_a_fault_at_the_broker_is_named_with_what_a_proxy_knows_of_it(kind, why):
    (line,) = proxy_lines(output(kind), asked())
    assert line == f"F (0:30 to 1:10): {why}"


def test_a_proxy_that_measures_its_brokers_is_said_to():
    (line,) = proxy_lines(output("hang", ", send_latency_enable: true"), asked())
    assert line.endswith(ExplainTexts.PROXY_MEASURES())


@pytest.mark.parametrize("other", [{"begin_s": 71}, {"begin_s": 29}, {"broker": "broker-b"}])
def test_a_fault_elsewhere_or_at_another_time_is_not_named(other):
    assert list(proxy_lines(output("kill"), asked(**other))) == []


def test_a_second_attempt_names_the_broker_of_the_first():
    *_, line = proxy_lines(output("kill"), asked(attempt=2))
    assert line == Says("explain.proxy-before", broker="broker-a")


def test_the_proxy_of_an_attempt_is_named_and_attempts_that_reached_no_broker():
    made = [over(1, "proxy-1", None, "UNAVAILABLE"), over(2, None, None, "UNAVAILABLE"), over(3, "proxy-2")]
    rows = asked(broker="broker-b", attempt=2)
    lines = list(proxy_lines(output("kill", attempts=made[::-1]), SimpleNamespace(row=rows.row, attempts=[])))
    assert [Says("explain.proxy-unreached", attempt=1, over=" over proxy-1"),
            Says("explain.proxy-unreached", attempt=2, over="")] == lines  # fmt: skip
    (line,) = proxy_lines(
        output("kill", attempts=made[2:]), SimpleNamespace(row=rows.row | {"attempt": 3}, attempts=[])
    )
    assert line == Says("explain.proxy-over", proxy="proxy-2")


def test_the_client_is_that_of_the_producers_group():
    assert client_words(output("kill"), asked()) == Says("explain.proxy-client", release="5.0.8")


@pytest.mark.parametrize("kind", ["read_only", "wipe_permission", "master_lost", "queues"])
def test_a_fault_that_changes_routes_is_not_said_to_leave_them(kind):
    (line,) = proxy_lines(output(kind), asked())
    assert line.endswith(ExplainTexts.PROXY_AGE(age="20s"))


def test_a_fault_of_the_network_to_a_consumer_says_nothing_of_a_producers_attempt():
    cut = output("partition")
    cut.about["faults"][0]["more"] = '{"consumer": "billing-1"}'
    assert list(proxy_lines(cut, asked())) == []


def test_attempts_that_reached_no_broker_count_among_those_that_were_made():
    rows = [{"attempt": 3}]
    assert Found(None, rows[0], rows, {"attempts": 4}).made == 4
    assert Found(None, rows[0], rows).made == 3
