"""Whether a POP group's messages stay invisible for as long as its listeners need."""

from __future__ import annotations

import pytest

from simulator.scenario.checks.invisible_time import enough_invisible_us
from simulator.scenario.checks.warnings import warnings_of
from tests.says import Says
from tests.simulator.small import scenario_of

TOO_SHORT = Says("warning.invisible-too-shortly")
IDLE = Says("warning.more-instances-than-queues")


def scenario(service, **keys):
    own = {"topic": "orders", "count": 2, "threads": 4, "service": service, "consume_mode": "POP"} | keys
    return scenario_of(client={"release": "5.3.3"}, consumers={"billing": own})


def warned(service, **keys):
    return [one for one in warnings_of(scenario(service, **keys)) if one == TOO_SHORT]


def test_a_share_of_the_messages_comes_again_while_a_thread_is_at_them():
    assert warned({"uniform": {"min": "0s", "max": "100s"}}) == [
        Says("warning.invisible-too-shortly", group="billing", percent=40, invisible="1m")
    ]


def test_a_group_whose_messages_all_come_again_has_a_share_without_exponent():
    assert warned("2m") == [Says("warning.invisible-too-shortly", percent="100")]


@pytest.mark.parametrize("keys", [{"pop_invisible_time": "2m"}, {"consume_mode": "CONCURRENTLY"}])
def test_a_longer_invisible_time_and_pulling_need_no_warning(keys):
    assert warned({"uniform": {"min": "0s", "max": "100s"}}, **keys) == []


@pytest.mark.parametrize("keys", [{"consume_mode": "CONCURRENTLY"}, {"consume_mode": "ORDERLY"}, {"grpc": {}}])
def test_keys_of_pop_are_warned_of_where_the_group_does_not_pop(keys):
    own = {"topic": "orders", "count": 2, "service": "1s", "pop_invisible_time": "20s", "pop_batch_nums": 8} | keys
    proxies = {"proxies": {"count": 1}} if "grpc" in keys else {}
    found = warnings_of(scenario_of(client={"release": "5.3.3"}, consumers={"billing": own}, **proxies))
    unused = Says("warning.unused-of-pop", group="billing", keys="pop_batch_nums, pop_invisible_time")
    assert [one for one in found if one == unused] == [unused]


def test_a_group_that_pops_uses_them():
    found = warnings_of(scenario("10ms", pop_invisible_time="20s", pop_batch_nums=8))
    assert Says("warning.unused-of-pop") not in found


def test_enough_is_what_the_slowest_message_needs_in_whole_seconds_within_what_a_client_takes():
    times = [("100ms", 5_000_000), ("7500ms", 8_000_000), ("10m", 300_000_000)]
    assert [enough_invisible_us(scenario(time).consumers["billing"]) for time, _ in times] == [us for _, us in times]


def test_instances_of_a_pop_group_need_no_queues():
    own = {"count": 12}
    assert IDLE not in warnings_of(scenario("10ms", **own))
    assert IDLE in warnings_of(scenario("10ms", consume_mode="CONCURRENTLY", **own))


def test_of_a_grpc_group_the_proxies_give_the_invisible_time():
    group = {"topic": "orders", "count": 2, "threads": 4, "service": "90s", "grpc": {}}
    own = scenario_of(client={"release": "5.3.3"}, proxies={"count": 1}, consumers={"billing": group})
    assert TOO_SHORT not in warnings_of(own)


def held_in_order(service, release="5.3.3", **grpc):
    group = {"topic": "orders", "count": 2, "threads": 4, "service": service, "consume_mode": "ORDERLY", "grpc": grpc}
    own = scenario_of(
        client={"release": "5.3.3"}, proxies={"count": 1, "release": release}, consumers={"billing": group}
    )
    return [one for one in warnings_of(own) if one.id.startswith("warning.held")]


@pytest.mark.parametrize(("service", "percent"), [("1800ms", None), ("1900ms", "3.1"), ("4s", "53")])
def test_a_receive_in_order_is_handled_one_by_one_and_may_outlast_its_invisible_time(service, percent):
    """32 messages of 1.875 s are 60 s."""
    own = {"group": "billing", "percent": percent, "invisible": "1m", "release": "5.3.3", "most": 32}
    assert held_in_order(service) == ([] if percent is None else [Says("warning.held-in-order", **own)])


def test_proxies_that_renew_what_is_held_need_no_such_warning():
    assert held_in_order("4s", "5.4.0") == []


def test_of_simple_consumers_in_order_the_receive_has_its_own_invisible_time():
    assert held_in_order("4s", kind="simple", max_message_num=16, invisible_duration="1m") == [
        Says("warning.held-in-a-receive", percent="6.2", invisible="1m")
    ]
