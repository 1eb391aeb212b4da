"""The names of keys, whose hash chooses the queue where the selector is SelectMessageQueueByHash.

A key has a number, 0 for the most frequent, and a name of nine digits as an order or a customer has one. Names that
were the numbers would hash in the order of their frequency: "0" to "9" lie side by side, and 37 of "0" to "49" in one
half of 16 queues.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.kernel.randomness import KEY_NAME, below, hash3

FIRST_NAME = 100_000_000
NAMES = 900_000_000


@rule()
def key_name(seed: int, key: int) -> int:
    """The name of the key of that number, drawn by the seed."""
    return FIRST_NAME + below(hash3(seed, KEY_NAME, key), NAMES)
