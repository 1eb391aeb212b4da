"""What a scenario allows in its rows: where messages can be taken back, who reads a part, who goes over a proxy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from simulator.scenario import Scenario

# Faults after which a broker's log, or what groups have read of it, may be shorter than before.
CUTS = {"power_loss", "disk_loss", "kill", "restart", "rolling_restart", "silent_death", "master_lost"}
LOSSES = {"power_loss", "disk_loss"}  # those after which the log of a broker without other replicas may be
POOL_LOSSES = LOSSES | {"kill", "restart", "rolling_restart", "silent_death", "master_lost"}  # with a transient pool

Spans = Mapping[str, Sequence[tuple[int, int]]]  # stretches of virtual time in microseconds, by broker


@dataclass(frozen=True)
class RunFacts:
    """cut: brokers that may lose messages, or offsets; reset: groups may go back in a queue.

    losing: when a broker's log may lose messages. later: topics that messages reach later than they are stored, or
    that had messages before. partly: groups that read a part of what a queue has, by a filter, or as POP has the rest
    again in its retry topic. orderly: groups that consume in order; fifo: those that do so over proxies. proxied:
    producer groups whose attempts may meet no broker.
    """

    cut: set[str]
    reset: bool
    losing: Spans
    later: set[str]
    partly: set[str]
    orderly: set[str]
    fifo: set[str]
    proxied: set[str]


def facts_of(scenario: Scenario) -> RunFacts:
    """The facts of a scenario."""
    groups, brokers = scenario.consumers.items(), scenario.brokers
    cut, losing = _struck(scenario)
    if cut and any(broker.escapes for broker in brokers.values()):
        cut = set(brokers)  # what waits at one broker is put on others
    in_order = {name for name, own in groups if own.consume_mode == "ORDERLY"}
    fifo = {name for name, own in groups if own.grpc is not None} & in_order
    return RunFacts(
        cut=cut,
        reset=any(period.kind == "reset_offset" for period in scenario.fault_periods()),
        losing=losing,
        later=_later(scenario),
        partly={name for name, own in groups if own.is_pop or any(one.is_filtered for one in own.readings.values())},
        orderly=in_order - fifo,
        fifo=fifo,
        proxied={own.group for own in scenario.producers if own.grpc is not None},
    )


def _struck(scenario: Scenario) -> tuple[set[str], dict[str, list[tuple[int, int]]]]:
    """The brokers that may lose messages or offsets, and when their logs may. Of an elected set any fault may do it."""
    cut: set[str] = set()
    losing: dict[str, list[tuple[int, int]]] = {}
    for period in scenario.fault_periods():
        broker = scenario.brokers.get(period.broker)
        if broker is None:
            continue
        if broker.is_elected or period.kind in CUTS:
            cut.add(period.broker)
        if broker.is_elected or period.kind in (POOL_LOSSES if broker.transient_store_pool else LOSSES):
            losing.setdefault(period.broker, []).append((period.at_us, period.until_us))
    return cut, losing


def _later(scenario: Scenario) -> set[str]:
    """Topics whose offsets say nothing of what was sent to them meanwhile."""
    sent = {
        topic
        for own in scenario.producers
        if own.delay is not None or own.transaction is not None
        for topic in own.topics
    }
    return sent | {topic for own in scenario.consumers.values() if own.backlog is not None for topic in own.readings}
