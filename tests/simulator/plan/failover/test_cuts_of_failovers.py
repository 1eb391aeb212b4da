"""Wherever a run is cut in the middle of an election, its rows are those of the uncut run."""

from __future__ import annotations

import random

import pytest

from simulator.run.cell import CELL_TABLES
from simulator.run.simulate import simulate
from simulator.scenario import parse_scenario
from tests.simulator.hashed import hashes_of
from tests.simulator.run.test_cuts import cut_run
from tests.simulator.small import fault, text_of

SET = {"latency": {"constant": "2ms"}, "replicas": 3, "mode": "controller", "release": "5.3.3"}
GROUP = {"billing": {"topic": "orders", "count": 2, "threads": 2, "service": "4ms", "release": "5.3.3"}}


@pytest.mark.parametrize("kind", ["kill", "restart", "hang"])
@pytest.mark.parametrize("cuts", [(3, 4, 5, 6), (8, 14, 17), range(1, 60)])
def test_any_cut_gives_the_rows_of_the_uncut_run(kind, cuts):
    text = text_of(
        duration="60s", producers={"rate": "20/s"}, consumers=GROUP, brokers={"a": SET, "b": SET | {"replicas": 2}},
        faults=[fault("slave_lag", "2s", "3s", broker="a"), fault(kind, "4s", "20s", broker="a")],
    )  # fmt: skip
    uncut = simulate(parse_scenario(text), tables=CELL_TABLES)
    tables, _ = cut_run(text, cuts, random.Random(3), CELL_TABLES)
    assert uncut.tables["elections"].num_rows == 1
    assert hashes_of(tables) == hashes_of({name: own for name, own in uncut.tables.items() if own.num_rows})


@pytest.mark.parametrize(
    ("later", "group"),
    [
        ({"delay": {"level": {0: 1, 2: 2, 3: 1}}}, {}),
        ({"delay": {"delay_time": "3s"}}, {}),
        ({"transaction": {"local": "10ms", "outcome": "commit"}}, {}),
        ({}, {"consume_mode": "POP", "pop_invisible_time": "10s"}),
    ],
)
def test_what_a_new_master_goes_on_with_is_in_the_state(later, group):
    frozen = {"at": "3s", "for": "50s", "consumer": "billing-2", "kind": "hang"}
    text = text_of(
        duration="60s", client={"release": "5.3.3"}, producers={"rate": "20/s", "threads": 4, **later},
        brokers={"a": SET}, consumers={"billing": GROUP["billing"] | group},
        faults=[frozen, fault("kill", "18s", "20s", broker="a")],
    )  # fmt: skip
    uncut = simulate(parse_scenario(text), tables=CELL_TABLES)
    tables, _ = cut_run(text, (5, 12, 17, 18, 19, 22, 40), random.Random(4), CELL_TABLES)
    assert uncut.tables["consumed"].num_rows > 300
    assert hashes_of(tables) == hashes_of({name: own for name, own in uncut.tables.items() if own.num_rows})


def test_the_table_of_elections_says_who_became_master_and_since_when_nobody_was():
    text = text_of(
        duration="40s", producers={"rate": "5/s"}, brokers={"a": SET}, faults=[fault("kill", "4s", "20s", broker="a")]
    )
    row = simulate(parse_scenario(text)).tables["elections"].to_pylist()[0]
    assert (row["broker"], row["epoch"], row["gone_us"]) == ("a", 2, 4_000_000)
    assert row["machine"] in (2, 3)
    assert row["sync_set"] == str(row["machine"])
    assert 4_080_000 <= row["at_us"] < row["named_us"] < 4_280_000
