"""Wherever a run with groups over gRPC is cut, its rows are those of the uncut run."""

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

OWN = {key: value for key, value in GROUPS["billing"].items() if key != "release"}


@pytest.mark.parametrize("cuts", [(3, 4, 5), range(1, 90)])
@pytest.mark.parametrize("kind", [{"kind": "push"}, {"kind": "simple", "invisible_duration": "10s"}])
def test_any_cut_gives_the_rows_of_the_uncut_run(cuts, kind):
    faults = [
        fault("hang", "5s", "3s"),
        fault("kill", "12s", "6s"),
        fault("kill", "20s", "2s", None, consumer="billing-1"),
        fault("hang", "30s", "20s", None, consumer="billing-2"),
        fault("kill", "60s", "5s", None, proxy="proxy-1"),
        fault("hang", "70s", "5s", None, proxy="proxy-2"),
    ]
    brokers = {name: {"latency": {"constant": "1ms"}, "release": "5.3.3"} for name in "ab"}
    groups = {"billing": OWN | {"grpc": kind}, "audit": GROUPS["audit"]}
    proxies = {"count": 2, "default_invisible_time": "10s"}
    text = text_of(
        duration="90s", producers=BUSY, consumers=groups, brokers=brokers, faults=faults, proxies=proxies
    )  # fmt: skip
    uncut = simulate(parse_scenario(text), tables=CELL_TABLES)
    tables, _ = cut_run(text, cuts, random.Random(7), CELL_TABLES)
    assert sum(uncut.column("pops", "revived")) > 0
    assert hashes_of(tables) == hashes_of(uncut.tables)
