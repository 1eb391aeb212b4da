"""The number of each fault, its place in the list of the scenario, and the groups that faults start."""

from __future__ import annotations

from simulator.scenario import Scenario
from simulator.scenario.consuming.consumers import client_ids_of
from simulator.scenario.faults.fault_list import FaultPeriod


def numbered_faults(scenario: Scenario) -> dict[str, tuple[int, list[FaultPeriod]]]:
    """By number F1, F2, ...: the fault's place in `scenario.faults`, and its periods in the order of time.

    Faults that begin after the end of the scenario are not there: they never happen.
    """
    found: dict[str, tuple[int, list[FaultPeriod]]] = {}
    names, servers = list(scenario.brokers), scenario.name_servers.count
    struck = scenario.instances, scenario.transactional, scenario.proxy_names
    for place, fault in enumerate(scenario.faults):
        own = fault.periods(scenario.duration_us, names, servers, scenario.seed, place, *struck)
        periods = sorted(set(own))
        if periods:
            found[f"F{place + 1}"] = place, periods
    return found


def stretches_of(periods: list[FaultPeriod]) -> tuple[tuple[int, int], ...]:
    """When a fault is at work at any place: stretches that do not touch, in order."""
    found: list[tuple[int, int]] = []
    for period in periods:
        if found and period.at_us <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], period.until_us)
        else:
            found.append((period.at_us, period.until_us))
    return tuple(found)


def group_starts_us(scenario: Scenario) -> dict[str, int]:
    """By consumer group when it has its first instance: 0, or the first `scale_out` where all of them join later.

    Before that nobody is missed as the owner of its queues.
    """
    joins: dict[str, int] = {}
    for _, periods in numbered_faults(scenario).values():
        for period in periods:
            name = period.details.get("consumer", "")
            if period.kind == "scale_out" and name:
                joins[name] = min(period.at_us, joins.get(name, period.at_us))
    found = {}
    for group, own in scenario.consumers.items():
        first = list(client_ids_of(group, own))[: own.count]
        found[group] = min((joins.get(name, 0) for name in first), default=0)
    return found
