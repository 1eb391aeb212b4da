"""How groups share their queues in a run: strategies with their settings, client ids that collide, and the warnings."""

from __future__ import annotations

import pytest

from simulator.scenario import ScenarioError
from simulator.scenario.checks.warnings import warnings_of
from tests.says import Said, Says
from tests.simulator.small import ran_tables, rows, scenario_of

GROUP = {"topic": "orders", "count": 2, "service": "5ms", "release": "5.3.3"}


def owners(brokers=("a",), queues=4, **changes):
    """Of each queue, such as a0: the numbers of the instances that hold it after three seconds."""
    run = ran_tables(
        duration="3s", brokers={name: {"latency": {"constant": "1ms"}} for name in brokers},
        topics={"orders": {"queues": queues}}, consumers={"billing": GROUP | changes},
    )  # fmt: skip
    found = {f"{broker}{queue}": "" for broker in brokers for queue in range(queues)}
    for row in rows(run, "assignments", open=True):
        found[f"{row['broker']}{row['queue_id']}"] += row["instance"][-1]
    return found


def refused(**changes):
    """The sentences about a group with those keys."""
    with pytest.raises(ScenarioError) as error:
        scenario_of(consumers={"billing": GROUP | changes})
    return Said(error.value)


def test_config_gives_each_instance_its_own_list_and_leaves_the_rest():
    lists = {"billing-1": ["orders:a:0", "orders:a:1"], "billing-2": ["orders:a:1"]}
    found = owners(strategy="CONFIG", strategy_settings={"message_queue_list": lists})
    assert found["a0"] == "1"
    assert sorted(found["a1"]) == ["1", "2"]
    assert found["a2"] == found["a3"] == ""


def test_machine_room_shares_only_the_queues_of_its_rooms():
    found = owners(("r1@a", "r2@b"), queues=2, strategy="MACHINE_ROOM", strategy_settings={"consumeridcs": ["r1"]})
    assert found == {"r1@a0": "1", "r1@a1": "2", "r2@b0": "", "r2@b1": ""}


def test_nearby_keeps_queues_in_their_room_and_shares_those_of_rooms_without_consumers():
    rooms = {"broker_rooms": {"a": "x", "b": "y", "c": "z"}, "instance_rooms": {"billing-1": "x", "billing-2": "y"}}
    found = owners(("a", "b", "c"), queues=2, strategy="MACHINE_ROOM_NEARBY", strategy_settings=rooms)
    assert found == {"a0": "1", "a1": "1", "b0": "2", "b1": "2", "c0": "1", "c1": "2"}


def test_two_instances_with_one_client_id_take_the_same_queues_and_leave_the_others():
    found = owners(client_ids=["10.0.0.5@1", "10.0.0.5@1"])
    assert {queue: sorted(held) for queue, held in found.items()} == {
        "a0": ["1", "2"], "a1": ["1", "2"], "a2": [], "a3": [],
    }  # fmt: skip


def test_client_ids_decide_the_order_of_the_instances():
    assert owners(client_ids=["10.0.0.9@1", "10.0.0.10@1"]) == {"a0": "2", "a1": "2", "a2": "1", "a3": "1"}


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"strategy": "CONFIG"}, Says("consumer.strategy-needs", "...message_queue_list", strategy="CONFIG")),
        ({"strategy": "MACHINE_ROOM"}, Says("consumer.strategy-needs", "...consumeridcs", strategy="MACHINE_ROOM")),
        ({"strategy": "MACHINE_ROOM_NEARBY"}, Says("consumer.strategy-needs", "...broker_rooms")),
        ({"strategy_settings": {"consumeridcs": ["x"]}}, Says("consumer.strategy-has-not", strategy="AVG")),
        (
            {"strategy": "MACHINE_ROOM", "strategy_settings": {"consumeridcs": ["x"]}},
            Says("consumer.nobody-gets-a-queue"),
        ),
        (
            {"strategy": "CONFIG", "strategy_settings": {"message_queue_list": {"billing-1": ["orders:a:7"]}}},
            Says("reading.not-known", what="queue", name="orders:a:7", near="orders:a:1"),
        ),
        ({"client_ids": ["one"]}, Says("consumer.one-each", "...client_ids", instances=2, got=1)),
    ],
)
def test_a_strategy_without_what_it_needs_is_reported_in_a_sentence(changes, sentence):
    assert sentence in refused(**changes)


def test_more_instances_than_queues_are_warned_of():
    found = warnings_of(scenario_of(topics={"orders": {"queues": 1}}, consumers={"billing": GROUP | {"count": 5}}))
    assert found == [Says("warning.more-instances-than-queues", group="billing", instances=5, queues=3, idle=2)]


def test_ids_that_collide_are_warned_of():
    (found,) = warnings_of(scenario_of(consumers={"billing": GROUP | {"client_ids": ["one", "one"]}}))
    assert found == Says("warning.same-client-id", instances=2, group="billing", client_id="one")


def test_a_broker_without_a_room_is_warned_of():
    rooms = {"broker_rooms": {"a": "x", "b": "x"}, "instance_rooms": {"billing-1": "x", "billing-2": "x"}}
    group = GROUP | {"strategy": "MACHINE_ROOM_NEARBY", "strategy_settings": rooms}
    (found,) = warnings_of(scenario_of(consumers={"billing": group}))
    assert found == Says("warning.without-room", missing="c", count=1, group="billing")
