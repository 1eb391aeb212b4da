"""Groups over gRPC that filter by SQL92: the broker evaluates the expression as a proxy pops from it."""

from __future__ import annotations

import pytest

from simulator.scenario.checks.warnings import warnings_of
from tests.simulator.small import ran_tables, rows, scenario_of

READING = {"topics": {"orders": {"sql": "region = 'us'"}}, "count": 2, "threads": 4, "service": "1ms"}


def keys(kind, allowed=True, **broker):
    own = {"latency": {"constant": "200us"}, "release": "5.3.3", "enable_property_filter": allowed}
    consuming = {"grpc": {"kind": kind}} if kind in ("push", "simple") else {"consume_mode": kind}
    return {
        "duration": "10s", "client": {"release": "5.3.3"}, "producers": {"rate": "200/s", "threads": 8},
        "brokers": {"a": own | broker},
        "topics": {"orders": {"queues": 1, "properties": {"region": {"eu": 4, "us": 1}}}},
        "consumers": {"billing": READING | consuming},
    } | ({"proxies": {"count": 1}} if "grpc" in consuming else {})  # fmt: skip


def taken_by(kind, allowed=True, **broker):
    run = ran_tables(**keys(kind, allowed, **broker))
    return [(row["sender"], row["send_seq"], row["queue_offset"]) for row in rows(run, "consumed")]


@pytest.mark.parametrize("kind", ["push", "simple"])
def test_they_take_what_a_group_that_pulls_takes(kind):
    popped, pulled = taken_by(kind), taken_by("CONCURRENTLY")
    assert len(popped) > 300
    assert len(set(popped)) == len(popped)
    assert len(set(popped) ^ set(pulled)) < 20  # what is under way at the end


def test_a_broker_that_refuses_pulls_by_sql_does_not_refuse_a_proxy():
    assert len(taken_by("push", allowed=False)) > 300
    assert taken_by("CONCURRENTLY", allowed=False) == []


def test_only_a_remoting_group_is_warned_of_such_a_broker():
    def warned(kind):
        return [one for one in warnings_of(scenario_of(**keys(kind, allowed=False))) if "SQL92" in one]

    assert warned("push") == []
    assert len(warned("CONCURRENTLY")) == 1
