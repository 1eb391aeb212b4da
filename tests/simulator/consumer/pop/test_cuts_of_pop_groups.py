"""Wherever a run with a POP group is cut, its rows are those of the uncut run."""

from __future__ import annotations

import random

import pytest

from simulator.run.cell import CELL_TABLES
from simulator.run.simulate import simulate
from simulator.scenario import parse_scenario
from tests.simulator.hashed import hashes_of
from tests.simulator.run.test_cuts import cut_run
from tests.simulator.run.test_cuts_of_consumers import BUSY, GROUPS
from tests.simulator.small import fault, text_of

POPS = {"consume_mode": "POP", "release": "5.3.3", "pop_invisible_time": "10s"}


@pytest.mark.parametrize("cuts", [(3, 4, 5), range(1, 90)])
@pytest.mark.parametrize("share", [0, 1])
def test_any_cut_of_a_pop_run_gives_the_rows_of_the_uncut_run(cuts, share):
    faults = [
        fault("hang", "5s", "3s"),
        fault("kill", "12s", "6s"),
        fault("kill", "20s", "2s", None, consumer="billing-1"),
        fault("hang", "30s", "20s", None, consumer="billing-2"),
    ]
    brokers = {name: {"latency": {"constant": "1ms"}, "release": "5.3.3"} for name in "ab"}
    groups = {"billing": GROUPS["billing"] | POPS | {"pop_share_queue_num": share}, "audit": GROUPS["audit"]}
    text = text_of(duration="90s", producers=BUSY, consumers=groups, brokers=brokers, faults=faults)
    uncut = simulate(parse_scenario(text), tables=CELL_TABLES)
    tables, _ = cut_run(text, cuts, random.Random(7), CELL_TABLES)
    assert sum(uncut.column("pops", "revived")) > 0
    assert hashes_of(tables) == hashes_of(uncut.tables)
