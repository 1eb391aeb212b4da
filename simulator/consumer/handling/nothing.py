"""What a kind of consumption has where nothing is to do."""

from __future__ import annotations

from simulator.compiled.jit import entry
from simulator.compiled.records import Us
from simulator.consumer.memory.consumer_world import ConsumerWorld


@entry
def nothing(world: ConsumerWorld, number: int, now_us: Us) -> int:
    """What happens to an instance or a queue changes nothing."""
    return 0


@entry
def share_nothing(world: ConsumerWorld, number: int, subscription: int, now_us: Us) -> int:
    """1: clients share the queues of these groups by themselves."""
    return 1


@entry
def cache_nothing(world: ConsumerWorld, at: int, count: int, is_first: int, now_us: Us) -> int:
    """Nothing is cached of a queue that is not pulled."""
    return 0


@entry
def may_take_any(world: ConsumerWorld, number: int, subscription: int, log: int, now_us: Us) -> int:
    """1: what is allocated is taken."""
    return 1
