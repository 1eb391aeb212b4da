"""What a part of a policy must keep to, and how each breach is reported."""

from itertools import count

import pytest

from simulator.compiled.records import Record
from simulator.policies.catalogue import PARTS
from simulator.policies.conformance import breach_of
from simulator.policies.policy import PolicyPart, queue_of
from tests.says import Says

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
        ("choose", {}, Says("breach.no-rule", rule="choose")),
        (
            "choose",
            {"choose": first_allowed, "tick": first_allowed},
            Says("breach.unknown-rule", rule="tick"),
        ),
        ("choose", {"choose": lambda state, ask: 20}, Says("breach.outside-the-list", place=20, count=20)),
        ("choose", {"choose": lambda state, ask: -1}, Says("breach.no-choice")),
        ("choose", {"choose": lambda state, ask: 0}, Says("breach.not-allowed")),
        ("avoid", {"allowed": lambda state, broker, now: 2}, Says("breach.allowed-answer", answer=2)),
        ("avoid", {"allowed": lambda state, *_: setattr(state, "number", 1) or 1}, Says("breach.allowed-changes")),
        ("retry", {"retry": lambda *_: -2}, Says("breach.retry-answer", answer=-2)),
        ("retry", {"retry": lambda *_: next(COUNTED)}, Says("breach.not-from-its-arguments")),
    ],
)
def test_a_breach_is_reported(kind, rules, expected):
    assert breach(kind, **rules) == expected


def test_what_is_remembered_beside_the_record_does_not_survive_a_checkpoint():
    def choose(state, ask):
        seen = OUTSIDE.setdefault(state.address, len(OUTSIDE) % 2)
        return queue_of(ask, next(b for b in range(5) if ask.allowed[b] == 1)) if seen else first_allowed(state, ask)

    assert breach("choose", choose=choose) in (
        Says("breach.not-from-its-arguments"),
        Says("breach.not-from-its-state"),
    )


def test_a_state_that_grows_with_the_square_of_the_brokers_is_too_large():
    part = PolicyPart(Tried, start, {"choose": first_allowed}, behind=lambda brokers: 2 * brokers * brokers)
    found = breach_of("choose", part, {}, lambda what: None)
    assert found == Says("breach.too-many-numbers", most=1_000_000)
