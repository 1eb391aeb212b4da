"""Cuts of runs in which consumers cannot reach brokers, or only slaves, give the rows of the uncut run."""

from __future__ import annotations

import random

import pytest

from simulator.run.cell import CELL_TABLES
from simulator.run.simulate import simulate
from simulator.scenario import parse_scenario
from tests.simulator.hashed import hashes_of
from tests.simulator.run.test_cuts import cut_run
from tests.simulator.run.test_cuts_of_consumers import BUSY, GROUPS, LEVELS
from tests.simulator.small import fault, text_of

FAULTS = [
    fault("silent_death", "5s", "12s"),
    fault("partition", "20s", "30s", "b", consumer="billing"),
    fault("refuse", "24s", "4s"),
    fault("master_lost", "55s", "30s", "c"),
    fault("kill", "62s", "3s", None, consumer="billing-1"),
]


@pytest.mark.parametrize("cuts", [(6, 21, 25, 60, 63), range(1, 90)])
def test_any_cut_gives_the_rows_of_the_uncut_run(cuts):
    slaves = {name: own | {"slaves": 1, "slave_read_enable": True} for name, own in LEVELS.items()}
    text = text_of(duration="90s", producers=BUSY, consumers=GROUPS, brokers=slaves, faults=FAULTS)
    uncut = simulate(parse_scenario(text), tables=CELL_TABLES)
    tables, _ = cut_run(text, cuts, random.Random(7), CELL_TABLES)
    assert uncut.tables["consumed"].num_rows > 1000
    assert uncut.column("consumer_windows", "from_slave").sum() > 0
    assert hashes_of(tables) == hashes_of(uncut.tables)
