"""Kafka's sticky, adaptive partitioner as a part of a policy: stay with a queue for a batch's worth of bytes.

Rules and source: `kafka_sticky` (KIP-794, `partitioner.availability.timeout.ms` 0, five requests in flight). A client
that sends every message at once has no batches that wait: the queues' sizes are the requests that their broker has not
answered, and a broker is unavailable that could take no more for longer than the time-out.
"""

from __future__ import annotations

from typing import Annotated

from simulator.compiled.jit import entry, rule
from simulator.compiled.records import Record, Region, Us, Within, size_of, tail
from simulator.policies.choose.kafka_sticky import BATCH_BYTES, NO_PARTITION, Sticky, stick_to, wants_switch
from simulator.policies.parameter_texts import ParameterTexts
from simulator.policies.policy import NO_PLACE, Ask, PolicyPart, pick_below

MAX_IN_FLIGHT = 5  # max.in.flight.requests.per.connection


class KafkaConnection(Record):
    """A broker: requests without an answer, and since when it takes no more."""

    pending: int
    full_since_us: Us


class Partitioner(Record):
    """The sticky queue, by its place in the list, and every broker."""

    sticky: Within[Sticky]
    is_adaptive: int
    availability_us: Us  # 0: off
    in_flight: int
    broker_count: int
    connections: Annotated[Region[KafkaConnection], tail("broker_count")]


@rule()
def is_unavailable(state: Partitioner, broker: int, now_us: Us) -> bool:
    """Whether the broker could take no more for too long."""
    own = state.connections[broker]
    is_full = state.availability_us > 0 and own.pending >= state.in_flight
    return is_full and now_us - own.full_since_us > state.availability_us


@rule()
def is_listed(state: Partitioner, ask: Ask, place: int, anybody: bool) -> bool:
    """Whether a queue takes part in the choice; `anybody`: of an unavailable broker, too."""
    broker = ask.queues.queues[place].broker
    return ask.allowed[broker] == 1 and (anybody or not is_unavailable(state, broker, ask.now_us))


@rule()
def draw_queue(state: Partitioner, ask: Ask, word: int) -> int:
    """A queue by weight: the longest weighs 1, an empty one the most; if all are unavailable, any."""
    count, longest, listed = ask.queues.count, 0, 0
    for place in range(count):
        if is_listed(state, ask, place, False):
            listed += 1
            longest = max(longest, state.connections[ask.queues.queues[place].broker].pending)
    anybody = listed == 0 or state.is_adaptive == 0
    weights = 0
    for round_of_two in range(2):
        left = pick_below(word, weights) if round_of_two == 1 else 0
        for place in range(count):
            if is_listed(state, ask, place, anybody):
                weight = 1 if anybody else longest + 1 - state.connections[ask.queues.queues[place].broker].pending
                if round_of_two == 0:
                    weights += weight
                elif left < weight:
                    return place
                else:
                    left -= weight
    return NO_PLACE


@entry
def choose_sticky(state: Partitioner, ask: Ask) -> int:
    """The sticky queue, while its broker is allowed; the next one is drawn when it has had its bytes."""
    place = state.sticky.partition
    gone = place == NO_PARTITION or place >= ask.queues.count
    if gone or ask.allowed[ask.queues.queues[place].broker] == 0:
        place = draw_queue(state, ask, ask.word)
        stick_to(state.sticky, place)
    if wants_switch(state.sticky, ask.message_bytes, 1):
        stick_to(state.sticky, draw_queue(state, ask, ask.word << 32))
    return place


@entry
def note_request(state: Partitioner, broker: int, attempt: int, now_us: Us) -> int:
    """One more in flight; as many as may be fill the connection."""
    own = state.connections[broker]
    own.pending += 1
    if own.pending == state.in_flight:
        own.full_since_us = now_us
    return 0


@entry
def note_answer(state: Partitioner, broker: int, attempt: int, now_us: Us, latency_us: Us, outcome: int) -> int:
    """One less; a connection that is full still could take one in between."""
    own = state.connections[broker]
    own.pending -= 1
    own.full_since_us = now_us
    return 0


def start(state: Partitioner, brokers: int, batch: int, adaptive: int, availability_us: int, in_flight: int) -> None:
    """No queue yet, nothing in flight. Raises ValueError for no bytes or requests at all."""
    if batch < 1 or in_flight < 1:
        raise ValueError(ParameterTexts.AT_LEAST_1())
    state.sticky.partition, state.sticky.batch_bytes = NO_PARTITION, batch
    state.is_adaptive, state.availability_us, state.in_flight = adaptive, availability_us, in_flight
    state.broker_count = brokers


PART = PolicyPart(
    Partitioner,
    start,
    {"choose": choose_sticky, "sent": note_request, "ended": note_answer},
    {"batch": BATCH_BYTES, "adaptive": 1, "availability_us": 0, "in_flight": MAX_IN_FLIGHT},
    behind=lambda brokers: brokers * size_of(KafkaConnection),
)
