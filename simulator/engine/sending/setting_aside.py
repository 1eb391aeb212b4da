"""Attempts of hedged messages that have another beside them, or may get one."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.memory.events import IN_SOCKET, SET_ASIDE, STANDING_BY
from simulator.engine.memory.send import HEDGED, QUEUED, Attempt, copy_attempt
from simulator.engine.memory.world import World
from simulator.engine.sending.policy_calls import delay_of_hedge
from simulator.engine.shared import heap
from simulator.kernel.pools import take
from simulator.policies.policy import NO_HEDGE


@rule()
def set_aside(world: World, send: Attempt) -> None:
    """The attempt that is under way goes on in a record of its own, and the message may have another."""
    aside = take(world, world.clock.asides, world.asides)
    copy_attempt(aside, send)
    part = world.sync_parts[send.number]
    if part.travelling > 0:
        world.travelling[part.travelling - 1].aside = 1 + aside.number
        part.travelling = 0
    heap.push(world, send.ends_us, SET_ASIDE, aside.number)
    part.aside += 1
    send.state = HEDGED


@rule()
def stand_by(world: World, send: Attempt, now_us: Us) -> None:
    """A record waits until the asynchronous attempt of a send gets another beside it, if the policy may want one."""
    part = world.async_parts[send.number]
    if part.beside != 0:
        return
    due_us = delay_of_hedge(world, send, now_us)
    unread = send.state == IN_SOCKET or send.state == QUEUED
    if due_us == NO_HEDGE or (not unread and now_us + due_us >= send.ends_us):
        return
    beside = take(world, world.clock.asynchronous, world.attempts)
    beside.thread = send.thread
    world.async_parts[beside.number].beside = 1 + send.number
    part.beside = 1 + beside.number
    heap.await_alone(world, beside, STANDING_BY, now_us + due_us)
