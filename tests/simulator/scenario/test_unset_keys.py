"""Keys with their defaults leave a scenario's digest as it is, and others do not."""

from __future__ import annotations

import pytest

from tests.simulator.small import scenario_of

GROUP = {"topic": "orders", "service": "1ms"}
SCALED = {"threshold": 100, "most": 4}


def digest(*, transaction=None, autoscale=None, name_servers=None) -> str:
    return scenario_of(
        producers={"transaction": {"local": "1ms"} | (transaction or {})},
        consumers={"billing": GROUP | {"autoscale": SCALED | (autoscale or {})}}, name_servers=name_servers or {},
    ).digest()  # fmt: skip


@pytest.mark.parametrize(
    ("keys", "is_same"),
    [
        ({"transaction": {"check_while_running": "unknown"}}, True),
        ({"transaction": {"check_while_running": "rollback"}}, False),
        ({"autoscale": {"allow_idle_consumers": False, "limit_to_partitions_with_lag": False}}, True),
        ({"autoscale": {"allow_idle_consumers": True}}, False),
        ({"name_servers": {"need_wait_for_service": False, "wait_for_service": "45s"}}, True),
        ({"name_servers": {"need_wait_for_service": True}}, False),
    ],
)
def test_a_key_counts_once_it_says_something(keys, is_same):
    assert (digest(**keys) == digest()) is is_same


def test_the_digest_of_a_scenario_without_them_is_that_of_one_that_never_heard_of_them():
    assert scenario_of().digest() == "98fa7e3b7d885ff30982b7eace4a1f5a"
