"""What is probably not meant in a scenario that can be run all the same."""

from __future__ import annotations

from collections.abc import Iterator

from simulator.scenario.checks.backlog_warnings import backlog_warnings
from simulator.scenario.checks.consumer_warnings import consumer_warnings
from simulator.scenario.checks.delay_warnings import delay_warnings
from simulator.scenario.checks.replica_warnings import replica_warnings
from simulator.scenario.checks.sql_warnings import sql_warnings
from simulator.scenario.checks.utilisation import (
    Busy,
    broker_utilisation,
    busiest_with_one_gone,
    capacity_per_s,
    reachable_rate_per_s,
    thread_utilisation,
)
from simulator.scenario.faults.fault_list import Fault
from simulator.scenario.faults.targets import struck
from simulator.scenario.scenario import Scenario
from simulator.scenario.texts.warning_texts import WarningTexts, since
from simulator.units import format_duration, format_rate

NAMES_SHOWN = 3


def warnings_of(scenario: Scenario) -> list[str]:
    """The warnings, a sentence each: what never happens, who is overloaded, how consumers share."""
    return [
        *_never(scenario),
        *delay_warnings(scenario),
        *replica_warnings(scenario),
        *_brokers(scenario),
        *_threads(scenario),
        *backlog_warnings(scenario),
        *consumer_warnings(scenario),
        *sql_warnings(scenario),
    ]


def _never(scenario: Scenario) -> Iterator[str]:
    end = format_duration(scenario.duration_us)
    for late in scenario.faults_after_end():
        yield WarningTexts.FAULT_AFTER_END(fault=late.title, at=format_duration(late.at_us), end=end)
    for group in scenario.producers:
        for at_us, rate in group.rate_changes:
            if at_us >= scenario.duration_us:
                at = format_duration(at_us)
                yield WarningTexts.RATE_AFTER_END(group=group.group, rate=format_rate(rate), at=at, end=end)
    for number, fault in enumerate(scenario.faults):
        if fault.kind == "rolling_restart" and fault.at_us < scenario.duration_us:
            yield from _unfinished(scenario, fault, number)


def _unfinished(scenario: Scenario, fault: Fault, number: int) -> Iterator[str]:
    names = struck(fault.brokers or (), list(scenario.brokers), scenario.seed, number)
    each_us, pause_us = fault.each_us or 0, fault.pause_us or 0
    needed_us = len(names) * each_us + (len(names) - 1) * pause_us
    given_us = scenario.duration_us - fault.at_us
    given_us = given_us if fault.for_us is None else min(fault.for_us, given_us)
    if needed_us > given_us:
        done = max(0, given_us + pause_us) // (each_us + pause_us)
        at, needed, given = (format_duration(us) for us in (fault.at_us, needed_us, given_us))
        yield WarningTexts.RESTART_UNFINISHED(at=at, done=done, brokers=len(names), needed=needed, given=given)


def _brokers(scenario: Scenario) -> Iterator[str]:
    over = [busy for busy in broker_utilisation(scenario).values() if busy.utilisation > 1]
    if over:
        yield WarningTexts.OVERLOADED(brokers=_named(over), load=_figure(scenario, over))
        return
    worst = busiest_with_one_gone(scenario)
    if worst is not None and worst.utilisation > 1:
        also = [busy for busy in broker_utilisation(scenario, worst.gone).values() if busy.utilisation > 1]
        load = _figure(scenario, also)
        yield WarningTexts.OVERLOADED_WITH_ONE_GONE(gone=worst.gone, brokers=_named(also), load=load)


def _figure(scenario: Scenario, over: list[Busy]) -> str:
    worst = max(over, key=lambda busy: busy.utilisation)
    broker = scenario.brokers[worst.name]
    most = capacity_per_s(broker)
    return WarningTexts.BROKER_LOAD(
        utilisation=f"{worst.utilisation:.2f}", when=since(worst.at_us), rate=f"{worst.utilisation * most:,.0f}",
        threads=broker.threads, served=f"{most:,.0f}",
    )  # fmt: skip


def _named(over: list[Busy]) -> str:
    names = [busy.name for busy in sorted(over, key=lambda busy: -busy.utilisation)]
    more = f" and {len(names) - NAMES_SHOWN} more" if len(names) > NAMES_SHOWN else ""
    return f"{', '.join(names[:NAMES_SHOWN])}{more}"


def _threads(scenario: Scenario) -> Iterator[str]:
    for group in scenario.producers:
        busy = thread_utilisation(scenario, group)
        if busy is None or busy.utilisation <= 1:
            continue
        yield WarningTexts.RATE_NOT_REACHED(
            group=group.group, when=since(busy.at_us), utilisation=f"{busy.utilisation:.2f}",
            rate=format_rate(group.rate_at(busy.at_us)), threads=group.threads,
            most=f"{reachable_rate_per_s(scenario, group):,.1f}",
        )  # fmt: skip
