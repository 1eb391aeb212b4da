"""A scenario without sets of replicas pays nothing for them: none of their rules is run, no memory is theirs."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from simulator.engine.memory.events import ROLE, events_of
from simulator.plan.compile import compile_scenario
from simulator.run.fresh import timers_of
from simulator.scenario import parse_scenario

OF_SETS = (
    "plan/failover/", "run/election_rows.py", "engine/broker/roles.py", "engine/broker/replication.py",
    "engine/network/old_masters.py", "consumer/links/old_addresses.py", "consumer/machine/other_machines.py",
)  # fmt: skip
# what asks before the run whether there are any sets, and at each poll of a consumer whether it knows an old address
ASKS = {
    "plan/failover/failover_effects.py:all_effects", "plan/failover/failover_effects.py:planned_elections",
    "plan/failover/failover_effects.py:set_histories", "plan/failover/failover_effects.py:takeover_actions",
    "plan/failover/replica_states.py:replica_states", "plan/failover/role_changes.py:role_changes",
    "consumer/links/old_addresses.py:go_to_new_masters",
}  # fmt: skip


def text_of(**broker):
    own = {"latency": {"constant": "1ms"}, "slave_latency": {"constant": "1ms"}} | broker
    return json.dumps({
        "name": "s", "duration": "25s", "client": {"release": "5.3.3"}, "producers": {"count": 2, "rate": "2/s"},
        "topics": {"t": {"queues": 2}}, "brokers": {"a": own, "b": {"like": "a"}},
        "consumers": {"g": {"topic": "t", "count": 2, "threads": 2, "service": "2ms", "release": "5.3.3"}},
        "faults": [{"at": "5s", "for": "10s", "broker": "a", "kind": "kill"}],
    })  # fmt: skip


def called_of_sets(**broker):
    """Functions of sets that a run calls, which is plain Python for that."""
    script = "tests.simulator.plan.failover.called"
    env = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-m", script]
    done = subprocess.run(command, input=text_of(**broker), env=env, capture_output=True, text=True, check=True)
    return {name for name in json.loads(done.stdout) if name.startswith(OF_SETS)}


SET = {"replicas": 3, "mode": "controller"}


def test_a_run_without_sets_calls_none_of_their_rules():
    assert called_of_sets() == ASKS


def test_a_run_with_them_does():
    found = called_of_sets(**SET)
    assert found > ASKS
    for rule in ("engine/broker/roles.py:change_role", "consumer/machine/other_machines.py:become_master"):
        assert rule in found


@pytest.mark.parametrize(("broker", "changes"), [({}, False), (SET, True)])
def test_the_memory_of_a_run_without_sets_has_no_change_of_roles(broker, changes):
    plan = compile_scenario(parse_scenario(text_of(**broker))).cells[0]
    assert (len(plan.cluster["role_changes"]) > 0) == changes
    assert np.isin(timers_of(plan)[:, 0], events_of(ROLE, np.arange(2))).any() == changes
