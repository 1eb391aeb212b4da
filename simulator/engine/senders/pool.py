"""The client's own threads: which of a producer's pool takes a message, and which runs a callback.

Each has a sendWhichQueue of its own on every topic, so what it chooses follows from what it chose before. A Java pool
starts a thread for each of its first tasks, then wakes the one that has waited longest (recorded: strictly in turn).
Source: rocketmq, DefaultMQProducerImpl (AsyncSenderExecutor_, 4.4.0+) and NettyRemotingClient
(NettyClientPublicExecutor_: retries of what timed out or could not be sent; all of the send path in 4.3.x).
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.engine.memory.send import Attempt
from simulator.engine.memory.world import World
from simulator.engine.shared.threads import client_of, producer_of


@rule()
def take_sender(world: World, send: Attempt) -> None:
    """The sending thread that has been idle longest takes the send; there is one."""
    part = world.async_parts[send.number]
    producer, senders = producer_of(world, send), client_of(world, send.thread).async_senders
    first = producer * world.settings.sender_places
    state = world.producer_states[producer]
    own = world.idle_senders[first + state.sender_idle]
    state.sender_idle = (state.sender_idle + 1) % senders
    state.senders_busy += 1
    part.view_row = world.producers[producer].sender_views + own


@rule()
def release_sender(world: World, send: Attempt) -> None:
    """The sending thread of the send is idle."""
    part = world.async_parts[send.number]
    producer, senders = producer_of(world, send), client_of(world, send.thread).async_senders
    first = producer * world.settings.sender_places
    state = world.producer_states[producer]
    place = (state.sender_idle + senders - state.senders_busy) % senders
    world.idle_senders[first + place] = part.view_row - world.producers[producer].sender_views
    state.senders_busy -= 1


@rule()
def call_back(world: World, send: Attempt) -> None:
    """The next thread of those that run callbacks has the send."""
    part = world.async_parts[send.number]
    producer = producer_of(world, send)
    fixed, state = world.producers[producer], world.producer_states[producer]
    part.view_row = fixed.callback_views + state.callbacks % fixed.pool_threads
    state.callbacks += 1
