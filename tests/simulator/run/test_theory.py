"""The broker as a queue: against Erlang, Pollaczek and Khinchine, and Little."""

from __future__ import annotations

import numpy as np
import pytest

from simulator.kernel.latency import BODY_CELLS, EDGES, TAIL_CELLS
from simulator.scenario import Latency
from tests.house.tree import ROOT
from tests.simulator.queue_theory import Queue, measure
from tests.simulator.small import ran

PAGE = (ROOT / "docs" / "theory.md").read_text(encoding="utf-8").splitlines()
CUSTOMERS = {0.5: 50_000_000, 0.8: 20_000_000, 0.95: 100_000_000}
QUEUES = [
    Queue(servers, utilisation, fixed)
    for servers, fixed in ((1, False), (2, False), (4, False), (16, False), (1, True))
    for utilisation in CUSTOMERS
]


@pytest.mark.parametrize("queue", QUEUES, ids=lambda queue: f"{queue.name} {queue.utilisation}")
def test_waits_are_those_of_queueing_theory(queue):
    found = measure(queue, CUSTOMERS[queue.utilisation])
    assert found.mean_wait == pytest.approx(queue.mean_wait, rel=0.01)
    assert found.distance < 0.01
    off = abs(found.mean_wait / queue.mean_wait - 1)
    row = f"| {queue.mean_wait:.5g} | {found.mean_wait:.5g} | {off:.2%} | {found.distance:.4f} |"
    assert f"| {queue.name} | {queue.utilisation} {row}" in PAGE


def test_the_readme_names_the_largest_deviation_of_the_page():
    found = [float(line.split("|")[5].strip(" %")) for line in PAGE if line.startswith("| M/")]
    assert len(found) == len(QUEUES)
    assert f"**{max(found):.2f} %** is the most" in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("power", [1, 2, 3])
def test_the_table_of_an_exponential_has_its_moments(power):
    table = Latency.model_validate({"exponential": {"mean": "10ms"}}).service_table_us() / 10_000
    assert len(table) == EDGES
    words = np.r_[np.full(BODY_CELLS, 64), np.ones(TAIL_CELLS)] / 2**18
    low, high = table[:-1], table[1:]
    cell = sum(low**k * high ** (power - k) for k in range(power + 1)) / (power + 1)
    assert (cell * words).sum() == pytest.approx([1, 1, 2, 6][power], rel=1e-5)


@pytest.fixture(scope="module")
def run():
    """M/M/4 at 0.8 through the whole engine, 320 messages a second by 400 open threads."""
    return ran(
        duration="3000s",
        client={"send_latency_fault_enable": False, "send_msg_timeout": "10m"},
        producers={"count": 100, "threads": 4, "rate": "3.2/s", "arrivals": "poisson"},
        brokers={"b": {"latency": {"exponential": {"mean": "10ms"}}, "send_threads": 4, "fast_failure": False}},
    )


def test_every_message_that_comes_leaves(run):
    begin, end = run.column("attempts", "begin_us"), run.column("attempts", "end_us")
    assert len(begin) == run.sends.num_rows == run.column("sends", "copies_stored").sum()
    assert run.column("windows", "attempts").sum() == len(end)
    assert (end >= begin).all()


def test_littles_law_holds_in_the_middle_of_a_run(run):
    begin, end = run.column("sends", "arrival_us"), run.column("sends", "end_us")
    first, last = 100_000_000, 2_900_000_000
    inside = (begin >= first) & (begin < last)
    number = (np.clip(end, first, last) - np.clip(begin, first, last)).sum() / (last - first)
    rate, stay = inside.sum() / (last - first), (end - begin)[inside].mean()
    assert number == pytest.approx(rate * stay, rel=0.001)


def test_the_whole_engine_waits_as_long_as_theory_says(run):
    wait = run.column("sends", "latency_us").mean() / 10_000 - 1
    assert wait == pytest.approx(Queue(4, 0.8).mean_wait, rel=0.03)
