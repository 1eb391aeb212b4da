"""What a found case says of its consequences."""

from __future__ import annotations

import pytest

from simulator.causes.consequence import KINDS, LATE, Consequence
from simulator.hunt.cases.case_causes import proven_causes, what_happens
from tests.simulator.small import scenario_of


@pytest.mark.parametrize("kind", [kind for kind, cost in KINDS.items() if cost <= LATE])
def test_every_consequence_that_costs_messages_or_time_has_its_sentence(kind):
    said = what_happens(Consequence(kind, "billing", 0, 1_000_000, 1_234.0))
    assert "1,234" in said
    assert "billing" in said or kind == "lost"


def test_a_cause_is_named_once_and_what_is_left_without_it_behind_it():
    faults = [{"at": "5s", "for": "10s", "broker": "a", "kind": "hang"}]
    said = proven_causes(scenario_of(duration="30s", producers={"count": 4, "rate": "20/s"}, faults=faults))
    assert said
    assert all(one.count("a hangs") == 1 and "(without it: " in one for one in said)
