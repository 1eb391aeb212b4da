"""What a restarted broker delivers again is named, and queues of a group that has not started are nobody's loss."""

from __future__ import annotations

import pytest

from simulator.causes.fault_numbers import group_starts_us
from simulator.scenario import parse_scenario
from streaming.report.causes.cause_lines import cause_lines, shown_findings
from streaming.report.causes.proving import prove_output
from streaming.report.collected.data import collect
from tests.says import Says
from tests.streaming.report.pure_output import write_simulated

DELAYED = """
name: delayed messages after a graceful restart
duration: 3m
client: {release: 4.9.2}
producers: {group: shop, count: 2, rate: 50/s, delay: {level: 3}}
topics: {orders: {queues: 4}}
brokers: {broker-a: {latency: {constant: 1ms}, release: 4.9.2}, broker-b: {latency: {constant: 1ms}, release: 4.9.2}}
consumers: {billing: {topic: orders, service: {constant: 1ms}}}
faults: [{at: 65s, for: 20s, broker: broker-a, kind: restart}]
"""
JOINS = """
name: a group that starts later
duration: 90s
client: {release: 5.3.3}
producers: {count: 1, threads: 2, rate: 20/s}
topics: {orders: {queues: 4}}
brokers: {broker-a: {latency: {constant: 1ms}}}
consumers: {audit: {topic: orders, service: 1ms}}
faults: [{at: 60s, consumer: audit-1, kind: scale_out}]
"""


@pytest.fixture
def text_of(tmp_path):
    def of(text):
        folder = write_simulated(tmp_path, parse_scenario(text))
        prove_output(folder, 600.0)
        return {one.kind: one for one in shown_findings(cause_lines(collect(folder)))}

    return of


def test_what_a_restarted_broker_delivers_a_second_time_is_the_restarts(text_of):
    again = text_of(DELAYED)["delivered_again"]
    assert again.text == Says("consequence.delivered-again", place="broker-a", size=215.0, when="1:26 to 1:27")
    assert (again.because, again.without) == (("F1",), {"F1": 0})


def test_a_release_that_writes_down_its_delay_offsets_delivers_none_again(text_of):
    assert "delivered_again" not in text_of(DELAYED.replace("release: 4.9.2}", "release: 4.9.3}"))


def test_queues_of_a_group_that_has_not_started_lack_no_owner(text_of):
    assert "unowned" not in text_of(JOINS)


def test_a_broker_that_joins_is_no_instance():
    scenario = parse_scenario(
        JOINS.replace("consumer: audit-1", "broker: broker-b").replace(
            "brokers: {", "brokers: {broker-b: {latency: {constant: 1ms}}, "
        )
    )
    assert group_starts_us(scenario) == {"audit": 0}
