"""Delayed messages of a broker that restarts gracefully: up to 4.9.2 it delivers again as after a kill."""

from __future__ import annotations

import pytest

from simulator.run.simulate import simulate
from simulator.scenario import parse_scenario

RESTARTED = """
name: delayed messages after a graceful restart of the broker
duration: 3m
client: {release: 4.9.2}
producers: {group: shop, count: 2, rate: 50/s, delay: {level: 3}}
topics: {orders: {queues: 4}}
brokers: {broker-a: {latency: {constant: 1ms}, release: 4.9.2}, broker-b: {latency: {constant: 1ms}, release: 4.9.2}}
consumers: {billing: {topic: orders, service: {constant: 1ms}}}
faults: [{at: 65s, for: 20s, broker: broker-a, kind: restart}]
"""
PLACE, MESSAGE = ("broker", "queue_id", "queue_offset"), ("sender", "send_seq")


def delivered_twice(release: str, kind: str) -> int:
    """Messages that became readable once more, whatever the group consumed again."""
    text = RESTARTED.replace("4.9.2}", f"{release}}}").replace("kind: restart", f"kind: {kind}")
    run = simulate(parse_scenario(text), tables=("consumed",))
    stored = set(zip(*(run.column("consumed", name) for name in PLACE), strict=True))
    messages = set(zip(*(run.column("consumed", name) for name in MESSAGE), strict=True))
    return len(stored) - len(messages)


@pytest.mark.parametrize("release", ["4.2.0", "4.9.2"])
def test_a_graceful_restart_up_to_4_9_2_delivers_again_what_a_kill_does(release):
    again = delivered_twice(release, "restart")
    assert 150 < again <= 500
    assert abs(again - delivered_twice(release, "kill")) < 20


@pytest.mark.parametrize("release", ["4.9.3", "5.3.3"])
def test_a_graceful_restart_from_4_9_3_on_delivers_next_to_nothing_again(release):
    assert delivered_twice(release, "restart") < 20
