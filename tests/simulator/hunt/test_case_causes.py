"""What a found case says of its consequences."""

from __future__ import annotations

import pytest

from simulator.causes.consequence import KINDS, LATE, Consequence
from simulator.hunt.cases.case_causes import what_happens


@pytest.mark.parametrize("kind", [kind for kind, cost in KINDS.items() if cost <= LATE])
def test_every_consequence_that_costs_messages_or_time_has_its_sentence(kind):
    said = what_happens(Consequence(kind, "billing", 0, 1_000_000, 1_234.0))
    assert "1,234" in said
    assert "billing" in said or kind == "lost"
