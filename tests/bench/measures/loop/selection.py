"""One select and update of every release, compiled, beside the same of the real Java client.

Java's figures are medians on a machine that did nothing else. Here a neighbour on the same core makes everything take
up to twice as long for seconds, and other load can only add; so all releases and situations are measured in turn,
many rounds, each round gives a median, and the least of the medians is taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import inf
from statistics import median
from time import perf_counter_ns
from typing import Any

import numpy as np

from simulator.client.faults.fault_item import FaultTable
from simulator.client.message_queue import broker_of
from simulator.client.rules import Select, Update
from simulator.client.view import View
from simulator.compiled.jit import entry, ready
from simulator.compiled.records import Directory, Ms, size_of
from simulator.plan.clients import client_blocks as blocks
from simulator.releases.producer_release import CLIENTS, Client, client_of
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
REPETITIONS = 5


class Bench(Directory):
    """What one measure runs on: the client memory of one producer with one thread and one topic."""

    select: Select
    update: Update
    own_view: View
    own_faults: FaultTable


@entry
def select_many(bench: Bench, n: int) -> int:
    """Select n times; the sum of the answers, so that none can be left out."""
    total = 0
    for i in range(n):
        total += bench.select(bench.own_view, NOW_MS + (i >> ITERATIONS_A_MS_LOG2), -1, 0)
    return total


@entry
def select_and_update_many(bench: Bench, n: int) -> int:
    """Select and charge the chosen broker n times; the sum of the answers."""
    total = 0
    for i in range(n):
        now_ms = NOW_MS + (i >> ITERATIONS_A_MS_LOG2)
        picked = bench.select(bench.own_view, now_ms, -1, 0)
        total += picked + bench.update(bench.own_faults, now_ms, broker_of(picked), LATENCY_MS, 0, 1)
    return total


@entry
def select_nothing(view: View, now_ms: Ms, last_broker: int, reset_index: int) -> int:
    """What a call costs."""
    return reset_index


@entry
def select_remainder(view: View, now_ms: Ms, last_broker: int, reset_index: int) -> int:
    """The same with the remainder that a round-robin takes."""
    return now_ms % view.queues.count


def view_of(client: Client) -> View:
    """The view of a producer: every broker has an item with no penalty; nothing was selected yet."""
    queues = size_of(View)
    writes = queues + blocks.queues_size(BROKERS * QUEUES)
    faults = writes + blocks.writes_size(BROKERS)
    penalty = faults + blocks.faults_size(BROKERS)
    steps = list(zip(client.latency_max_ms, client.not_available_duration_ms, strict=True))
    cells = np.zeros(penalty + blocks.penalty_size(len(steps), BROKERS), np.int64)
    blocks.fill_views(cells, 0, queues=queues, writes=writes, faults=faults, random=7)
    blocks.fill_queues(cells, queues, [(broker, queue) for broker in range(BROKERS) for queue in range(QUEUES)])
    blocks.fill_writes(cells, writes, BROKERS, dict.fromkeys(range(BROKERS), (QUEUES, True)))
    blocks.fill_penalty(cells, penalty, steps, [f"broker-{n}" for n in range(BROKERS)], shuffles=client.shuffles)
    blocks.fill_faults(cells, faults, BROKERS, penalty=penalty, random=7)
    view = View.at(cells)
    for broker in range(BROKERS):
        client.update(view.faults, NOW_MS, broker, LATENCY_MS, 0, 1)
    return view


def penalise(faults: FaultTable, brokers: int) -> None:
    """Make the first so many brokers unavailable for as long as the measure goes on."""
    for broker in range(brokers):
        faults.items[broker].start_timestamp = NOW_MS + PENALISED_FOR_MS


def nanoseconds(client: Client, situation: str, n: int) -> float:
    """Time of one iteration."""
    view = view_of(client)
    penalise(view.faults, {"half unavailable": BROKERS // 2, "none available": BROKERS}.get(situation, 0))
    bench = Bench.at(np.zeros(size_of(Bench), np.int64))
    bench.select = client.select_off if situation == "strategy off" else client.select_on
    bench.update = client.update
    bench.own_view, bench.own_faults = view, view.faults
    measured = select_and_update_many if situation == "select+update" else select_many
    began = perf_counter_ns()
    measured(bench, n)
    return (perf_counter_ns() - began) / n


def call_ns(rule: Any, n: int, rounds: int) -> float:
    """Nanoseconds of a call of this rule in the place of a selection, the least of some rounds."""
    ready(rule)
    bench = Bench.at(np.zeros(size_of(Bench), np.int64))
    bench.select, bench.own_view = rule, view_of(client_of("4.2.0"))
    bench.own_faults = bench.own_view.faults
    found = []
    for _ in range(rounds):
        began = perf_counter_ns()
        select_many(bench, n)
        found.append((perf_counter_ns() - began) / n)
    return round(min(found), 2)


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
        ours=f"{found[release][situation]:.1f} ns ({release}, {situation})", peer=f"{java:g} ns",
        more={
            "ns": found, "java_ns": {r: dict(zip(SITUATIONS, t, strict=True)) for r, t in JAVA_NS.items()},
            "call_ns": call_ns(select_nothing, n, rounds), "with_remainder_ns": call_ns(select_remainder, n, rounds),
            "rounds": rounds, "repetitions": REPETITIONS,
        },
    )  # fmt: skip
