"""What travels together with a message: how it arrives, and what it ends with."""

from __future__ import annotations

from typing import NamedTuple

from simulator.compiled.records import Ms, Us


class Message(NamedTuple):
    """A message as it comes to a thread."""

    arrival_us: Us
    topic: int
    draw: int


class Charge(NamedTuple):
    """What an attempt costs a broker."""

    broker: int
    latency_ms: Ms
    isolation: int
    reachable: int


class Ending(NamedTuple):
    """What a send ends with: the last attempt's, or those of none."""

    result: int  # codes: an outcome, or the exception that it is an instance of
    code: int
    attempts: int
    broker: int
    queue_id: int
