"""One select and update of every release, compiled, beside the same of the real Java client.

Java's figures are medians on a machine that did nothing else. Here a neighbour on the same core makes everything take
up to twice as long for seconds, and other load can only add; so all releases and situations are measured in turn,
many rounds, each round gives a median, and the least of the medians is taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import inf
from statistics import median
from time import perf_counter_ns
from typing import Any

import numpy as np
from numba import types

from simulator.client import memory
from simulator.client.message_queue import broker_of
from simulator.client.releases import CLIENTS, Client, client_of
from simulator.client.signatures import SELECT, UPDATE
from simulator.compiled.jit import MEMORY, entry, ready
from simulator.plan.client_blocks import fill_faults, fill_penalty, fill_queues, fill_view, fill_writes
from tests.bench.measure import Context, Entry

BROKERS, QUEUES = 8, 8
NOW_MS = 1_000_000
LATENCY_MS = 1
PENALISED_FOR_MS = 600_000
ITERATIONS_A_MS_LOG2 = 14  # the clock goes on about as fast as it does for the Java client
SITUATIONS = ("select+update", "select", "half unavailable", "none available", "strategy off")
# Median ns an iteration of the real Java classes: JDK 17, one thread, real clock, 8 x 8 queues, a 2-core EPYC VM.
JAVA_NS: Mapping[str, tuple[float, ...]] = {
    "4.2.0": (63.1, 34.1, 240, 2470, 8.9),
    "4.9.8": (63.0, 36.1, 250, 2418, 9.2),
    "5.3.3": (43.6, 38.3, 72, 2234, 13.3),
}
AT_MOST = 1.0
REPETITIONS = 5

FROM_SELECT = types.FunctionType(SELECT)
FROM_UPDATE = types.FunctionType(UPDATE)


@entry(types.int64(MEMORY, types.int64, types.int64, FROM_SELECT))
def select_many(m: Any, view: Any, n: Any, select: Any) -> Any:
    """Select n times; the sum of the answers, so that none can be left out."""
    total = 0
    for i in range(n):
        total += select(m, view, NOW_MS + (i >> ITERATIONS_A_MS_LOG2), -1, 0)
    return total


@entry(types.int64(MEMORY, types.int64, types.int64, types.int64, FROM_SELECT, FROM_UPDATE))
def select_and_update_many(m: Any, view: Any, faults: Any, n: Any, select: Any, update: Any) -> Any:
    """Select and charge the chosen broker n times; the sum of the answers."""
    total = 0
    for i in range(n):
        now_ms = NOW_MS + (i >> ITERATIONS_A_MS_LOG2)
        picked = select(m, view, now_ms, -1, 0)
        total += picked + update(m, faults, now_ms, broker_of(picked), LATENCY_MS, 0, 1)
    return total


@dataclass(frozen=True)
class Memory:
    """The client memory of one producer with one thread and one topic."""

    cells: np.ndarray
    view: int
    faults: int


def client_memory(client: Client) -> Memory:
    """Every broker has an item with no penalty; nothing was selected yet."""
    queues = memory.VIEW_SIZE
    writes = queues + memory.queues_size(BROKERS * QUEUES)
    faults = writes + BROKERS * memory.WRITE_SIZE
    penalty = faults + memory.faults_size(BROKERS)
    cells = np.zeros(penalty + memory.penalty_size(len(client.latency_max_ms), BROKERS), np.int64)
    names = [f"broker-{n}" for n in range(BROKERS)]
    fill_view(cells, 0, queues=queues, writes=writes, faults=faults, random=7)
    fill_queues(cells, queues, [(broker, queue) for broker in range(BROKERS) for queue in range(QUEUES)])
    fill_writes(cells, writes, BROKERS, dict.fromkeys(range(BROKERS), (QUEUES, True)))
    fill_faults(cells, faults, names, penalty=penalty, shuffles=client.shuffles, random=7)
    fill_penalty(cells, penalty, client.latency_max_ms, client.not_available_duration_ms, names)
    for broker in range(BROKERS):
        client.update(cells, faults, NOW_MS, broker, LATENCY_MS, 0, 1)
    return Memory(cells, 0, faults)


def penalise(own: Memory, brokers: int) -> None:
    """Make the first so many brokers unavailable for as long as the measure goes on."""
    for broker in range(brokers):
        item = own.faults + memory.ITEM_LIST + broker * memory.ITEM_SIZE
        own.cells[item + memory.START_TIMESTAMP] = NOW_MS + PENALISED_FOR_MS


def nanoseconds(client: Client, situation: str, n: int) -> float:
    """Time of one iteration."""
    own = client_memory(client)
    penalise(own, {"half unavailable": BROKERS // 2, "none available": BROKERS}.get(situation, 0))
    select = client.select_off if situation == "strategy off" else client.select_on
    if situation == "select+update":
        began = perf_counter_ns()
        select_and_update_many(own.cells, own.view, own.faults, n, select, client.update)
    else:
        began = perf_counter_ns()
        select_many(own.cells, own.view, n, select)
    return (perf_counter_ns() - began) / n


def _median_ns(client: Client, situation: str, n: int) -> float:
    n = n // 20 if situation == "none available" else n
    return median(nanoseconds(client, situation, n) for _ in range(REPETITIONS))


def least_medians(clients: Mapping[str, Client], n: int, rounds: int) -> dict[str, dict[str, float]]:
    """Nanoseconds of one iteration, by release and situation."""
    found = {release: dict.fromkeys(SITUATIONS, inf) for release in clients}
    for _ in range(rounds):
        for release, client in clients.items():
            for situation, least in found[release].items():
                found[release][situation] = min(least, _median_ns(client, situation, n))
    return {release: {s: round(ns, 2) for s, ns in situations.items()} for release, situations in found.items()}


def measure(context: Context) -> Iterator[Entry]:
    """The worst ratio of our time to Java's, over every release and situation that was measured in Java."""
    n, rounds = (50_000, 3) if context.quick else (100_000, 40)
    context.tell("loading the compiled rules")
    ready(select_many)
    ready(select_and_update_many)
    first_of: dict[str, str] = {}
    for release, client in CLIENTS.items():
        first_of.setdefault(client.behaviour, release)
    releases = sorted({*JAVA_NS, *first_of.values()}, key=list(CLIENTS).index)
    clients = {release: client_of(release) for release in releases}
    context.tell(f"{len(releases)} releases in turn, {rounds} times")
    found = least_medians(clients, n, rounds)
    compared = [(r, s, java) for r, figures in JAVA_NS.items() for s, java in zip(SITUATIONS, figures, strict=True)]
    release, situation, java = max(compared, key=lambda case: found[case[0]][case[1]] / case[2])
    yield Entry(
        "select_update_vs_java", found[release][situation] / java, "x",
        ours=f"{found[release][situation]:.1f} ns ({release}, {situation})", peer=f"{java:g} ns", at_most=AT_MOST,
        more={
            "ns": found, "java_ns": {r: dict(zip(SITUATIONS, t, strict=True)) for r, t in JAVA_NS.items()},
            "rounds": rounds, "repetitions": REPETITIONS,
        },
    )  # fmt: skip
