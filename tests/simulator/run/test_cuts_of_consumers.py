"""Wherever a run with consumers is cut, stored and restored, its rows are those of the uncut run."""

from __future__ import annotations

import random

import pytest

from simulator.run.cell import CELL_TABLES
from simulator.run.simulate import simulate
from simulator.scenario import parse_scenario
from tests.simulator.hashed import hashes_of
from tests.simulator.run.test_cuts import cut_run
from tests.simulator.small import fault, text_of

GROUPS = {
    "billing": {"topic": "orders", "count": 3, "threads": 2, "service": "40ms", "release": "5.3.3", "fails": 0.1},
    "audit": {"topic": "orders", "count": 1, "threads": 1, "service": {"exponential": {"mean": "60ms"}}},
}
LEVELS = {name: {"latency": {"constant": "2ms"}, "message_delay_level": "1s 1s 1s 2s 3s"} for name in "abc"}
BUSY = {"rate": "60/s", "arrivals": "poisson"}


@pytest.mark.parametrize("cuts", [(1,), (3, 4, 5), range(1, 26)])
def test_any_cut_gives_the_rows_of_the_uncut_run(cuts):
    hang = fault("hang", "5s", "3s")
    text = text_of(
        duration="25s", producers=BUSY, consumers=GROUPS, brokers=LEVELS, faults=[hang, fault("kill", "12s", "6s")]
    )
    uncut = simulate(parse_scenario(text), tables=CELL_TABLES)
    tables, _ = cut_run(text, cuts, random.Random(7), CELL_TABLES)
    assert uncut.tables["consumed"].num_rows > 1000
    assert hashes_of(tables) == hashes_of(uncut.tables)


REMEMBERING = GROUPS["audit"] | {"consume_timeout": "1m", "deduplicate": {"window": "40s", "entries": 500}}
STUCK = [
    {"at": "10s", "for": "120s", "consumer": "billing", "kind": "stuck"},
    {"at": "90s", "consumer": "billing", "kind": "reset_offset", "to": "0s"},
]
SENDING = {"rate": "5/s", "count": 2, "threads": 2, "transaction": {"local": "10ms", "outcome": "unknown", "idle": 1}}


@pytest.mark.parametrize(
    ("keys", "column"),
    [
        ({"producers": {"rate": "5/s"}, "consumers": {"billing": REMEMBERING}, "faults": STUCK}, "handled_again"),
        ({"producers": SENDING, "consumers": {"billing": GROUPS["audit"]}}, "checks"),
        ({"producers": {"rate": "5/s"}, "consumers": {"billing": GROUPS["audit"] | {"backlog": 900}}}, "consumed"),
    ],
    ids=["sweeps and deduplicates", "idle transactional producer", "a backlog from before"],
)
def test_what_is_remembered_between_windows_survives_a_cut(keys, column):
    text = text_of(duration="160s", window="5s", **keys)
    uncut = simulate(parse_scenario(text), tables=CELL_TABLES)
    tables, _ = cut_run(text, (3, 7, 15, 19, 26), random.Random(1), CELL_TABLES)
    table = "check_backs" if column == "checks" else "consumer_windows"
    assert sum(uncut.column(table, column)) > 10
    assert hashes_of(tables) == hashes_of(uncut.tables)
