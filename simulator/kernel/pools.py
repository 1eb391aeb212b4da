"""Records that are taken when something begins and given back when it ends."""

from __future__ import annotations

from typing import TypeVar

from simulator.compiled.jit import rule
from simulator.compiled.records import Record, Region
from simulator.kernel.machine_memory import Machine


class Taken(Record):
    """What every record has that is taken from a pool and given back."""

    number: int  # in its region
    next_record: int  # the one behind it: of the free ones, or in a queue that it stands in


class Pool(Record):
    """The free records of a kind."""

    first: int
    spare: int  # how many there are beyond those that one event may take


T = TypeVar("T", bound=Taken)


@rule(inlined=True)
def take(world: Machine, pool: Pool, region: Region[T]) -> T:
    """A free record of the pool, which lies in that region; the loop has seen to it that there is one."""
    record = region[pool.first]
    pool.first = record.next_record
    pool.spare -= 1
    if pool.spare < 0:
        world.clock.short = 1
    return record


@rule(inlined=True)
def give_back(pool: Pool, record: Taken) -> None:
    """The record is free again."""
    record.next_record = pool.first
    pool.first = record.number
    pool.spare += 1
