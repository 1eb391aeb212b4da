"""Every timer of an instance is set by its start, cleared by its end, and put off while its process stands still."""

from __future__ import annotations

import pytest

from simulator.consumer.shared.instance_timers import INSTANCE_TIMERS
from simulator.engine.memory.settings import FAR
from simulator.plan.compile import compile_scenario
from simulator.run.consumers.consumer_machine import ConsumerMachine
from tests.simulator.small import scenario_of

S = 1_000_000
GROUP = {"topic": "orders", "count": 2, "service": "10ms", "consume_mode": "ORDERLY", "release": "5.3.3"}
KINDS = tuple(INSTANCE_TIMERS)


def machine_with(*faults, until_us):
    """A machine of two instances, stepped to a moment without a message."""
    scenario = scenario_of(duration="120s", consumers={"billing": GROUP}, faults=list(faults))
    machine = ConsumerMachine(compile_scenario(scenario).cells[0].consumers, ())
    machine.step(until_us)
    return machine


def due_us(machine, kind, instance=1):
    """When a timer of an instance is due."""
    return int(machine.world.timers[instance * len(KINDS) + KINDS.index(kind)])


def declared_us(machine, kind, table="first_times"):
    """What the timer's declaration says of the only group."""
    return int(getattr(machine.world, table)[KINDS.index(kind)])


@pytest.mark.parametrize("kind", KINDS)
def test_a_start_sets_each_timer_as_it_is_declared(kind):
    machine = machine_with({"at": "20s", "consumer": "billing-2", "kind": "scale_out"}, until_us=20 * S + 1)
    first_us = declared_us(machine, kind)
    assert due_us(machine, kind) == (FAR if first_us == FAR else 20 * S + first_us)


@pytest.mark.parametrize("kind", KINDS)
def test_a_killed_instance_has_no_timer(kind):
    machine = machine_with({"at": "20s", "for": "60s", "consumer": "billing-2", "kind": "kill"}, until_us=30 * S)
    assert due_us(machine, kind) == FAR


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_due_while_a_process_stands_still_is_due_as_it_goes_on(kind):
    hang = {"at": "20s", "for": "60s", "consumer": "billing-2", "kind": "hang"}
    machine = machine_with(hang, until_us=79 * S)
    assert due_us(machine, kind) == (80 * S if declared_us(machine, kind) < FAR else FAR)


@pytest.mark.parametrize("kind", KINDS)
def test_a_timer_with_a_period_stays_in_step_with_its_first_time(kind):
    early, late = machine_with(until_us=2), machine_with(until_us=100 * S)
    period_us = declared_us(early, kind, "timer_periods")
    if period_us > 0:
        assert 0 < due_us(late, kind) - 100 * S <= period_us
        assert (due_us(late, kind) - due_us(early, kind)) % period_us == 0
