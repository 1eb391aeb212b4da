"""Wherever a run with an orderly group is cut, its rows are those of the uncut run."""

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

IN_ORDER = {"consume_mode": "ORDERLY", "max_reconsume_times": 2, "release": "4.9.8"}


@pytest.mark.parametrize("cuts", [(3, 4, 5), range(1, 90)])
def test_any_cut_of_an_orderly_run_gives_the_rows_of_the_uncut_run(cuts):
    faults = [
        fault("hang", "5s", "3s"),
        fault("kill", "12s", "6s"),
        fault("kill", "20s", "2s", None, consumer="billing-1"),
    ]
    groups = {"billing": GROUPS["billing"] | IN_ORDER, "audit": GROUPS["audit"]}
    text = text_of(duration="90s", producers=BUSY, consumers=groups, brokers=LEVELS, faults=faults)
    uncut = simulate(parse_scenario(text), tables=CELL_TABLES)
    tables, _ = cut_run(text, cuts, random.Random(7), CELL_TABLES)
    assert uncut.tables["consumed"].num_rows > 1000
    assert hashes_of(tables) == hashes_of(uncut.tables)
