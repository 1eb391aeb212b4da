"""Copies of messages whose order is checked, until they are appended."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.engine import heap
from simulator.engine.events import APPENDING
from simulator.engine.pools import give_back, take
from simulator.engine.rows import pair_of
from simulator.engine.sending.message import key_order_of
from simulator.engine.sending.send import AppendingCopy, Send
from simulator.engine.world import World


@rule()
def await_append(world: World, send: Send) -> None:
    """If the send's request is stored and its order is checked: an event when that happens."""
    if send.stored_us < 0 or key_order_of(world, send) < 0:
        return
    copy = take(world, world.clock.appending, world.appending)
    copy.topic = send.topic
    copy.broker = send.broker
    copy.thread = send.thread
    copy.key = send.key
    copy.key_seq = send.key_seq
    heap.push(world, send.stored_us, APPENDING, copy.number)


@rule()
def append(world: World, copy: AppendingCopy) -> None:
    """A copy is in a commit log: out of order if a later message of its thread and key is in one already."""
    order = world.key_orders[key_order_of(world, copy)]
    if copy.key_seq + 1 < order.stored:
        world.window_pairs[pair_of(world, copy.topic, copy.broker)].out_of_order += 1
    order.stored = max(order.stored, copy.key_seq + 1)
    give_back(world.clock.appending, copy)
