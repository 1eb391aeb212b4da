"""What consumer groups are asked for and what they can handle, from the scenario's rates and service times alone."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

from simulator.kernel.latency import mean_us
from simulator.scenario import Scenario
from simulator.scenario.checks.taken_messages import taken_of
from simulator.scenario.checks.utilisation import moments_us
from simulator.scenario.consuming.consumers import ConsumerGroup, queues_of
from simulator.scenario.faults.targets import group_of

DELIVERIES = 16  # of a message that always fails: the first, and maxReconsumeTimes


@dataclass(frozen=True)
class Demand:
    """The highest load of a group, deliveries a second, its capacity, and from when to when the load is above it."""

    load_per_s: float
    capacity_per_s: float
    stretches: tuple[tuple[int, int], ...]


def demand_of(scenario: Scenario, group: str) -> Demand | None:
    """The demand of a group whose load is above its capacity for a while, None for one that can keep up."""
    own, joins = scenario.consumers[group], _joins(scenario, group)
    edges = [*sorted({*moments_us(scenario), *joins.values()}), scenario.duration_us]
    above: list[tuple[int, int]] = []
    highest = least = 0.0
    for from_us, until_us in pairwise(edges):
        per_s, work_us = _load(scenario, own, from_us)
        away = sum(at_us > from_us for at_us in joins.values())
        capacity = _threads(scenario, own, away) * 1e6 / (work_us / per_s) if per_s and work_us else math.inf
        if per_s > capacity and from_us < until_us:
            above.append((from_us, until_us))
            if per_s - capacity > highest - least:
                highest, least = per_s, capacity
    return Demand(highest, least, tuple(above)) if above else None


def _joins(scenario: Scenario, group: str) -> dict[str, int]:
    """When instances of a group join that are not there from the start."""
    found: dict[str, int] = {}
    for period in scenario.fault_periods():
        name = period.details.get("consumer", "")
        if period.kind == "scale_out" and name and group_of(name) == group:
            found.setdefault(name, period.at_us)
    return found


def _threads(scenario: Scenario, own: ConsumerGroup, away: int) -> int:
    """Threads that can be at work at once while some instances are not there yet."""
    if own.is_broadcasting:
        return own.threads
    threads = own.threads * max(own.instances - away, 1)
    queues = len(queues_of(own, scenario.topics, list(scenario.brokers)))
    return max(min(threads, queues) if own.mode.in_order else threads, 1)


def _load(scenario: Scenario, own: ConsumerGroup, at_us: int) -> tuple[float, float]:
    """Deliveries a second, and the thread time that they take a second, in us."""
    per_s = work_us = 0.0
    again = 1.0 + DELIVERIES * (own.fails_always or 0) / 1e6 if not own.mode.in_place else 1.0
    again /= max(1.0 - (own.fails or 0) / 1e6, 0.01)
    for topic, reading in own.readings.items():
        sent = sum(
            float(group.rate_at(at_us)) * group.count * group.topics[topic] / sum(group.topics.values())
            for group in scenario.producers
            if topic in group.topics
        )
        for tag, share in taken_of(scenario, topic, reading).items():
            service = reading.service_of_tags.get(tag or "") or reading.service or own.service
            per_s += again * sent * share
            work_us += again * sent * share * mean_us(service.service_table_us())
    return per_s, work_us
