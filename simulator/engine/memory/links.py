"""The network between a group of producers and a broker, and what is under way on a connection."""

from __future__ import annotations

from simulator.compiled.records import Ms, Record, Us, Within
from simulator.engine.memory.periods_table import PeriodTable
from simulator.kernel.pools import Taken


class Link(Record):
    """Where the periods of its tables are."""

    cuts: Within[PeriodTable]  # LINK
    losses: Within[PeriodTable]  # LOSS
    late: Within[PeriodTable]  # LATE


class Ways(Record):
    """How long requests and answers are under way: numbers of distributions in world.latencies, negative: no time."""

    requests: int
    answers: int


class ConnectionOrder(Record):
    """What was last on a connection, which keeps the order; -1: nothing was."""

    arrives_us: Us  # when its last request is at the broker's machine
    read_us: Us  # when the process, which stood still, reads the last of those that lay there
    answered_us: Us  # when its last answer is at the client


class Travelling(Taken):
    """A request on its way to a broker, or its answer on the way back."""

    request: int  # record of world.sends that has what the broker is asked
    message: int  # record of world.sends that waits for the answer, unless it is another message's by then
    aside: int  # 1 + record of world.asides that waits instead, 0: none does
    deadline_us: Us  # an answer that comes then or later is too late
    wait_ms: Ms  # what the client waits for it once connected
