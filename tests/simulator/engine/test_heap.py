"""The heap gives events in one total order, whatever was pushed, hastened and popped before."""

from __future__ import annotations

import random

import numpy as np
import pytest

from simulator.compiled.jit import entry, ready
from simulator.compiled.records import Us, size_of
from simulator.compiled.region_store import RegionStore
from simulator.engine.memory.events import (
    GIVING_UP,
    IN_ASYNC,
    IN_ATTEMPT,
    POLL,
    WINDOW,
    events_of,
    is_timer,
    number_of_event,
)
from simulator.engine.memory.settings import Clock
from simulator.engine.memory.world import World
from simulator.engine.shared import heap
from simulator.kernel import event_heap
from simulator.kernel.machine_memory import Event

RECORDS = 40


@entry
def push(world: World, at_us: Us, record: int) -> None:
    heap.push(world, at_us, IN_ATTEMPT, record)


@entry
def pop(world: World) -> int:
    return number_of_event(event_heap.pop(world))


@entry
def hasten(world: World, at_us: Us, record: int) -> None:
    heap.hasten(world, at_us, IN_ATTEMPT, record)


@pytest.fixture
def store() -> RegionStore[World]:
    for rule in (push, pop, hasten):
        ready(rule)
    found = RegionStore(World)
    found.put("heap", np.zeros(RECORDS * size_of(Event), np.int64))
    found.put("clock", np.zeros(size_of(Clock), np.int64))
    return found


def popped(store: RegionStore[World]) -> list[int]:
    return [int(pop(store.directory)) for _ in range(store.directory.clock.heap_size)]


def test_events_come_in_order_of_time_then_of_record(store: RegionStore[World]) -> None:
    events = [(random.Random(7 * record).randrange(12), record) for record in range(RECORDS)]
    for at_us, record in random.Random(3).sample(events, RECORDS):
        push(store.directory, at_us, record)
    assert popped(store) == [record for _, record in sorted(events)]


def test_a_hastened_event_takes_the_place_of_its_new_time(store: RegionStore[World]) -> None:
    for record, at_us in enumerate((50, 10, 40, 30, 20)):
        push(store.directory, at_us, record)
    hasten(store.directory, 20, 0)
    assert popped(store) == [1, 0, 4, 3, 2]


def test_events_that_come_between_pops_keep_the_order(store: RegionStore[World]) -> None:
    draws, waiting = random.Random(11), [(at_us, at_us % 7) for at_us in range(0, 70, 10)]
    for at_us, record in waiting:
        push(store.directory, at_us, record)
    for _ in range(200):
        first = min(waiting)
        waiting.remove(first)
        assert pop(store.directory) == first[1]
        waiting.append((first[0] + draws.randrange(25), first[1]))
        push(store.directory, *waiting[-1])


def test_at_one_moment_timers_come_first_then_threads_by_number_then_messages():
    wanted = [(WINDOW, 0), (POLL, 0), (GIVING_UP, 3), (IN_ATTEMPT, 7), (GIVING_UP, 7), (IN_ASYNC, 0)]
    what = [int(events_of(kind, np.int64(number))) for kind, number in wanted]
    assert what == sorted(what)
    assert is_timer(np.array(what)).tolist() == [True, True, False, False, False, False]
