"""How long requests and answers are under way on the network; nothing where a scenario has no `network`."""

from __future__ import annotations

import numpy as np

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.memory.links import Ways
from simulator.engine.memory.send import Attempt
from simulator.engine.memory.world import World
from simulator.engine.shared.periods import value_at
from simulator.kernel.latency import service_us
from simulator.kernel.randomness import (
    ATTEMPT_ANSWER_WAY,
    ATTEMPT_CONNECT_WAY,
    ATTEMPT_CONNECTED_WAY,
    ATTEMPT_REQUEST_WAY,
    attempt_word,
    signed,
)

_MEDIAN = 1 << 31  # as a random word


@rule(inlined=True)
def _place(world: World, send: Attempt) -> int:
    return world.threads[send.thread].group * world.settings.brokers + send.broker


@rule()
def _drawn_us(world: World, number: int, send: Attempt, purpose: int) -> int:
    if number < 0:
        return 0
    word = attempt_word(send.draw, purpose, send.attempt) >> np.uint64(32)
    return service_us(world.latencies[number].edges, signed(word))


@rule()
def _late_us(world: World, place: int, now_us: Us) -> int:
    """What a slow link adds to the way of a request."""
    return value_at(world, world.links[place].late, now_us, 0)


@rule()
def request_us(world: World, send: Attempt, now_us: Us) -> int:
    """Microseconds from the client to the broker's machine of a request that is sent now."""
    place = _place(world, send)
    return _drawn_us(world, world.ways[place].requests, send, ATTEMPT_REQUEST_WAY) + _late_us(world, place, now_us)


@rule()
def answer_us(world: World, send: Attempt) -> int:
    """Microseconds from the broker to the client of the answer to a send's request, without faults of the link."""
    if world.settings.networks_on == 0:
        return 0
    return _drawn_us(world, world.ways[_place(world, send)].answers, send, ATTEMPT_ANSWER_WAY)


@rule()
def round_trip_us(world: World, send: Attempt, now_us: Us) -> int:
    """Microseconds that a connection waits for the broker's machine, which answers at once."""
    if world.settings.networks_on == 0:
        return 0
    place = _place(world, send)
    ways = world.ways[place]
    there_us = _drawn_us(world, ways.requests, send, ATTEMPT_CONNECT_WAY) + _late_us(world, place, now_us)
    return there_us + _drawn_us(world, ways.answers, send, ATTEMPT_CONNECTED_WAY)


@rule()
def probe_us(world: World, group: int, broker: int, now_us: Us) -> int:
    """The median of both ways, for a probe of a client of that group."""
    if world.settings.networks_on == 0:
        return 0
    place = group * world.settings.brokers + broker
    ways: Ways = world.ways[place]
    both_us = _late_us(world, place, now_us)
    if ways.requests >= 0:
        both_us += service_us(world.latencies[ways.requests].edges, _MEDIAN)
    if ways.answers >= 0:
        both_us += service_us(world.latencies[ways.answers].edges, _MEDIAN)
    return both_us
