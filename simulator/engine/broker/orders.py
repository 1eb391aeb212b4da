"""Copies of messages whose order is checked, until they are appended."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.engine.memory.events import APPENDING
from simulator.engine.memory.send import AppendingCopy, Attempt, Message
from simulator.engine.memory.world import World
from simulator.engine.shared import heap
from simulator.engine.shared.rows import pair_of
from simulator.engine.shared.threads import message_of
from simulator.kernel.pools import give_back, take


@rule()
def key_order_of(world: World, message: Message | AppendingCopy) -> int:
    """Number in world.key_orders of a message's thread and key; negative if their order is not checked."""
    topic = world.topics[message.topic]
    if topic.first_order < 0:
        return -1
    return topic.first_order + message.thread * topic.key_count + message.key


@rule()
def await_append(world: World, send: Attempt) -> None:
    """If the send's request is stored and its order is checked: an event when that happens."""
    message = message_of(world, send)
    if send.stored_us < 0 or key_order_of(world, message) < 0:
        return
    copy = take(world, world.clock.appending, world.appending)
    copy.topic = send.topic
    copy.broker = send.broker
    copy.thread = send.thread
    copy.key = message.key
    copy.key_seq = message.key_seq
    heap.push(world, send.stored_us, APPENDING, copy.number)


@rule()
def append(world: World, copy: AppendingCopy) -> None:
    """A copy is in a commit log: out of order if a later message of its thread and key is in one already."""
    order = world.key_orders[key_order_of(world, copy)]
    if copy.key_seq + 1 < order.stored:
        world.window_pairs[pair_of(world, copy.topic, copy.broker)].out_of_order += 1
    order.stored = max(order.stored, copy.key_seq + 1)
    give_back(world.clock.appending, copy)
