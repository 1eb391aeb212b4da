"""Message queue selectors: the queue's place in the list, from the argument of send(msg, selector, arg).

Source: rocketmq 4.2.0-5.3.3, SelectMessageQueueByHash, ...ByRandom and ...ByMachineRoom. A selector sees the whole
list, knows nothing of the fault table, and what it throws or a null it returns ends the send with an
MQClientException before any attempt.
"""

from __future__ import annotations

from simulator.client.java_int import abs_int, remainder, wrap_int
from simulator.client.view import QueueList
from simulator.compiled.jit import entry, rule

NO_PLACE = -1  # null, or an index that the list does not have


@rule()
def decimal_hash(number: int) -> int:
    """String.hashCode of a number of at least 0 written in decimal."""
    power = 1
    while power * 10 <= number:
        power *= 10
    found = 0
    while power > 0:
        found = wrap_int(31 * found + 48 + number // power % 10)
        power //= 10
    return found


@entry
def hash_place_4_2_0(hash_code: int, queues: int) -> int:
    """4.2.0-4.7.1: abs(hashCode) mod n; of the smallest int no place unless n divides it."""
    place = remainder(abs_int(hash_code), queues)
    return place if place >= 0 else NO_PLACE


@entry
def hash_place_4_8_0(hash_code: int, queues: int) -> int:
    """4.8.0 and later: abs(hashCode mod n)."""
    return abs_int(remainder(hash_code, queues))


@entry
def no_place(queues: QueueList, record: int) -> int:
    """The selector of those who have none of their own."""
    return NO_PLACE
