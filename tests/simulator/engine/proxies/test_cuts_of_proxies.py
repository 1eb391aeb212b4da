"""Cuts of runs over proxies that fail give the rows of the uncut run, with brokers that fail behind them."""

from __future__ import annotations

import random

import pytest

from simulator.run.simulate import simulate
from simulator.scenario import parse_scenario
from tests.simulator.hashed import hashes_of
from tests.simulator.run.test_cuts import cut_run
from tests.simulator.small import fault, text_of

FAULTS = [
    fault("kill", "8s", "20s", "a"),
    fault("hang", "40s", "8s", "b"),
    {"at": "12s", "for": "6s", "kind": "hang", "proxy": "proxy-1"},
    {"at": "30s", "for": "12s", "kind": "kill", "proxy": "proxy-2"},
]
GROUPS = [
    {"group": "sync", "count": 3, "threads": 3, "rate": "20/s", "grpc": {}},
    {"group": "async", "count": 2, "rate": "20/s", "mode": "async", "grpc": {"max_attempts": 2}},
    {"group": "remoting", "count": 2, "threads": 2, "rate": "10/s"},
]


@pytest.mark.parametrize("one_host", [False, True])
@pytest.mark.parametrize("cuts", [(6, 13, 18, 31, 44), range(1, 60)])
def test_any_cut_gives_the_rows_of_the_uncut_run(one_host, cuts):
    proxies = {"count": 2, "one_host": one_host, "send_latency_enable": one_host, "start_detector_enable": one_host}
    text = text_of(duration="60s", client={"release": "5.3.3"}, producers=GROUPS, proxies=proxies, faults=FAULTS)
    uncut = simulate(parse_scenario(text))
    tables, states = cut_run(text, cuts, random.Random(7), uncut.tables)
    assert len(set(uncut.column("sends", "result").tolist())) >= 3
    assert hashes_of(tables) == hashes_of(uncut.tables)
    assert states[0].sends == uncut.tables["sends"].num_rows
