"""What is probably not meant in a scenario that can be run all the same."""

from __future__ import annotations

from collections.abc import Iterator

from simulator.scenario.checks.backlog_warnings import backlog_warnings
from simulator.scenario.checks.consumer_warnings import consumer_warnings
from simulator.scenario.checks.delay_warnings import delay_warnings
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
from simulator.units import format_duration, format_rate

NAMES_SHOWN = 3


def warnings_of(scenario: Scenario) -> list[str]:
    """The warnings, a sentence each: what never happens, who is overloaded, how consumers share."""
    return [
        *_never(scenario),
        *delay_warnings(scenario),
        *_brokers(scenario),
        *_threads(scenario),
        *backlog_warnings(scenario),
        *consumer_warnings(scenario),
        *sql_warnings(scenario),
    ]


def _never(scenario: Scenario) -> Iterator[str]:
    ends = f"the run ends at {format_duration(scenario.duration_us)}"
    for late in scenario.faults_after_end():
        yield f"never happens: {late.title} at {format_duration(late.at_us)}, {ends}"
    for group in scenario.producers:
        for at_us, rate in group.rate_changes:
            if at_us >= scenario.duration_us:
                what = f"rate of {group.group} {format_rate(rate)} at {format_duration(at_us)}"
                yield f"never happens: {what}, {ends}"
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
        yield (
            f"the rolling restart at {format_duration(fault.at_us)} does not finish: {done} of {len(names)} brokers "
            f"are back; it needs {format_duration(needed_us)} and has {format_duration(given_us)}"
        )


def _brokers(scenario: Scenario) -> Iterator[str]:
    over = [busy for busy in broker_utilisation(scenario).values() if busy.utilisation > 1]
    if over:
        yield f"{_named(over)}: {_figure(scenario, over)}; requests queue up and time out"
        return
    worst = busiest_with_one_gone(scenario)
    if worst is not None and worst.utilisation > 1:
        also = [busy for busy in broker_utilisation(scenario, worst.gone).values() if busy.utilisation > 1]
        yield f"with {worst.gone} gone, {_named(also)}: {_figure(scenario, also)}"


def _figure(scenario: Scenario, over: list[Busy]) -> str:
    worst = max(over, key=lambda busy: busy.utilisation)
    broker = scenario.brokers[worst.name]
    most = capacity_per_s(broker)
    when = "" if worst.at_us == 0 else f" from {format_duration(worst.at_us)} on"
    threads = f"{broker.threads} send thread{'s' * (broker.threads != 1)}"
    return (
        f"utilisation {worst.utilisation:.2f}{when}, {worst.utilisation * most:,.0f} requests/s for {threads} that "
        f"serve {most:,.0f}/s"
    )


def _named(over: list[Busy]) -> str:
    names = [busy.name for busy in sorted(over, key=lambda busy: -busy.utilisation)]
    more = f" and {len(names) - NAMES_SHOWN} more" if len(names) > NAMES_SHOWN else ""
    return f"{', '.join(names[:NAMES_SHOWN])}{more}"


def _threads(scenario: Scenario) -> Iterator[str]:
    for group in scenario.producers:
        busy = thread_utilisation(scenario, group)
        if busy is None or busy.utilisation <= 1:
            continue
        when = "" if busy.at_us == 0 else f" from {format_duration(busy.at_us)} on"
        threads = f"{group.threads} sender thread{'s' * (group.threads != 1)}"
        yield (
            f"producer group {group.group} never reaches its rate{when}: utilisation {busy.utilisation:.2f}, "
            f"{format_rate(group.rate_at(busy.at_us))} for {threads} that send at most "
            f"{reachable_rate_per_s(scenario, group):,.1f}/s; more threads or mode async would"
        )
