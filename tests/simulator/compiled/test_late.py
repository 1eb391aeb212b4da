"""Rules that are compiled when machine code first calls them."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import pytest

from simulator.compiled.jit import entry, ready, rule
from simulator.compiled.late import late
from simulator.compiled.linking import RuleCode, put_off
from simulator.compiled.records import PLAIN, Directory, Within, raise_if_outside, size_of

pytestmark = pytest.mark.skipif(PLAIN, reason="plain Python compiles nothing")


class AddLate(Protocol):
    def __call__(self, world: LateWorld, number: int, /) -> int: ...


class LateTable(Directory):
    add: AddLate
    fail: AddLate


class LateWorld(Directory):
    late: Within[LateTable]
    total: int


@late
def add(world: LateWorld, number: int) -> int:
    world.total += number
    return world.total


@late
def fail(world: LateWorld, number: int) -> int:
    return world.no_such_field + number  # type: ignore[attr-defined,no-any-return]


@entry
def add_twice(world: LateWorld, number: int) -> int:
    return world.late.add(world, number) + world.late.add(world, number)


@entry
def ask_what_fails(world: LateWorld, number: int) -> int:
    return world.late.fail(world, number)


@pytest.fixture
def world() -> LateWorld:
    ready(add_twice)
    ready(ask_what_fails)
    found = LateWorld.at(np.zeros(size_of(LateWorld), np.int64))
    found.late.add, found.late.fail = add, fail
    return found


def test_the_first_call_compiles_a_rule_and_later_ones_go_straight_to_it(world):
    at_first = int(np.frombuffer(world.owner, np.int64)[0])
    assert not add.dispatcher.overloads
    assert add_twice(world, 5) == 5 + 10
    assert add.dispatcher.overloads
    assert int(np.frombuffer(world.owner, np.int64)[0]) != at_first


def test_a_rule_that_was_compiled_in_another_directory_is_the_same_here(world):
    assert [add_twice(world, 1), world.total, add_twice(world, 1)] == [3, 2, 7]


def test_what_compiling_raises_reaches_who_called_the_machine_code(world):
    assert ask_what_fails(world, 1) == 0
    with pytest.raises(Exception, match="no_such_field"):
        raise_if_outside()
    raise_if_outside()


def test_a_rule_has_no_dispatcher_before_it_is_used():
    @rule()
    def twice(number: int) -> int:
        return 2 * number

    assert "dispatcher" not in vars(twice)
    assert twice(np.int64(21)) == 42
    assert "dispatcher" not in vars(twice)  # Python calls the rule as a whole
    assert "dispatcher" in vars(twice.whole)


def test_a_rule_that_another_thread_compiles_meanwhile_is_no_error():
    rule = RuleCode(lambda: 0, lambda: None)
    compiled = []

    def compile_it() -> None:
        compiled.append(rule)
        if len(compiled) == 1:
            ready(rule)  # as another thread does, which ends sooner

    put_off(rule, compile_it)
    ready(rule)
    ready(rule)
    assert len(compiled) == 2
