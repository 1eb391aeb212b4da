"""What a fault does to one and to several, in words."""

from __future__ import annotations

import pytest

from simulator.scenario.faults.fault_kinds import KINDS
from simulator.scenario.faults.what_happens import OF_SEVERAL, happens_to
from state.texts import listed


@pytest.mark.parametrize(
    ("what", "one", "two"),
    [
        ("hangs", "broker-a hangs", "broker-a and broker-b hang"),
        ("is slow × 10", "broker-a is slow × 10", "broker-a and broker-b are slow × 10"),
        ("loses its disk", "broker-a loses its disk", "broker-a and broker-b lose their disk"),
        ("slave lags", "broker-a slave lags", "broker-a and broker-b: slave lags"),
    ],
)
def test_a_fault_of_several_has_its_verb_in_the_plural(what, one, two):
    names = ["broker-a", "broker-b"]
    assert [happens_to(listed(names[:count]), what, count) for count in (1, 2)] == [one, two]


def test_every_kind_whose_name_begins_with_a_verb_has_a_plural():
    without = {kind.title for kind in KINDS.values() if kind.title.split()[0] not in OF_SEVERAL}
    assert without == {"disk stalls", "slave lags", "write permission wiped", "topic read-only", "queue numbers change"}


def test_three_names_are_a_list():
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert listed([]) == ""
