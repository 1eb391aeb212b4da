"""The broker with the fewest requests under way, any of those that have as few; then any of its queues.

Source: the rule that gRPC, Envoy and NGINX call least request or least connections, over all brokers.
"""

from __future__ import annotations

from simulator.compiled.jit import entry
from simulator.compiled.records import Record
from simulator.policies.policy import NO_PLACE, Ask, PolicyPart, pick_below, queue_of


class LeastOutstanding(Record):
    """Nothing is remembered: the engine counts what is under way."""

    unused: int


@entry
def choose_least(state: LeastOutstanding, ask: Ask) -> int:
    """A drawn one of the brokers with the fewest."""
    fewest, alike = NO_PLACE, 0
    for broker in range(ask.brokers):
        if ask.allowed[broker] == 1:
            under_way = ask.in_flight[ask.first + broker]
            if alike == 0 or under_way < fewest:
                fewest, alike = under_way, 1
            elif under_way == fewest:
                alike += 1
    left = pick_below(ask.word, alike)
    for broker in range(ask.brokers):
        if ask.allowed[broker] == 1 and ask.in_flight[ask.first + broker] == fewest:
            if left == 0:
                return queue_of(ask, broker)
            left -= 1
    return NO_PLACE


def start(state: LeastOutstanding, brokers: int) -> None:
    """Nothing to fill."""


PART = PolicyPart(LeastOutstanding, start, {"choose": choose_least})
