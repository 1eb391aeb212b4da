"""Any queue of a broker that is not avoided, each as likely as the other."""

from __future__ import annotations

from simulator.compiled.jit import entry
from simulator.compiled.records import Record
from simulator.policies.policy import NO_PLACE, Ask, PolicyPart, pick_below


class RandomQueue(Record):
    """Nothing is remembered."""

    unused: int


@entry
def choose_random(state: RandomQueue, ask: Ask) -> int:
    """Count the queues that may be chosen, then take the drawn one."""
    count, found = ask.queues.count, 0
    for place in range(count):
        found += ask.allowed[ask.queues.queues[place].broker]
    left = pick_below(ask.word, found)
    for place in range(count):
        if ask.allowed[ask.queues.queues[place].broker] == 1:
            if left == 0:
                return place
            left -= 1
    return NO_PLACE


def start(state: RandomQueue, brokers: int) -> None:
    """Nothing to fill."""


PART = PolicyPart(RandomQueue, start, {"choose": choose_random})
