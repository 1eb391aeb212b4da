"""A pop arrives at a broker, or at a slave that acts for it: it is served, held or refused.

A slave serves pops whatever slaveReadEnable says.
Source: rocketmq 5.0.0-5.5.0, PopMessageProcessor.processRequest.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.broker.held_pops import release_pop
from simulator.consumer.broker.members import beat_at
from simulator.consumer.broker.popping import serve_or_hold
from simulator.consumer.links.instance_routes import knows_master
from simulator.consumer.links.reaching import LINK_OPEN, LINK_REFUSED, member_at, reaches_slave
from simulator.consumer.links.slave_side import asks_acting_slave
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.held_queue import POP_ASKED, POP_FAILED, POP_HELD
from simulator.consumer.shared.holdings import group_of, pop_at
from simulator.consumer.shared.pop_places import place_of_pop


@rule()
def go_on_with_pop(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """A pop that is at the broker: it arrives, something was appended, or its time is over."""
    if is_for_slave(world, number):
        go_on_at_slave(world, number, now_us)
        return
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
def is_for_slave(world: ConsumerWorld, number: int) -> bool:
    """Whether a pop is at a slave that acts for its broker; one that arrives goes where its client's route says."""
    holding = world.holdings[number]
    if holding.state == POP_ASKED:
        log = world.logs[holding.log]
        holding.from_slave = int(asks_acting_slave(world, holding.instance, log.topic, log.broker))
    return holding.from_slave == 1


@rule()
def go_on_at_slave(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """A pop that is at a slave that acts is served, held or refused, or its time is over; none in order is served."""
    holding = world.holdings[number]
    broker = world.logs[holding.log].broker
    if holding.state == POP_HELD:
        release_pop(world, number)
    waits = place_of_pop(world, holding.subscription, broker)
    is_refused = world.pop_places[waits].refuses == 1 or group_of(world, holding).pop.in_order == 1
    if is_refused or not reaches_slave(world, holding.instance, broker):
        world.pop_waits[waits].refused += world.pop_places[waits].refuses
        pop_at(world, number, POP_FAILED, now_us + world.settings.link_us)
    else:
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
