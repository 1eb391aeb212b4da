"""The tag of a message: drawn by the message itself, so that a copy of it has the same one."""

from __future__ import annotations

import numpy as np

from simulator.compiled.jit import rule
from simulator.compiled.records import Cells
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.kernel.randomness import MESSAGE_TAG, hash4, signed


@rule(inlined=True)
def number_below(edges: Cells, first: int, count: int, word: int) -> int:
    """The number among `count`, whose upper thresholds begin at `first`, that a random word below 2**32 draws."""
    low, high = 0, count - 1
    while low < high:
        middle = (low + high) // 2
        if edges[first + middle] > word:
            high = middle
        else:
            low = middle + 1
    return low


@rule()
def tag_of(world: ConsumerWorld, topic: int, draw: int) -> int:
    """Number of the tag among those of the topic, which has some."""
    tags = world.log_topics[topic]
    word = signed(hash4(world.settings.seed, MESSAGE_TAG, topic, draw) >> np.uint64(32))
    return number_below(world.tag_edges, tags.first_tag, tags.tags, word)
