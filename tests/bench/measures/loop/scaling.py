"""What a send costs as the cluster grows."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter
from typing import Any

import yaml

from simulator.plan.compile import compile_scenario
from simulator.plan.run_plan import Plan
from simulator.run.cell import Cell
from simulator.scenario import parse_scenario
from simulator.workload import arrivals
from tests.bench.cluster import APPEND
from tests.bench.measure import Context, Entry, interleaved

MESSAGES_PER_S = 20_000
SETTLING = 40  # windows that are not counted: by then every producer has sent to every queue once
PRODUCERS = (10, 100, 1_000, 10_000)
BROKERS = (3, 30, 300)
BROKER = {"latency": {"lognormal": {"p50": "1ms", "p99": "12ms"}}, "send_threads": 16, "append": APPEND}


def grown_text(producers: int, brokers: int, seconds: int) -> str:
    """A cluster of that size at the same total rate, with a thousand sender threads or one a producer."""
    threads, rate = max(1, 1_000 // producers), MESSAGES_PER_S // producers
    content: dict[str, Any] = {
        "name": "scaling",
        "seed": 5,
        "duration": f"{seconds}s",
        "client": {"release": "4.9.8", "send_latency_fault_enable": True},
        "producers": {"count": producers, "threads": threads, "rate": f"{rate}/s"},
        "topics": {"orders": {"queues": 8}},
        "brokers": {f"broker-{n:03}": BROKER for n in range(brokers)},
    }
    return yaml.safe_dump(content, sort_keys=False)


def send_ns(plan: Plan) -> float:
    """Nanoseconds of the loop for a send of one cell that puts out no table."""
    cell = Cell(plan.cells[0], ())
    sends, took = 0, 0.0
    for window in range(plan.windows):
        events = arrivals(plan.cells[0].streams, plan.seed, window, plan.window_us, plan.duration_us)
        began = perf_counter()
        cell.step(events, (window + 1) * plan.window_us)
        if window >= SETTLING:
            took += perf_counter() - began
            sends += len(events)
    return took / sends * 1e9


def costs_ns(sizes: list[tuple[int, int]], seconds: int, repetitions: int) -> list[float]:
    """The least of some measurements of every size, (producers, brokers), in turn."""
    plans = [compile_scenario(parse_scenario(grown_text(*size, seconds))) for size in sizes]
    sides = [lambda plan=plan: send_ns(plan) for plan in plans]  # type: ignore[misc]
    return [min(found) for found in interleaved(repetitions, *sides)]


def text_of(sizes: tuple[int, ...], costs: list[float]) -> str:
    return ", ".join(f"{size:,}: {cost:.0f} ns" for size, cost in zip(sizes, costs, strict=True))


def measure(context: Context) -> Iterator[Entry]:
    """Flatness over producers and brokers."""
    seconds, repetitions = (SETTLING + 4, 1) if context.quick else (SETTLING + 20, 5)
    context.tell("producers")
    costs = costs_ns([(producers, 8) for producers in PRODUCERS], seconds, repetitions)
    yield Entry("send_cost_10_to_10000_producers", max(costs) / costs[0], "x", text_of(PRODUCERS, costs))
    context.tell("brokers")
    costs = costs_ns([(100, brokers) for brokers in BROKERS], seconds, repetitions)
    yield Entry("send_cost_3_to_300_brokers", costs[-1] / costs[0], "x", text_of(BROKERS, costs))
