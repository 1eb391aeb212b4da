"""Wherever a run is cut into micro-batches, and stored and restored in between, the rows are the same."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simulator.engine.memory.periods_table import DOWN, SLAVE, STALL
from simulator.plan.compile import compile_scenario, compile_text
from simulator.plan.run_plan import Plan
from simulator.plan.timetable import PlannedPeriod
from simulator.run.simulate import simulate, simulate_plan
from simulator.scenario import parse_scenario
from state.row import StateRow, decode_tables
from streaming.flow.scenario_feed import ScenarioFeed
from streaming.operator.scenario_stepper import ScenarioStepper
from tests.simulator.drawn import scenarios
from tests.simulator.hashed import hashes_of
from tests.simulator.small import fault, text_of

TABLES = ("attempts", "sends", "fault_items", "windows", "rejects")


def cut_run(
    text: str, cuts: Iterable[int], order: random.Random, wanted: Iterable[str] = TABLES
) -> tuple[dict[str, pa.Table], list[StateRow]]:
    """Rows of a run whose micro-batches end at `cuts`, blocks in any order; the state of every cell at the end."""
    return cut_plan(compile_text(text), cuts, order, wanted)


def cut_plan(
    plan: Plan, cuts: Iterable[int], order: random.Random, wanted: Iterable[str] = TABLES
) -> tuple[dict[str, pa.Table], list[StateRow]]:
    """The same of a compiled scenario."""
    feed = ScenarioFeed(plan)
    edges = sorted({0, feed.steps, *(cut % feed.steps for cut in cuts)})
    found: dict[str, list[pa.Table]] = {}
    states = []
    for cell in range(feed.cells):
        stored = None
        for first, last in pairwise(edges):
            blocks = list(feed.blocks(cell, first, last))
            order.shuffle(blocks)
            stepper = ScenarioStepper(plan, cell, stored, wanted)
            for name, table in stepper.run(blocks):
                found.setdefault(name, []).append(table)
            stored = StateRow(*stepper.snapshot().as_tuple())
        assert stored is not None
        states.append(stored)
    return {name: pa.concat_tables(tables) for name, tables in found.items()}, states


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(text=scenarios(), cuts=st.lists(st.integers(0, 60), max_size=6), order=st.randoms(use_true_random=False))
def test_any_cut_gives_the_rows_of_the_uncut_run(text, cuts, order):
    uncut = simulate(parse_scenario(text))
    tables, states = cut_run(text, cuts, order)
    assert hashes_of(tables) == hashes_of(uncut.tables)
    _everything_adds_up(text, uncut.tables, states)


def _everything_adds_up(text: str, tables: dict[str, pa.Table], states: list[StateRow]) -> None:
    skipped = sum(state.events_skipped for state in states)
    closed = {group.group for group in parse_scenario(text).producers if group.arrivals == "closed"}
    arrived = sum(group not in closed for group in tables["sends"].column("producer_group").to_pylist())
    announced = sum(state.events_in for state in states) - arrived - skipped
    assert announced >= 0
    assert announced % len(states) == 0  # every cell hears of the same broker observations
    assert all(state.events_in == state.events_handled for state in states)
    results = [result in ("SEND_OK", "SENT_ONEWAY") for result in tables["sends"].column("result").to_pylist()]
    counted = [sum(getattr(state, name) for state in states) for name in ("sends", "failures", "retries")]
    retries = sum(attempt > 1 for attempt in tables["attempts"].column("attempt").to_pylist())
    assert counted == [len(results), results.count(False), retries]
    attempts = sum(tables["sends"].column("attempts").to_pylist())
    assert tables["attempts"].num_rows == attempts == sum(tables["windows"].column("attempts").to_pylist())


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(text=scenarios(), cuts=st.lists(st.integers(0, 60), max_size=3), order=st.randoms(use_true_random=False))
def test_any_cut_ends_with_the_same_state(text, cuts, order):
    assert remembered(cut_run(text, cuts, order)[1]) == remembered(cut_run(text, [], order)[1])


def remembered(states: list[StateRow]) -> list[object]:
    """What states mean: bytes of the engine's part may differ, a place of the backlog is as good as another."""
    return [
        (replace(state, engine=b""), {name: t.to_pylist() for name, t in decode_tables(state).items()})
        for state in states
    ]


@pytest.mark.parametrize("mode", ["sync", "async"])
@pytest.mark.parametrize("cut", range(1, 9))
def test_a_send_under_way_survives_a_cut_in_a_hang(cut, mode):
    producers = {"count": 3, "rate": "40/s", "mode": mode}
    text = text_of(duration="8s", window="1s", producers=producers, faults=[fault("hang", "2s", "4500ms")])
    tables, _ = cut_run(text, [cut], random.Random(cut))
    assert hashes_of(tables) == hashes_of(simulate(parse_scenario(text)).tables)


OUTAGES = st.lists(
    st.tuples(
        st.integers(0, 3_000), st.integers(1, 1_500), st.sampled_from([(STALL, 1), (SLAVE, 1), (SLAVE, 2)])
        | st.tuples(st.just(DOWN), st.integers(1, 4)),
    ),
    min_size=1, max_size=4,
)  # fmt: skip


@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(text=scenarios(), cuts=st.lists(st.integers(0, 60), max_size=6), outages=OUTAGES)
def test_any_cut_gives_the_same_rows_through_stalls_and_outages(text, cuts, outages):
    periods = [PlannedPeriod(at * 1000, (at + length) * 1000, 0, *which) for at, length, which in outages]
    scenario = parse_scenario(text)
    plan = compile_scenario(scenario, periods=periods)
    uncut = simulate_plan(plan, scenario)
    tables, states = cut_plan(plan, cuts, random.Random(1))
    assert hashes_of(tables) == hashes_of(uncut.tables)
    _everything_adds_up(text, uncut.tables, states)


def test_cells_do_not_share_their_events():
    text = text_of(cells=2, producers={"count": 4})
    tables, states = cut_run(text, [1], random.Random(0))
    cells = tables["sends"].column("cell").to_pylist()
    assert [state.events_in for state in states] == [cells.count(0), cells.count(1)]
