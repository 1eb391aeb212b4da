"""A proxy's process: whether it is there, when it goes away, and until when it stands still."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.memory.periods_table import DOWN_GRACEFUL, NO_PERIOD, PeriodTable
from simulator.engine.memory.settings import FAR
from simulator.engine.memory.world import World
from simulator.engine.shared.periods import period_at, skip_past


@rule()
def is_there(world: World, proxy: int, now_us: Us) -> bool:
    """Whether a proxy accepts connections."""
    return period_at(world, world.proxies[proxy].down, now_us) == NO_PERIOD


@rule()
def breaks_off_at(world: World, proxy: int, now_us: Us) -> int:
    """When what is under way at a proxy is lost with its process, FAR if it is not.

    A proxy that is stopped gracefully answers what it has before it goes.
    """
    periods = world.proxies[proxy].down
    skip_past(world, periods, now_us)
    for i in range(periods.cursor, periods.count):
        period = world.timetable[periods.first + i]
        if period.value != DOWN_GRACEFUL:
            return max(period.at_us, now_us)
    return FAR


@rule()
def goes_on_at(world: World, proxy: int, now_us: Us, at_us: Us) -> int:
    """`at_us`, or the end of the standstill of the proxy's process that holds then; `now_us` never goes back."""
    periods: PeriodTable = world.proxies[proxy].still
    skip_past(world, periods, now_us)
    for i in range(periods.cursor, periods.count):
        period = world.timetable[periods.first + i]
        if period.at_us > at_us:
            break
        at_us = max(at_us, period.until_us)
    return at_us
