"""From a scenario's network to how long requests and answers are under way, by group of producers and broker."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from simulator.compiled.records import Array
from simulator.compiled.region_store import filled
from simulator.engine.memory.links import Ways
from simulator.kernel.latency import Table
from simulator.scenario import Scenario
from simulator.scenario.distributions.latency_settings import Latency


@dataclass(frozen=True)
class NetworkPlan:
    """ways: region `ways`, empty without a network; tables: the distributions that it numbers."""

    ways: Array
    tables: Sequence[Table]


def network_plan(scenario: Scenario, first: int, *, is_on: bool) -> NetworkPlan:
    """The networks of a scenario; `first`: number in region `latencies` of the first of their distributions."""
    if not is_on:
        return NetworkPlan(np.empty(0, np.int64), [])
    numbers: dict[Latency, int] = {}

    def number_of(latency: Latency | None) -> int:
        return -1 if latency is None else numbers.setdefault(latency, first + len(numbers))

    pairs = [scenario.ways_between(group.group, broker) for group in scenario.producers for broker in scenario.brokers]
    ways = filled(
        Ways,
        len(pairs),
        requests=[number_of(requests) for requests, _ in pairs],
        answers=[number_of(answers) for _, answers in pairs],
    )
    return NetworkPlan(ways, [latency.service_table_us() for latency in numbers])
