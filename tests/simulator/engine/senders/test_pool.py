"""The client's own threads: each picks with a sendWhichQueue of its own, and they take turns."""

from __future__ import annotations

from itertools import pairwise

import pytest

from simulator.engine.memory.settings import FAR
from simulator.plan.compile import compile_scenario
from simulator.run.cell import Cell
from simulator.workload import NO_ARRIVALS, arrivals
from state.row import decode_tables
from tests.simulator.small import fault, ran, rows, scenario_of

ASYNC = {"mode": "async", "rate": "20/s", "threads": 1}
OFF = {"send_latency_fault_enable": False, "async_sender_threads": 2}


def places(**changes):
    """Place of every first attempt's queue in the list of 6."""
    attempts = rows(ran(producers=ASYNC, **changes), "attempts", attempt=1)
    return ["abc".index(a["broker"]) * 2 + a["queue_id"] for a in attempts]


def steps(found, apart):
    return {(b - a) % 6 for a, b in zip(found, found[apart:], strict=False)}


@pytest.mark.parametrize(("release", "apart"), [("4.2.0", 1), ("4.3.2", 2), ("4.4.0", 2), ("5.3.3", 2)])
def test_threads_of_the_pool_take_turns_from_4_3_0_on(release, apart):
    found = places(client=OFF | {"release": release})
    assert steps(found, apart) == {1}
    assert (steps(found, 1) == {1}) == (apart == 1)


def test_as_many_threads_as_the_machine_has_processors():
    assert steps(places(client=OFF | {"async_sender_threads": 3}), 3) == {1}


def test_a_start_of_the_counter_is_that_of_every_thread():
    found = places(client=OFF | {"send_which_queue_start": 4})
    assert all(a == b for a, b in list(pairwise(found))[::2])


def counters(release, faults=(), **client):
    """Counters that have been used at the end of a run, by thread; the sender thread is 0."""
    client = OFF | {"release": release} | client
    scenario = scenario_of(duration="6s", producers=ASYNC, client=client, faults=list(faults))
    plan = compile_scenario(scenario)
    cell = Cell(plan.cells[0])
    cell.observe(plan.observations)
    for window in range(plan.windows):
        events = arrivals(plan.cells[0].streams, plan.seed, window, plan.window_us, plan.duration_us)
        cell.step(events, (window + 1) * plan.window_us)
    cell.step(NO_ARRIVALS, FAR)
    table = decode_tables(cell.snapshot())["counters"].to_pylist()
    return [row["thread"] for row in table if row["send_which_queue"] is not None]


@pytest.mark.parametrize(("release", "used"), [("4.2.0", [0]), ("4.3.0", [1, 2]), ("4.9.8", [1, 2]), ("5.3.3", [1, 2])])
def test_whose_counters_are_used(release, used):
    assert counters(release) == used


def test_a_retry_after_a_refused_connection_is_picked_where_the_failure_is_noticed():
    refused = [fault("refuse", "500ms", "1s")]
    assert counters("4.9.8", refused) == [1, 2]  # on the sending thread, which was connecting
    assert set(counters("5.3.3", refused)) == {1, 2, 3, 4}  # on one that runs callbacks


def test_a_retry_after_a_time_out_is_picked_on_a_thread_that_runs_callbacks():
    hung = [fault("hang", "0s", "6s")]
    assert set(counters("4.9.8", hung, send_msg_timeout="500ms")) - {1, 2} != set()
    assert set(counters("4.2.0", hung, send_msg_timeout="500ms")) - {0} != set()
