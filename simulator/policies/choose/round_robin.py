"""One queue after the other, whatever happened to the last ones."""

from __future__ import annotations

from simulator.compiled.jit import entry
from simulator.compiled.records import Record
from simulator.policies.policy import NO_PLACE, Ask, PolicyPart


class RoundRobin(Record):
    """Whose turn it is."""

    next_place: int


@entry
def choose_next_queue(state: RoundRobin, ask: Ask) -> int:
    """The next queue of the list whose broker is not avoided."""
    count = ask.queues.count
    for step in range(count):
        place = (state.next_place + step) % count
        if ask.allowed[ask.queues.queues[place].broker] == 1:
            state.next_place = place + 1
            return place
    return NO_PLACE


def start(state: RoundRobin, brokers: int) -> None:
    """Begin with the first queue."""


PART = PolicyPart(RoundRobin, start, {"choose": choose_next_queue})
