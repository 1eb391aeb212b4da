"""Records that are taken when something begins and given back when it ends."""

from __future__ import annotations

from typing import TypeVar

from simulator.compiled.jit import rule
from simulator.compiled.records import Region
from simulator.engine.memory.settings import Pool, Taken
from simulator.engine.memory.world import World

NEEDED = 8  # free records of each pool before an event: more than any takes
T = TypeVar("T", bound=Taken)


@rule(inlined=True)
def take(world: World, pool: Pool, region: Region[T]) -> T:
    """A free record of the pool, which lies in that region; the loop has seen to it that there is one."""
    record = region[pool.first]
    pool.first = record.next_record
    pool.left -= 1
    if pool.left < NEEDED:
        world.clock.short = 1
    return record


@rule(inlined=True)
def give_back(pool: Pool, record: Taken) -> None:
    """The record is free again."""
    record.next_record = pool.first
    pool.first = record.number
    pool.left += 1
