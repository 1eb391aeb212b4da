"""When a transactional producer sends its heartbeats."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.memory.half_message import TransactionProducer

HEARTBEAT_US = 30_000_000


@rule(inlined=True)
def last_beat_us(own: TransactionProducer, at_us: Us) -> int:
    """The last heartbeat of a producer up to a moment; a process that begins sends one at once."""
    return max(own.heartbeat_us + (at_us - own.heartbeat_us) // HEARTBEAT_US * HEARTBEAT_US, own.began_us)
