"""Who is what in a set, and when."""

from __future__ import annotations

from itertools import pairwise

import pytest

from simulator.plan.failover.role_stretches import (
    IN_SYNC,
    MASTER,
    joined_stretches,
    not_named,
    role_stretches,
)
from tests.simulator.plan.failover.test_controller import KILL, S, history_of

END_US = 200 * S


def roles_of(history):
    found = {}
    for one in role_stretches(history, END_US):
        found.setdefault(one.machine, []).append(one)
    return found


def test_a_killed_master_is_down_then_behind_then_a_slave():
    history = history_of(KILL)
    old = roles_of(history)[1]
    assert [one.role for one in old] == [MASTER, "down", "not in the sync set", IN_SYNC]
    assert [one.from_us for one in old[:3]] == [0, 30 * S, 90 * S]
    (elected,) = history.elections
    new = roles_of(history)[elected.machine]
    assert [(one.role, one.from_us) for one in new] == [(IN_SYNC, 0), (MASTER, elected.at_us)]


@pytest.mark.parametrize("kind", ["kill", "hang", "restart", "power_loss"])
def test_every_machine_has_one_role_at_a_time_and_no_two_are_master(kind):
    of_machines = roles_of(history_of({**KILL, "kind": kind}))
    for own in of_machines.values():
        assert own[0].from_us == 0
        assert own[-1].until_us == END_US
        assert all(one.until_us == other.from_us and one.role != other.role for one, other in pairwise(own))
    led = sorted(one[2:] for own in of_machines.values() for one in own if one.role == MASTER)
    assert all(one[1] <= other[0] for one, other in pairwise(led))


def test_the_route_is_without_a_master_from_a_closed_connection_to_the_new_ones_registration():
    history = history_of({**KILL, "kind": "restart"})
    ((from_us, until_us),) = not_named(history.epochs)
    assert 30.06 * S <= from_us < 30.13 * S
    assert until_us == history.epochs[1].listed_us > 35 * S


def test_stretches_that_meet_are_one():
    assert joined_stretches([(5, 9), (1, 3), (3, 4), (6, 7)]) == [(1, 4), (5, 9)]
