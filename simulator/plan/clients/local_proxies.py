"""Proxies in local mode, one in the process of each broker: when clients do not reach them, or wait for them.

A channel whose broker's process is away connects again after 1 s, then 1.6 times as long each time. So its clients are
back some time after the process is: an absence of 30 s is one of 43 s to them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from simulator.client.sending.grpc_send import next_connect_backoff_us
from simulator.engine.memory.periods_table import DOWN, DOWN_GRACEFUL, DOWN_KILL, PROXY_DOWN, PROXY_STILL, SPEED
from simulator.plan.effects import TablePeriod, effects_of
from simulator.plan.spans import stretches
from simulator.plan.timetable import PlannedPeriod
from simulator.scenario import FaultPeriod, Scenario


def connected_again_us(at_us: int, until_us: int) -> int:
    """When a channel connects to a broker that goes away at `at_us` and is back at `until_us`."""
    tried_us, wait_us = at_us, 0
    while tried_us < until_us:
        wait_us = next_connect_backoff_us(wait_us)
        tried_us += wait_us
    return tried_us


def local_periods(scenario: Scenario, periods: Iterable[FaultPeriod]) -> Iterator[PlannedPeriod]:
    """The periods of proxies that follow from faults of their brokers."""
    numbers = {name: number for number, name in enumerate(scenario.brokers)}
    struck: dict[tuple[int, int], list[TablePeriod]] = {}
    for period in periods:
        for effect in () if period.kind == "slow" else effects_of(period, {}):
            if isinstance(effect, TablePeriod) and (effect.table == DOWN or (effect.table, effect.value) == (SPEED, 0)):
                struck.setdefault((numbers[effect.broker], effect.table), []).append(effect)
    for (broker, table), effects in struck.items():
        for at_us, until_us, own in stretches(effects):
            if table == SPEED:
                yield PlannedPeriod(at_us, until_us, broker, PROXY_STILL, 1)
            else:
                dies = DOWN_GRACEFUL if own[0].value == DOWN_GRACEFUL else DOWN_KILL
                yield PlannedPeriod(at_us, connected_again_us(at_us, until_us), broker, PROXY_DOWN, dies)
