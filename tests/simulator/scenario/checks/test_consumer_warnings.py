"""What is said of consumer groups that can run, and do not do what real ones would."""

from __future__ import annotations

import pytest

from simulator.scenario.checks.warnings import warnings_of
from tests.says import Says
from tests.simulator.small import scenario_of

ESCAPES = {"slaves": 1, "slave_acting_master": True, "enable_remote_escape": True}
ACTS = ESCAPES | {"enable_remote_escape": False}
OWN = {"topic": "orders", "service": "5ms"}
FAST = {"latency": {"constant": "1ms"}, "release": "5.3.3"}


def escaping(group, first, second, **changes):
    """The warnings of pops at slaves that act, of a group on two brokers."""
    over = {"proxies": {"count": 1}} if "grpc" in group else {}
    own = scenario_of(
        client={"release": "5.3.3"}, name_servers={"support_acting_master": True}, **over,
        brokers={"a": FAST | first, "b": FAST | second}, consumers={"billing": OWN | group}, **changes,
    )  # fmt: skip
    return [one for one in warnings_of(own) if one.id in ("warning.escaping-pops", "warning.acting-for-pops")]


@pytest.mark.parametrize("group", [{"consume_mode": "POP"}, {"grpc": {}}])
def test_a_group_that_pops_is_named_with_the_brokers_from_which_check_points_escape(group):
    assert escaping(group, ESCAPES, ACTS) == [Says("warning.escaping-pops", group="billing", brokers="a")]
    assert escaping(group, ESCAPES, ESCAPES) == [Says("warning.escaping-pops", group="billing", brokers="a, b")]


def test_where_the_master_of_a_slave_that_acts_is_struck_its_pops_in_order_are_named_and_not_elsewhere():
    faults = [{"at": "1s", "for": "1s", "broker": "b", "kind": "kill"}]
    in_order = {"consume_mode": "ORDERLY", "grpc": {}}
    assert escaping(in_order, ACTS, ACTS, faults=faults) == [
        Says("warning.acting-for-pops", group="billing", brokers="b")
    ]
    assert escaping(in_order, ACTS, ESCAPES, faults=faults) == [Says("warning.escaping-pops")]
    assert escaping({"consume_mode": "POP"}, ACTS, ACTS, faults=faults) == []
    assert escaping({}, ACTS, ACTS, faults=faults) == []


@pytest.mark.parametrize(("group", "broker"), [({"consume_mode": "POP"}, ACTS), ({}, ESCAPES)])
def test_nothing_is_said_of_a_group_that_pulls_nor_of_brokers_without_the_key(group, broker):
    assert escaping(group, broker, broker) == []
