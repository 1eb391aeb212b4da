"""What figures say of a run that is under way."""

from __future__ import annotations

import itertools

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from hypothesis import given
from hypothesis import strategies as st

from simulator.causes.run_figures import FigureReader, Isolations, figures_of
from simulator.run.simulate import simulate
from tests.simulator.small import scenario_of


def test_the_lag_stays_where_the_last_windows_are_not_written_yet():
    billing = {"topic": "orders", "count": 1, "threads": 1, "service": "50ms"}
    scenario = scenario_of(duration="20s", producers={"count": 1, "rate": "40/s"}, consumers={"billing": billing})
    windows = simulate(scenario, tables=("consumer_windows",)).tables["consumer_windows"]
    reader = FigureReader(scenario, scenario.duration_us)
    reader.add("consumer_windows", windows.filter(pc.less(windows.column("window_start_us"), 15_000_000)))
    lag = reader.done(0).of("lag", "billing")
    assert lag[14] > 100
    assert set(lag[15:]) == {lag[14]}


def _changes(rows):
    names = ("broker", "producer", "at_us", "available", "start_timestamp_ms", "change_seq")
    return pa.table({name: [row[place] for row in rows] for place, name in enumerate(names)})


CHANGES = _changes(
    [
        ("a", 0, 1_000_000, False, 31_000, 0),
        ("b", 0, 1_500_000, True, 0, 1),
        ("a", 0, 2_000_000, True, 0, 2),  # ends the first
        ("a", 1, 3_000_000, False, 4_000, 0),  # ends by itself
        ("a", 0, 5_000_000, False, 8_000, 3),
        ("a", 0, 6_000_000, False, 9_000, 4),  # the next begins at once
        ("b", 1, 7_000_000, False, 0, 5),  # unreachable, without a time
    ]
)
ISOLATED = {
    (0, 0, 1_000_000, 2_000_000), (0, 1, 3_000_000, 4_000_000), (0, 0, 5_000_000, 6_000_000),
    (0, 0, 6_000_000, 9_000_000), (1, 1, 7_000_000, 10_000_000),
}  # fmt: skip


@given(st.lists(st.integers(0, CHANGES.num_rows), max_size=4))
def test_isolations_are_the_same_however_the_changes_are_cut(cuts):
    found, edges = Isolations(["a", "b"], 10_000_000), [0, *sorted(cuts), CHANGES.num_rows]
    for begin, end in itertools.pairwise(edges):
        found.add(CHANGES.slice(begin, end - begin))
    assert set(map(tuple, found.all().tolist())) == ISOLATED


def test_a_run_without_changes_has_no_isolation():
    assert np.array_equal(Isolations(["a"], 1).all(), np.zeros((0, 4), np.int64))


def test_a_broker_that_5_1_4_cannot_reach_is_isolated_until_the_next_change():
    scenario = scenario_of(
        duration="30s", client={"release": "5.1.4", "send_latency_fault_enable": True},
        faults=[{"at": "5s", "for": "1s", "broker": "b", "kind": "code", "response_code": "SYSTEM_ERROR"}],
    )  # fmt: skip
    rows = figures_of(scenario).isolations
    assert len(rows) > 0
    assert set(rows[:, 3]) == {30_000_000}
