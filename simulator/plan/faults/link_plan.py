"""The network between brokers and their clients on this side: what cuts it, and what refuses connections.

A broker that dies silently is cut off from everybody, its process goes on. `partition` cuts named consumers off, or
groups of producers; of the latter only the check-backs of transactions belong here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from simulator.consumer.links.cut_links import LINK_BITS
from simulator.consumer.links.reaching import LINK_CUT, LINK_MASTER_CUT, LINK_REFUSED
from simulator.consumer.memory.consumer_settings import (
    LINK_FALLS,
    LINK_RISES,
    MASTER_LINK_FALLS,
    MASTER_LINK_RISES,
    PRODUCER_LINK_FALLS,
    PRODUCER_LINK_RISES,
    SLAVE_AWAY,
    SLAVE_BACK,
)
from simulator.plan.faults.process_life import ActionRow
from simulator.plan.spans import pieces
from simulator.scenario import FaultPeriod, Scenario

CUTS: Mapping[str, int] = {"silent_death": LINK_CUT, "partition": LINK_CUT, "refuse": LINK_REFUSED}


class _Cut(NamedTuple):
    at_us: int
    until_us: int
    how: int


def link_actions(scenario: Scenario) -> Iterator[ActionRow]:
    """Rows of MachineAction: the network fails and is whole again, for each pair that it lies between."""
    brokers = list(scenario.brokers)
    instances, producers = list(scenario.instances), [group.group for group in scenario.producers]
    of_instances: dict[int, list[_Cut]] = {}
    of_producers: dict[int, list[_Cut]] = {}
    of_masters: dict[int, list[_Cut]] = {}
    of_slaves: dict[int, list[_Cut]] = {}
    for period in scenario.fault_periods():
        if period.kind == "slave_lost" and period.value == 0:
            lost = _Cut(period.at_us, period.until_us, LINK_CUT)
            of_slaves.setdefault(brokers.index(period.broker), []).append(lost)
        if period.kind not in CUTS or (period.kind == "silent_death" and scenario.brokers[period.broker].is_elected):
            continue
        broker = brokers.index(period.broker)
        cut = _Cut(period.at_us, period.until_us, CUTS[period.kind])
        if period.kind == "silent_death" and scenario.brokers[period.broker].slaves > 0:
            cut = cut._replace(how=LINK_MASTER_CUT)
            of_masters.setdefault(broker, []).append(cut)
        for number in _numbers(period, instances):
            of_instances.setdefault(broker * len(instances) + number, []).append(cut)
        if scenario.transactional and "consumer" not in period.details:
            for group, name in enumerate(producers):
                if period.producers in ("", name):
                    of_producers.setdefault(group * len(brokers) + broker, []).append(cut)
    yield from _edges(scenario, of_instances, LINK_FALLS, LINK_RISES)
    yield from _edges(scenario, of_slaves, SLAVE_AWAY, SLAVE_BACK)
    yield from _edges(scenario, of_masters, MASTER_LINK_FALLS, MASTER_LINK_RISES)
    yield from _edges(scenario, of_producers, PRODUCER_LINK_FALLS, PRODUCER_LINK_RISES)


def _numbers(period: FaultPeriod, instances: list[str]) -> Iterator[int]:
    """The instances that a period cuts off."""
    named = period.details.get("consumer")
    if named is not None:
        yield instances.index(named)
    elif period.kind != "partition":
        yield from range(len(instances))


def _edges(scenario: Scenario, cuts: Mapping[int, list[_Cut]], falls: int, rises: int) -> Iterator[ActionRow]:
    for place, own in cuts.items():
        for cut in _merged(own):
            yield cut.at_us, falls, place, cut.until_us << LINK_BITS | cut.how
            if cut.until_us < scenario.duration_us:
                yield cut.until_us, rises, place, 0


def _merged(cuts: list[_Cut]) -> Iterator[_Cut]:
    """The worst that holds, in stretches that do not overlap."""
    open_cut: _Cut | None = None
    for at_us, until_us, active in pieces(cuts):
        cut = _Cut(at_us, until_us, max(one.how for one in active))
        if open_cut is not None and (open_cut.until_us, open_cut.how) == (cut.at_us, cut.how):
            open_cut = open_cut._replace(until_us=until_us)
            continue
        if open_cut is not None:
            yield open_cut
        open_cut = cut
    if open_cut is not None:
        yield open_cut
