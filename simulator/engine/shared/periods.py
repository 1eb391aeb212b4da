"""Tables of periods: which one holds, and work that goes on through slow, standing and stalled ones."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.memory.periods_table import NO_PERIOD, SPEED, STALL, PeriodTable
from simulator.engine.memory.world import World


@rule(inlined=True)
def periods_of(world: World, broker: int, table: int) -> PeriodTable:
    """The broker's periods of one table."""
    return world.broker_states[broker].periods[table]


@rule(inlined=True)
def skip_past(world: World, periods: PeriodTable, now_us: Us) -> None:
    """Move the table's cursor past periods that are over at `now_us`."""
    first, count, i = periods.first, periods.count, periods.cursor
    while i < count and world.timetable[first + i].until_us <= now_us:
        i += 1
    periods.cursor = i


@rule(inlined=True)
def period_at(world: World, periods: PeriodTable, now_us: Us) -> int:
    """Place in the timetable of the period that holds at `now_us`, or NO_PERIOD; `now_us` never goes back."""
    skip_past(world, periods, now_us)
    if periods.cursor < periods.count:
        place = periods.first + periods.cursor
        if world.timetable[place].at_us <= now_us:
            return place
    return NO_PERIOD


@rule()
def next_period(world: World, periods: PeriodTable, now_us: Us) -> int:
    """Place in the timetable of the first period that is not over at `now_us`, or NO_PERIOD."""
    skip_past(world, periods, now_us)
    if periods.cursor < periods.count:
        return periods.first + periods.cursor
    return NO_PERIOD


@rule(inlined=True)
def value_at(world: World, periods: PeriodTable, now_us: Us, otherwise: int) -> int:
    """Value of the period that holds at `now_us`, or `otherwise`."""
    place = period_at(world, periods, now_us)
    return otherwise if place == NO_PERIOD else world.timetable[place].value


@rule()
def start_after_standstill(world: World, broker: int, at_us: Us) -> int:
    """`at_us`, or the end of the standstill that holds then."""
    periods = periods_of(world, broker, SPEED)
    for i in range(periods.cursor, periods.count):
        period = world.timetable[periods.first + i]
        if period.at_us > at_us:
            break
        if period.value == 0 and period.until_us > at_us:
            at_us = period.until_us
    return at_us


@rule()
def end_of_work(world: World, broker: int, start_us: Us, work_us: Us) -> int:
    """When `work_us` of work that begins at `start_us` is done, given slow and standstill periods."""
    periods = periods_of(world, broker, SPEED)
    at_us, left = start_us, work_us
    for i in range(periods.cursor, periods.count):
        period = world.timetable[periods.first + i]
        until = period.until_us
        if until <= at_us:
            continue
        if period.at_us > at_us:
            gap = period.at_us - at_us
            if left <= gap:
                return at_us + left
            left -= gap
            at_us = period.at_us
        slowness = period.value
        if slowness > 0:
            needed = left * slowness // 1_000_000
            if at_us + needed <= until:
                return at_us + needed
            left -= (until - at_us) * 1_000_000 // slowness
        at_us = until
    return at_us + left


@rule(inlined=True)
def has_period(world: World, periods: PeriodTable, now_us: Us) -> bool:
    """Whether the table has a period that is not over at `now_us`; `now_us` never goes back."""
    if periods.cursor >= periods.count:
        return False
    skip_past(world, periods, now_us)
    return periods.cursor < periods.count


@rule()
def end_with_disk(world: World, broker: int, start_us: Us, work_us: Us) -> int:
    """When `work_us` that needs the disk is done: a stall holds it up until it ends, however little is left."""
    at_us = start_after_standstill(world, broker, start_us)
    end_us = end_of_work(world, broker, at_us, work_us)
    periods = periods_of(world, broker, STALL)
    for i in range(periods.cursor, periods.count):
        period = world.timetable[periods.first + i]
        begin_us, until_us = period.at_us, period.until_us
        if begin_us > at_us and begin_us >= end_us:
            break
        if until_us > at_us:
            left_us = end_us - max(begin_us, at_us)
            at_us = start_after_standstill(world, broker, until_us)
            end_us = at_us + left_us
    return end_us
