"""What is warned of sets, slaves, controllers and name servers that can run, and are probably not meant so."""

from __future__ import annotations

import pytest

from simulator.scenario.checks.warnings import warnings_of
from tests.says import Says
from tests.simulator.small import scenario_of

FAST = {"latency": {"constant": "1ms"}, "release": "5.3.3"}
SET = FAST | {"mode": "controller", "replicas": 3}
LEDGER = FAST | {"mode": "dledger", "replicas": 3}
SLAVE = FAST | {"slaves": 1}


def warned(first, second=FAST, **changes):
    return warnings_of(scenario_of(client={"release": "5.3.3"}, brokers={"a": first, "b": second}, **changes))


@pytest.mark.parametrize(("count", "majority"), [(2, 2), (4, 3), (8, 5)])
def test_an_even_number_of_controllers_outlives_no_more_failures_than_one_fewer(count, majority):
    found = warned(SET, controllers={"count": count, "embedded": False})
    own = Says("replica-warning.even-controllers", count=count, majority=majority, fewer=count - 1, more=count + 1)
    assert found == [own]


@pytest.mark.parametrize("count", [1, 3, 9])
def test_nothing_is_said_of_an_odd_number_of_controllers(count):
    assert warned(SET, controllers={"count": count, "embedded": False}) == []


def test_sets_of_dledger_of_an_even_size_are_named():
    found = warned(LEDGER | {"replicas": 4}, LEDGER)
    assert found == [Says("replica-warning.even-set", brokers="a", count=4, majority=3, fewer=3, more=5)]


@pytest.mark.parametrize("own", [SET, LEDGER])
def test_a_set_that_elects_has_no_acting_master(own):
    found = warned(own | {"slave_acting_master": True}, own)
    assert found == [Says("replica-warning.set-acts", brokers="a")]


def test_where_no_slave_is_there_to_act_this_is_said():
    assert warned(FAST | {"slave_acting_master": True}, SLAVE) == [Says("replica-warning.nobody-to-act", brokers="a")]


@pytest.mark.parametrize(("acts", "answer"), [(False, "FLUSH_SLAVE_TIMEOUT"), (True, "SYSTEM_ERROR (1)")])
def test_more_acknowledgements_than_machines_are_named_with_the_answer_to_every_send(acts, answer):
    keys = {"role": "sync_master", "slave_acting_master": acts}
    found = warned(SLAVE | keys | {"in_sync_replicas": 3}, SLAVE | keys | {"in_sync_replicas": 2})
    assert found == [Says("replica-warning.too-few-to-acknowledge", brokers="a", answer=answer)]


@pytest.mark.parametrize(
    ("own", "key"),
    [
        (FAST | {"ha_flow_control_enable": True}, "ha_flow_control_enable"),
        (SLAVE | {"max_ha_transfer_byte_in_second": "1MiB"}, "max_ha_transfer_byte_in_second"),
        (SLAVE | {"in_sync_replicas": 2}, "in_sync_replicas"),
        (LEDGER | {"in_sync_replicas": 2}, "in_sync_replicas"),
        (SET | {"in_sync_replicas": 2, "all_ack_in_sync_state_set": True}, "in_sync_replicas"),
    ],
)
def test_keys_of_a_broker_that_change_nothing_are_named(own, key):
    assert warned(own) == [Says("replica-warning.no-effect", key=key, brokers="a")]


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"name_servers": {"support_acting_master": True}}, "name_servers.support_acting_master"),
        ({"name_servers": {"wait_for_service": "10s"}}, "name_servers.wait_for_service"),
        ({"controllers": {"count": 3, "embedded": False}}, "controllers"),
    ],
)
def test_settings_that_no_broker_makes_use_of_are_named(changes, key):
    assert warned(SLAVE, **changes) == [Says("replica-warning.unused", key=key)]


@pytest.mark.parametrize("kind", ["slave_lag", "slave_lost"])
def test_a_fault_of_slaves_that_names_the_first_master_never_happens(kind):
    fault = {"at": "1s", "for": "500ms", "broker": "a", "replica": 1, "kind": kind}
    killed = {"at": "500ms", "for": "1s", "broker": "a", "kind": "kill"}
    assert warned(SET, faults=[fault]) == [Says("replica-warning.master-as-slave", kind=kind, at="1s", broker="a")]
    assert warned(SET, faults=[fault | {"replica": 2}]) == []
    assert warned(SET, faults=[killed, fault]) == []


def test_a_heartbeat_more_often_than_controllers_wait_for_one_is_fine():
    assert warned(SET | {"broker_heartbeat_interval": "4999ms", "controller_heart_beat_timeout": "5s"}) == []
