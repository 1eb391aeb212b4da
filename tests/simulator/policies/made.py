"""Records of policies for tests: fields by name, in memory of their own."""

from collections import Counter

import numpy as np

from simulator.client.view import QueueList
from simulator.compiled.jit import ready
from simulator.compiled.records import Cells, size_of
from simulator.policies.policy import Ask


def made(record, /, cells_behind=0, **fields):
    """A record with those fields set, and as many cells behind it."""
    view = record.at(np.zeros(size_of(record) + cells_behind, np.int64))
    for name, value in fields.items():
        setattr(view, name, value)
    return view


class RulesOf:
    """The rules of a part by name, compiled as the event loop wants them."""

    def __init__(self, part):
        self.rules = part.rules

    def __getattr__(self, name):
        ready(self.rules[name])
        return self.rules[name]


def part_with(part, brokers=3, /, **parameters):
    """A record of a part for so many brokers, started with its parameters, some of them others."""
    state = made(part.state, part.behind(brokers))
    part.start(state, brokers, **{**part.parameters, **parameters})
    return state


def ask_of(*queues, allowed=(1, 1, 1), in_flight=(0, 0, 0), **fields):
    """A question about queues that are named by their broker, in the order of the list."""
    found = QueueList.at(np.zeros(size_of(QueueList) + 2 * len(queues), np.int64))
    found.count = len(queues)
    for place, broker in enumerate(queues):
        found.queues[place].broker, found.queues[place].queue_id = broker, place
    ask = made(Ask, queues=found, brokers=len(allowed), **fields)
    ask.allowed, ask.in_flight = Cells.of(np.array(allowed)), Cells.of(np.array(in_flight))
    return ask


def chosen_of(part, state, ask, draws=200):
    """How often each broker is chosen, by as many random words."""
    found, choose = Counter(), RulesOf(part).choose
    for word in np.random.Generator(np.random.Philox(7)).integers(-(2**63), 2**63 - 1, draws):
        ask.word = int(word)
        found[ask.queues.queues[choose(state, ask)].broker] += 1
    return found
