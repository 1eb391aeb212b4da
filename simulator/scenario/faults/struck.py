"""What faults of a kind strike beside brokers."""

from __future__ import annotations

from simulator.scenario.faults.fault_kinds import Kind

OF_PROXIES = ("kill", "hang", "pause", "restart", "rolling_restart")  # kinds that strike proxies as well
OF_PRODUCERS = ("kill", "hang")  # kinds that strike transactional producers as well


def strikes(kind: Kind, key: str) -> bool:
    """Whether faults of a kind strike what `key` names (consumer, producer or proxy) beside brokers."""
    known = {"consumer": kind.of_consumers, "producer": kind.name in OF_PRODUCERS, "proxy": kind.name in OF_PROXIES}
    return known.get(key, False)
