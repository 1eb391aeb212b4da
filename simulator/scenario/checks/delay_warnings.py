"""Messages that nobody can read within the run, because their delay or their local transactions are longer."""

from __future__ import annotations

from collections.abc import Iterator

from simulator.consumer.rules.delay_levels import parse_delay_level, stored_level
from simulator.scenario.later.delay import Delay
from simulator.scenario.scenario import Scenario
from simulator.scenario.texts.warning_texts import WarningTexts
from simulator.units import format_duration


def delay_warnings(scenario: Scenario) -> Iterator[str]:
    """A sentence for each group of producers with such messages."""
    end = format_duration(scenario.duration_us)
    for group in scenario.producers:
        delays = () if group.delay is None else _delays(scenario, group.delay)
        never = [text for text, us in delays if us >= scenario.duration_us]
        if never:
            yield WarningTexts.NEVER_READ(group=group.group, delays=", ".join(never), end=end)
        local = group.transaction
        if local is not None and int(local.local.service_table_us()[0]) >= scenario.duration_us:
            yield WarningTexts.NEVER_DECIDED(group=group.group, end=end)


def _delays(scenario: Scenario, delay: Delay) -> Iterator[tuple[str, int]]:
    """Each delay of a group's messages as a text, with its least time at any broker, us."""
    if delay.level is not None:
        tables = [parse_delay_level(own.message_delay_level) for own in scenario.brokers.values()]
        for level in (own for own in delay.level if own > 0):
            times_us = [1000 * table.table_ms[stored_level(level, table.max_level)] for table in tables]
            yield WarningTexts.DELAY_LEVEL(level=level, delay=format_duration(min(times_us))), min(times_us)
    for timer in delay.timers if delay.level is None else ():
        if timer.is_later:
            us = timer.moment_us or timer.delay_us
            yield f"{'deliver_time' if timer.moment_us else 'delay_time'} {format_duration(us)}", us
