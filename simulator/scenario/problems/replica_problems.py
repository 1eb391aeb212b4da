"""Faults of one replica that a broker does not have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from simulator.scenario.brokers.broker import Broker
from simulator.scenario.faults.fault_list import Fault
from simulator.scenario.faults.targets import struck
from simulator.scenario.reading.scenario_error import Problem
from simulator.scenario.texts.fault_texts import FaultTexts


def replica_problems(brokers: Mapping[str, Broker], faults: Sequence[Fault], seed: int) -> Iterator[Problem]:
    """A problem for the first broker that each fault strikes and that has no such replica to elect."""
    for i, fault in enumerate(faults):
        if fault.replica is None:
            continue
        for name in struck(fault.brokers or (), list(brokers), seed, i):
            count = brokers[name].replicas if brokers[name].is_elected else 1
            if count == 1 or fault.replica > count:
                text = FaultTexts.NO_REPLICA(broker=name, number=fault.replica, count=count)
                yield Problem(("faults", i, "replica"), text)
                break
