"""What the kernel asks of the memory of a machine."""

from __future__ import annotations

from typing import Protocol

from simulator.compiled.records import Record, Region, Us


class Event(Record):
    """A place of the heap."""

    at_us: Us
    what: int  # breaks ties


class MachineClock(Record):
    """What moves on with the events of any machine."""

    now_us: Us
    heap_size: int
    short: int  # 1: some pool has no records to spare


class Machine(Protocol):
    """A machine's memory."""

    @property
    def clock(self) -> MachineClock:
        """What moves on with every event."""

    @property
    def heap(self) -> Region[Event]:
        """Its events."""
