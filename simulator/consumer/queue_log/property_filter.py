"""The properties of a message, drawn by the message itself as its tag is, and whether SQL92 takes them."""

from __future__ import annotations

import numpy as np

from simulator.compiled.jit import rule
from simulator.consumer.memory.consumer_group import SubscribedTopic
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.queue_log import SENDER_SHIFT, StoredMessage
from simulator.consumer.queue_log.message_tags import number_below
from simulator.kernel.randomness import hash4, signed


@rule()
def value_of(world: ConsumerWorld, number: int, draw: int) -> int:
    """Number of the value among those of a property."""
    own = world.drawn_properties[number]
    word = signed(hash4(world.settings.seed, own.purpose, own.entity, draw) >> np.uint64(32))
    return number_below(world.property_edges, own.first_edge, own.values, word)


@rule()
def takes(world: ConsumerWorld, own: SubscribedTopic, message: StoredMessage) -> bool:
    """Whether the expression of a subscription takes a message."""
    thread = message.sender >> SENDER_SHIFT
    sender = world.sent_by[thread] if thread >= 0 else world.settings.producer_groups
    reading = world.sql_readings[own.first_sql + sender]
    place = reading.first_answer
    for number in range(reading.first_term, reading.first_term + reading.terms):
        term = world.sql_terms[number]
        place += term.stride * world.sql_classes[term.first_class + value_of(world, term.property, message.draw)]
    return world.sql_answers[place] == 1
