"""A slave acts for its master: what name servers deliver, and what clients can still do."""

from __future__ import annotations

import pytest

from simulator.plan.failover.failover_effects import all_effects, set_histories
from simulator.plan.route_plan import route_plan
from tests.simulator.small import fault, ran_tables, rows, scenario_of

BROKER = {"latency": {"constant": "1ms"}, "slaves": 1, "slave_acting_master": True}
BROKERS = {"b": BROKER, "c": BROKER}
KILL = fault("kill", "60s", "60s")


def permissions(*faults, brokers=BROKERS):
    """(second, permission of b, whether it has a master) whenever its route changes."""
    scenario = scenario_of(duration="300s", brokers=brokers, faults=list(faults))
    routes, found = route_plan(scenario, all_effects(scenario, {}, set_histories(scenario))), []
    for at_us, version in routes.timelines[0][0]:
        route = routes.versions[version]
        own = {data.broker_name: data.perm for data in route.queue_datas}
        found.append((at_us / 1e6, own.get("b"), 0 in route.broker_ids.get("b", ())))
    return found


def test_the_route_is_read_only_while_the_master_is_away():
    assert permissions(KILL) == [(0, 6, True), (60, 4, False), (120, 6, True)]


def test_a_slave_that_does_not_act_leaves_the_broker_writable_without_a_master():
    plain = {name: own | {"slave_acting_master": False} for name, own in BROKERS.items()}
    assert [own[1:] for own in permissions(KILL, brokers=plain)] == [(6, True), (6, False), (6, True)]


def test_a_master_that_stands_still_is_acted_for_after_ten_to_fifteen_seconds():
    found = permissions(fault("hang", "60s", "60s"))
    assert [own[1:] for own in found] == [(6, True), (4, False), (6, True)]
    assert 69 < found[1][0] < 76


def run(*faults, support=True, **group):
    """A run of a group with a backlog, whose broker loses its master for a minute."""
    own = {"topic": "orders", "threads": 1, "service": "50ms", "pull_threshold_for_queue": 16} | group
    return ran_tables(
        duration="170s", name_servers={"support_acting_master": support}, producers={"rate": "40/s", "threads": 8},
        brokers={"b": BROKER | {"slave_read_enable": True}}, topics={"orders": {"queues": 4}},
        consumers={"billing": own}, faults=[KILL, *faults],
    )  # fmt: skip


def test_consumers_go_on_from_the_slave_and_producers_do_not():
    found = run()
    begun = found.column("consumed", "begin_us") / 1e6
    assert ((begun > 95) & (begun < 115)).sum() == 400  # all that one thread can do
    stored = [row["end_us"] / 1e6 for row in rows(found, "attempts") if row["outcome"] == "SEND_OK"]
    assert not [at for at in stored if 60.1 < at < 120]


@pytest.mark.parametrize("support", [True, False])
def test_an_orderly_group_has_its_locks_from_a_slave_that_is_named_as_master(support):
    begun = run(support=support, consume_mode="ORDERLY").column("consumed", "begin_us") / 1e6
    assert ((begun > 95) & (begun < 115)).sum() == (400 if support else 0)
