"""The number of each fault: its place in the list of the scenario."""

from __future__ import annotations

from simulator.scenario import Scenario
from simulator.scenario.faults.fault_list import FaultPeriod


def numbered_faults(scenario: Scenario) -> dict[str, tuple[int, list[FaultPeriod]]]:
    """By number F1, F2, ...: the fault's place in `scenario.faults`, and its periods in the order of time.

    Faults that begin after the end of the scenario are not there: they never happen.
    """
    found: dict[str, tuple[int, list[FaultPeriod]]] = {}
    names, servers = list(scenario.brokers), scenario.name_servers.count
    instances, producers = scenario.instances, scenario.transactional
    for place, fault in enumerate(scenario.faults):
        own = fault.periods(scenario.duration_us, names, servers, scenario.seed, place, instances, producers)
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
