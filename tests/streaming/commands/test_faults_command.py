"""`sendlab faults` lists every kind with an example that can be run."""

from __future__ import annotations

import json

import pytest

from simulator.run.simulate import simulate
from simulator.scenario import parse_scenario
from simulator.scenario.faults.fault_kinds import KINDS
from streaming.commands.faults_command import example_scenario, faults_command
from streaming.errors import InputError
from tests.streaming.recorded_console import recorded


def test_every_kind_is_listed():
    said = recorded(lambda console: faults_command(None, False, console))
    assert all(kind in said for kind in KINDS)


def test_one_kind_is_shown_with_a_scenario_to_run():
    said = recorded(lambda console: faults_command("kill", False, console))
    assert parse_scenario(said.partition("\n\n")[2]).faults[0].kind == "kill"


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.name)
def test_the_scenario_of_every_kind_shows_an_effect(kind):
    with_fault = example_scenario(kind)
    without = with_fault.replace(f"  - {kind.example}\n", "").removesuffix("faults:\n")
    seen = ("sends", "consumer_windows")  # by producers, by consumer groups
    found = [simulate(parse_scenario(text), tables=seen).tables for text in (with_fault, without)]
    assert any(not found[0][table].equals(found[1][table]) for table in seen)


def test_json_has_the_keys_of_a_kind():
    kinds = json.loads(recorded(lambda console: faults_command(None, True, console)))
    assert [kind["kind"] for kind in kinds] == list(KINDS)
    slow = next(kind for kind in kinds if kind["kind"] == "slow")
    assert (slow["needs"], slow["may"], slow["for_is_optional"]) == (["factor|latency"], ["ramp"], False)


def test_an_unknown_kind_is_refused_with_the_nearest():
    with pytest.raises(InputError, match="did you mean restart"):
        recorded(lambda console: faults_command("restrat", False, console))
