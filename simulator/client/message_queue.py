"""A chosen queue as one int64: broker in the high half, queue id (may be negative) in the low half."""

from __future__ import annotations

from simulator.client.java_int import wrap_int
from simulator.compiled.jit import rule

NO_QUEUE = -(1 << 62)  # nothing to choose: up to 5.1.3 an ArithmeticException leaves send(), later null ends the loop


@rule()
def packed(broker: int, queue_id: int) -> int:
    """One int64 for that queue of that broker."""
    return (broker << 32) | (queue_id & 0xFFFFFFFF)


@rule()
def broker_of(queue: int) -> int:
    """Index of the broker of a packed queue."""
    return queue >> 32


@rule()
def queue_id_of(queue: int) -> int:
    """Queue id of a packed queue, negative where the client computed a negative one."""
    return wrap_int(queue & 0xFFFFFFFF)
