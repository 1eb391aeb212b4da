"""A request at its broker: what the broker answers whatever is asked, and how it serves what it reads."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.broker.service import serve
from simulator.engine.memory.periods_table import ANSWER, ANSWER_REFUSE, ANSWER_VALUE
from simulator.engine.memory.send import Attempt
from simulator.engine.memory.world import World
from simulator.engine.routes.route_polls import create_on
from simulator.engine.shared.periods import periods_of, value_at


@rule(inlined=True)
def answer_at(world: World, send: Attempt, now_us: Us) -> int:
    """What the broker answers whatever is asked, 0 if it does as it should."""
    return value_at(world, periods_of(world, send.broker, ANSWER), now_us, 0)


@rule()
def answer_over_connection(world: World, send: Attempt, now_us: Us) -> int:
    """The same to a request that was sent before: a connection that stands is not refused."""
    answer = answer_at(world, send, now_us)
    return 0 if answer & ~ANSWER_VALUE == ANSWER_REFUSE else answer


@rule()
def served(world: World, send: Attempt, now_us: Us, word: int, answer: int) -> int:
    """When the broker, which has just read the request of a send, answers it, FAR = never."""
    if world.settings.scripted == 1:
        return world.script.serve(send, now_us)
    end_us = serve(world, send, now_us, word, answer)
    if world.settings.routes_on == 1 and send.stored_us >= 0:
        create_on(world, send.topic, send.broker)
    return end_us
