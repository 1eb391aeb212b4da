"""Power of two choices as a part of a policy: of two drawn brokers the less loaded, then any of its queues.

The rules and their source: `p2c_peak_ewma`.
"""

from __future__ import annotations

from typing import Annotated

from simulator.compiled.jit import entry
from simulator.compiled.records import Record, Region, Us, size_of, tail
from simulator.policies.choose.p2c_peak_ewma import DECAY_NS, Node, begin, end, is_second_better, second_of
from simulator.policies.policy import Ask, PolicyPart, allowed_brokers, nth_broker, pick_below, queue_of

US_NS = 1_000


class Balancer(Record):
    """A node for each broker."""

    node_count: int
    nodes: Annotated[Region[Node], tail("node_count")]


@entry
def choose_of_two(state: Balancer, ask: Ask) -> int:
    """Draw two brokers that are not avoided, take the better."""
    count = allowed_brokers(ask)
    first = pick_below(ask.word, count)
    chosen = nth_broker(ask, first)
    if count > 1:
        other = nth_broker(ask, second_of(first, pick_below(ask.word << 32, count - 1)))
        if is_second_better(state.nodes[chosen], state.nodes[other], ask.now_us * US_NS):
            chosen = other
    return queue_of(ask, chosen)


@entry
def begin_request(state: Balancer, broker: int, attempt: int, now_us: Us) -> int:
    """One more under way."""
    begin(state.nodes[broker])
    return 0


@entry
def end_request(state: Balancer, broker: int, attempt: int, now_us: Us, latency_us: Us, outcome: int) -> int:
    """One less, and a round trip, however it ended."""
    end(state.nodes[broker], latency_us * US_NS, now_us * US_NS)
    return 0


def start(state: Balancer, brokers: int, decay_us: int) -> None:
    """A fresh node for each broker."""
    state.node_count = brokers
    for broker in range(brokers):
        state.nodes[broker].decay_ns = decay_us * US_NS


PART = PolicyPart(
    Balancer,
    start,
    {"choose": choose_of_two, "sent": begin_request, "ended": end_request},
    {"decay_us": DECAY_NS // US_NS},
    behind=lambda brokers: brokers * size_of(Node),
)
