"""A pop arrives at a broker: it is served, held or refused.

Source: rocketmq 5.0.0-5.5.0, PopMessageProcessor.processRequest.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.broker.held_pops import release_pop
from simulator.consumer.broker.members import beat_at
from simulator.consumer.broker.popping import serve_or_hold
from simulator.consumer.links.instance_routes import knows_master
from simulator.consumer.links.reaching import LINK_OPEN, LINK_REFUSED, member_at
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.held_queue import POP_ASKED, POP_FAILED, POP_HELD
from simulator.consumer.shared.holdings import group_of, pop_at
from simulator.consumer.shared.pop_places import place_of_pop


@rule()
def go_on_with_pop(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """A pop that is at the broker: it arrives, something was appended, or its time is over."""
    holding = world.holdings[number]
    broker = world.logs[holding.log].broker
    serving = world.serving[broker]
    if holding.state == POP_HELD and serving.stands_still == 0:
        release_pop(world, number)
    if serving.is_away != 0:
        pop_at(world, number, POP_FAILED, now_us + world.settings.link_us)
    elif serving.stands_still == 1:
        pop_at(world, number, holding.state, max(serving.back_us, now_us + 1))
    elif holding.state != POP_ASKED or _is_let_in(world, number, broker, now_us):
        serve_or_hold(world, number, now_us)


@rule()
def _is_let_in(world: ConsumerWorld, number: int, broker: int, now_us: Us) -> bool:
    """Whether the request reaches a broker that serves it; else the client gets an exception, at once or in time."""
    holding, settings = world.holdings[number], world.settings
    member = member_at(world, broker, holding.instance)
    if member.link != LINK_OPEN:
        is_refused = member.link == LINK_REFUSED
        gives_up_us = settings.link_us if is_refused else group_of(world, holding).pop.timeout_us
        pop_at(world, number, POP_FAILED, now_us + gives_up_us)
        return False
    if member.closed_us > 0:
        member.closed_us = 0
        if group_of(world, holding).beats_on_connect == 1:
            beat_at(world, holding.instance, broker, now_us)
    place = place_of_pop(world, holding.subscription, broker)
    if world.pop_places[place].refuses == 1:
        world.pop_waits[place].refused += 1
    if world.pop_places[place].refuses == 1 or not knows_master(
        world, holding.instance, world.logs[holding.log].topic, broker
    ):
        pop_at(world, number, POP_FAILED, now_us + settings.link_us)
        return False
    return True
