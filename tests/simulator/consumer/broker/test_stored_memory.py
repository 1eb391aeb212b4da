"""What stored messages take in memory: compact records in pages, which grow where they lie."""

from __future__ import annotations

import numpy as np

from simulator.compiled.records import size_of
from simulator.compiled.region_store import RegionStore, columns
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.queue_log import PAGE_MESSAGES, LogPage
from simulator.engine.memory.output import AppendRow
from simulator.plan.compile import compile_scenario
from simulator.run.cell import Cell
from simulator.run.consumers.machine_pools import PAGES_AT_ONCE
from tests.simulator.small import scenario_of

GIB = 1 << 30


def test_a_hundred_million_stored_messages_fit_into_4_gib():
    assert 10**8 / PAGE_MESSAGES * size_of(LogPage) * 8 < 3.8 * GIB


def test_pages_are_made_only_a_little_ahead_of_what_is_stored():
    plan = compile_scenario(scenario_of(consumers={"billing": {"topic": "orders", "service": "10m"}}))
    machine = Cell(plan.cells[0], ()).consumers
    rows = np.zeros((1_000, size_of(AppendRow)), np.int64)
    for name, value in {"at_us": np.arange(1_000) * 1_000 + 2, "count": 1_000}.items():
        rows[:, columns(AppendRow)[name]] = value
    machine.follow("appends", rows, len(rows))
    machine.step(1_100_000)
    assert 0 <= machine.pages - 1_000_000 // PAGE_MESSAGES <= PAGES_AT_ONCE + 64


def test_a_region_that_grows_keeps_what_it_has_and_is_read_where_it_lies():
    store = RegionStore(ConsumerWorld)
    store.put("pages", np.arange(2 * size_of(LogPage)))
    store.grow("pages", np.full(size_of(LogPage), 7))
    assert store.rows("pages")[:, 0].tolist() == [0, size_of(LogPage), 7]
    assert [store.directory.pages[n].number for n in range(3)] == [0, size_of(LogPage), 7]
