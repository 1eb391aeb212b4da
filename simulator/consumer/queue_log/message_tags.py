"""The tag of a message: drawn by the message itself, so that a copy of it has the same one."""

from __future__ import annotations

import numpy as np

from simulator.compiled.jit import rule
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.randomness import MESSAGE_TAG, hash4, signed


@rule()
def tag_of(world: ConsumerWorld, topic: int, draw: int) -> int:
    """Number of the tag among those of the topic, which has some."""
    tags = world.log_topics[topic]
    word = signed(hash4(world.settings.seed, MESSAGE_TAG, topic, draw) >> np.uint64(32))
    low, high = 0, tags.tags - 1
    while low < high:
        middle = (low + high) // 2
        if world.tag_edges[tags.first_tag + middle] > word:
            high = middle
        else:
            low = middle + 1
    return low
