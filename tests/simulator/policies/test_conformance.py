"""What a part of a policy must keep to, and how each breach is reported."""

from itertools import count

import pytest

from simulator.compiled.records import Record
from simulator.policies.catalogue import PARTS
from simulator.policies.conformance import breach_of
from simulator.policies.policy import PolicyPart, queue_of

OUTSIDE, COUNTED = {}, count()


class Tried(Record):
    """A state of the parts below."""

    number: int


def start(state, brokers):
    """Nothing to fill."""


def breach(kind, **rules):
    return breach_of(kind, PolicyPart(Tried, start, rules), {}, lambda what: None)


def first_allowed(state, ask):
    return next(place for place in range(20) if ask.allowed[ask.queues.queues[place].broker] == 1)


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind, known in PARTS.items() for name in known])
def test_every_part_that_comes_with_it_conforms(kind, name):
    part = PARTS[kind][name]
    assert breach_of(kind, part, part.parameters, lambda what: None) is None


def test_a_part_of_plain_functions_can_be_tried_too():
    assert breach("choose", choose=first_allowed) is None


@pytest.mark.parametrize(
    ("kind", "rules", "expected"),
    [
        ("choose", {}, "has no rule choose"),
        ("choose", {"choose": first_allowed, "tick": first_allowed}, "has a rule tick that nobody calls"),
        ("choose", {"choose": lambda state, ask: 20}, "answers place 20 in a list of 20 queues"),
        ("choose", {"choose": lambda state, ask: -1}, "answers NO_PLACE although"),
        ("choose", {"choose": lambda state, ask: 0}, "a broker that is not allowed"),
        ("avoid", {"allowed": lambda state, broker, now: 2}, "allowed answers 2"),
        ("avoid", {"allowed": lambda state, *_: setattr(state, "number", 1) or 1}, "allowed changes its state"),
        ("retry", {"retry": lambda *_: -2}, "retry answers -2"),
        ("retry", {"retry": lambda *_: next(COUNTED)}, "answers otherwise from the same start"),
    ],
)
def test_a_breach_is_reported(kind, rules, expected):
    assert expected in breach(kind, **rules)


def test_what_is_remembered_beside_the_record_does_not_survive_a_checkpoint():
    def choose(state, ask):
        seen = OUTSIDE.setdefault(state.address, len(OUTSIDE) % 2)
        return queue_of(ask, next(b for b in range(5) if ask.allowed[b] == 1)) if seen else first_allowed(state, ask)

    assert "answers otherwise" in breach("choose", choose=choose)


def test_a_state_that_grows_with_the_square_of_the_brokers_is_too_large():
    part = PolicyPart(Tried, start, {"choose": first_allowed}, behind=lambda brokers: 2 * brokers * brokers)
    assert "at most 1,000,000" in breach_of("choose", part, {}, lambda what: None)
