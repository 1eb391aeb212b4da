"""The network between a group of producers and a broker."""

from __future__ import annotations

from simulator.compiled.records import Record, Within
from simulator.engine.memory.periods_table import PeriodTable


class Link(Record):
    """Where the periods of its two tables are."""

    cuts: Within[PeriodTable]  # LINK
    losses: Within[PeriodTable]  # LOSS
