"""A scenario that was changed while it ran gives the rows of one that had the change in it from the start."""

from __future__ import annotations

import random
from itertools import pairwise

import pyarrow as pa
import pyarrow.compute as pc

from simulator.plan.compile import compile_scenario
from simulator.run.simulate import simulate
from simulator.scenario.amendment import amended
from state.row import StateRow
from streaming.flow.reloaded_feed import ReloadedFeed
from streaming.operator.reloaded_stepper import ReloadedStepper
from tests.simulator.hashed import hashes_of
from tests.simulator.small import fault, scenario_of

TABLES = ("attempts", "sends", "fault_items", "windows", "rejects")
LOAD = {"count": 4, "threads": 2, "rate": "20/s", "arrivals": "poisson"}
RUNNING = {"duration": "40s", "cells": 2, "producers": LOAD, "faults": [fault("hang", "5s", "3s")]}
AT = 12  # windows of a second
HANG = {"producers": LOAD | {"rate": "30/s"}, "faults": [*RUNNING["faults"], fault("hang", "20s", "5s", "c")]}
KILL = {"faults": [*RUNNING["faults"], fault("kill", "13s", "5s", "c")]}


def changed(to):
    """The plans of the run, from which steps on; and the scenario of all of it."""
    running = scenario_of(**RUNNING)
    whole = amended(running, scenario_of(**RUNNING | to), AT * 1_000_000).scenario
    return [(0, compile_scenario(running)), (AT, compile_scenario(whole))], whole


def rows_of(turns, *cuts):
    feed, found = ReloadedFeed(turns), {}
    for cell in range(feed.cells):
        stored = None
        for first, last in pairwise(sorted({0, feed.steps, *cuts})):
            blocks = list(feed.blocks(cell, first, last))
            random.Random(first).shuffle(blocks)
            stepper = ReloadedStepper(turns, cell, stored, TABLES)
            for name, rows in stepper.run(blocks):
                found.setdefault(name, []).append(rows)
            stored = StateRow(*stepper.snapshot().as_tuple())
    return {name: pa.concat_tables(tables) for name, tables in found.items()}


def test_it_has_the_rows_of_the_scenario_that_had_the_change_from_the_start():
    turns, whole = changed(HANG)
    assert hashes_of(rows_of(turns, AT)) == hashes_of(simulate(whole).tables)


def test_rows_do_not_depend_on_where_micro_batches_end():
    turns, _ = changed(KILL)
    uncut, at_the_change, beside_it = (hashes_of(rows_of(turns, *cuts)) for cuts in ((), (AT,), (AT - 1, AT + 1)))
    assert uncut == at_the_change == beside_it


def test_rows_before_the_change_are_those_of_the_run_without_it():
    def early(table):
        return sorted(map(str, table.filter(pc.less(table.column("end_us"), AT * 1_000_000)).to_pylist()))

    turns, _ = changed(KILL)
    before = early(simulate(scenario_of(**RUNNING)).tables["sends"])
    assert len(before) > 900
    assert early(rows_of(turns)["sends"]) == before


def test_a_broker_that_dies_after_the_change_is_felt():
    turns, _ = changed(KILL)
    attempts = rows_of(turns)["attempts"].to_pylist()
    assert {row["broker"] for row in attempts if row["outcome"] == "RemotingConnectException"} == {"c"}


def test_two_changes_at_one_step_are_both_taken():
    turns, whole = changed(HANG)
    twice = [turns[0], (AT, compile_scenario(changed(KILL)[1])), (AT, turns[1][1])]
    sends = hashes_of({"sends": rows_of(twice, AT)["sends"]})["sends"]
    assert sends.split()[0] == str(simulate(whole).tables["sends"].num_rows)
