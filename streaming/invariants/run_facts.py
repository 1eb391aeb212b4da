"""What a scenario allows in its rows: where messages can be taken back, who reads a part, who goes over a proxy."""

from __future__ import annotations

from dataclasses import dataclass

from simulator.scenario import Scenario

# Faults after which a broker's log, or what groups have read of it, may be shorter than before.
CUTS = {"power_loss", "disk_loss", "kill", "restart", "rolling_restart", "silent_death", "master_lost"}


@dataclass(frozen=True)
class RunFacts:
    """cut: logs may lose messages, and brokers offsets; reset: groups may go back in a queue.

    partly: groups that read a part of what a queue has, by a filter, or as POP has the rest again in its retry topic.
    orderly: groups that consume in order; proxied: producer groups whose attempts may meet no broker.
    """

    cut: bool
    reset: bool
    partly: set[str]
    orderly: set[str]
    proxied: set[str]


def facts_of(scenario: Scenario) -> RunFacts:
    """The facts of a scenario."""
    kinds = {period.kind for period in scenario.fault_periods()}
    elects = any(broker.is_elected for broker in scenario.brokers.values())
    groups = scenario.consumers.items()
    return RunFacts(
        cut=elects or bool(kinds & CUTS),
        reset="reset_offset" in kinds,
        partly={name for name, own in groups if own.is_pop or any(one.is_filtered for one in own.readings.values())},
        orderly={name for name, own in groups if own.consume_mode == "ORDERLY" and not own.is_pop and own.grpc is None},
        proxied={own.group for own in scenario.producers if own.grpc is not None},
    )
