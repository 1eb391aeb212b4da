"""Route objects that were replaced while sends were under way: those use theirs to their end.

A send takes the TopicPublishInfo of its topic once: a retry chooses from its list, with its counter, whatever a poll
has brought meanwhile. Only the broker's address is looked up anew. Source: rocketmq 4.2.0-5.3.3,
DefaultMQProducerImpl.sendDefaultImpl, MQClientAPIImpl.onExceptionImpl, MQClientInstance.cleanOfflineBroker.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.client.memory import (
    FORGOTTEN_US,
    GENERATION_NOW,
    HELD_LIST,
    HELD_SIZE,
    HELD_VERSION,
    QUEUE_COUNT,
    QUEUE_LIST,
    QUEUE_SIZE,
    QUEUES,
    RANDOM,
    SEEDED,
    SEND_WHICH_QUEUE,
    VIEW_SIZE,
    WRITE_SIZE,
    WRITES,
)
from simulator.compiled.jit import rule
from simulator.engine.layout import (
    AUTO_SIZE,
    AUTO_TOPICS,
    BROKERS,
    GENERATION,
    HELD_COUNT,
    HELD_VIEWS,
    IS_CREATED,
    OWNS_QUEUES,
    ROUTE_HOLDS,
    TOPIC,
    TOPICS,
    VIEWS,
)
from simulator.engine.sending.threads import producer_of_record, row_at, row_count
from simulator.randomness import mix


@rule(inlined=True)
def _hold_of(c: Any, producer: Any, topic: Any) -> Any:
    return c[ROUTE_HOLDS] + (producer * c[TOPICS] + topic) * (HELD_LIST + c[HELD_COUNT] * HELD_SIZE)


@rule(inlined=True)
def _held_view(c: Any, row: Any, topic: Any, generation: Any) -> Any:
    place = (row * c[TOPICS] + topic) * c[HELD_COUNT] + generation % c[HELD_COUNT]
    return c[HELD_VIEWS] + place * VIEW_SIZE


@rule()
def note_generation(c: Any, m: Any, s: Any) -> None:
    """The message of the record at `s` is sent with what its producer knows now."""
    producer = producer_of_record(c, m, s)
    m[s + GENERATION] = m[_hold_of(c, producer, m[s + TOPIC]) + GENERATION_NOW]


@rule()
def copy_queues(m: Any, queues: Any, to: Any) -> None:
    """Copy one queue list over another."""
    for i in range(QUEUE_LIST + m[queues + QUEUE_COUNT] * QUEUE_SIZE):
        m[to + i] = m[queues + i]


@rule()
def hold(c: Any, m: Any, producer: Any, topic: Any, known: Any, forgotten_us: Any) -> None:
    """Keep what the producer knows of a topic, because something else is about to replace it.

    `forgotten_us`: when it drops the addresses of brokers that only this named.
    """
    own = _hold_of(c, producer, topic)
    generation = m[own + GENERATION_NOW]
    m[own + GENERATION_NOW] = generation + 1
    held = own + HELD_LIST + generation % c[HELD_COUNT] * HELD_SIZE
    m[held + HELD_VERSION] = known
    m[held + FORGOTTEN_US] = forgotten_us
    auto = c[AUTO_TOPICS] + topic * AUTO_SIZE
    for place in range(row_count(c, producer)):
        row = row_at(c, producer, place)
        view = c[VIEWS] + (row * c[TOPICS] + topic) * VIEW_SIZE
        to = _held_view(c, row, topic, generation)
        m[to + SEND_WHICH_QUEUE] = m[view + SEND_WHICH_QUEUE]
        m[to + SEEDED] = m[view + SEEDED]
        m[to + RANDOM] = np.int64(mix(np.uint64(~m[view + RANDOM])))
        if c[auto + OWNS_QUEUES] == 0:
            m[to + QUEUES] = m[view + QUEUES]
        elif place == 0:
            copy_queues(m, m[view + QUEUES], m[to + QUEUES])
        if c[auto + IS_CREATED] == 0:
            m[to + WRITES] = m[view + WRITES]
        elif place == 0:
            for cell in range(c[BROKERS] * WRITE_SIZE):
                m[m[to + WRITES] + cell] = m[m[view + WRITES] + cell]


@rule()
def view_in_use(c: Any, m: Any, s: Any, row: Any, view: Any) -> Any:
    """The view that the message of the record at `s` began with; `view`: that of now, in that row of the views."""
    topic = m[s + TOPIC]
    producer = producer_of_record(c, m, s)
    if m[_hold_of(c, producer, topic) + GENERATION_NOW] == m[s + GENERATION]:
        return view
    return _held_view(c, row, topic, m[s + GENERATION])


@rule()
def known_before(c: Any, m: Any, s: Any, now_us: Any) -> Any:
    """What was known of the route that the record at `s` is sent with, if its addresses are still kept, else -1."""
    producer = producer_of_record(c, m, s)
    own = _hold_of(c, producer, m[s + TOPIC])
    if m[own + GENERATION_NOW] == m[s + GENERATION]:
        return -1
    held = own + HELD_LIST + m[s + GENERATION] % c[HELD_COUNT] * HELD_SIZE
    return m[held + HELD_VERSION] if now_us < m[held + FORGOTTEN_US] else -1
