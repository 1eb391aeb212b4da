"""Route objects that were replaced while sends were under way: those use theirs to their end.

A send takes the TopicPublishInfo of its topic once: a retry chooses from its list, with its counter, whatever a poll
has brought meanwhile. Only the broker's address is looked up again. Source: rocketmq 4.2.0-5.3.3,
DefaultMQProducerImpl.sendDefaultImpl, MQClientAPIImpl.onExceptionImpl, MQClientInstance.cleanOfflineBroker.
"""

from __future__ import annotations

import numpy as np

from simulator.client.view import QueueList, RouteHold, View
from simulator.compiled.jit import rule
from simulator.engine.memory.send import Attempt
from simulator.engine.memory.world import World
from simulator.engine.shared.threads import message_of, producer_of, row_at, row_count, view_of
from simulator.kernel.randomness import mix, signed


@rule(inlined=True)
def _hold_of(world: World, producer: int, topic: int) -> RouteHold:
    return world.route_holds[producer * world.settings.topics + topic]


@rule(inlined=True)
def _held_view(world: World, row: int, topic: int, generation: int) -> View:
    count = world.settings.held_count
    return world.held_views[(row * world.settings.topics + topic) * count + generation % count]


@rule()
def note_generation(world: World, send: Attempt) -> None:
    """The message is sent with what its producer knows now."""
    message_of(world, send).generation = _hold_of(world, producer_of(world, send), send.topic).generation_now


@rule()
def copy_queues(queues: QueueList, to: QueueList) -> None:
    """Copy one queue list over another."""
    to.count = queues.count
    to.mutated = queues.mutated
    for i in range(queues.count):
        queue, own = queues.queues[i], to.queues[i]
        own.broker = queue.broker
        own.queue_id = queue.queue_id


@rule()
def hold(world: World, producer: int, topic: int) -> None:
    """Keep what the producer knows of a topic, because something else is about to replace it."""
    own, auto = _hold_of(world, producer, topic), world.auto_topics[topic]
    generation = own.generation_now
    own.generation_now = generation + 1
    for place in range(row_count(world, producer)):
        row = row_at(world, producer, place)
        view, to = view_of(world, row, topic), _held_view(world, row, topic, generation)
        to.counter.value = view.counter.value
        to.counter.seeded = view.counter.seeded
        to.counter.random = signed(mix(np.uint64(~view.counter.random)))
        if auto.owns_queues == 0:
            to.queues = view.queues
        elif place == 0:
            copy_queues(view.queues, to.queues)
        if auto.is_created == 0:
            to.writes = view.writes
        elif place == 0:
            for broker in range(world.settings.brokers):
                writes, kept = view.writes.brokers[broker], to.writes.brokers[broker]
                kept.write_queue_nums = writes.write_queue_nums
                kept.is_writeable = writes.is_writeable


@rule()
def view_in_use(world: World, send: Attempt, row: int, view: View) -> View:
    """The view that the message began with; `view`: that of now, in that row of the views."""
    generation = message_of(world, send).generation
    if _hold_of(world, producer_of(world, send), send.topic).generation_now == generation:
        return view
    return _held_view(world, row, send.topic, generation)


@rule(inlined=True)
def view_again(world: World, send: Attempt) -> View:
    """What another attempt of an asynchronous message chooses from."""
    part = world.async_parts[send.number]
    view = view_of(world, part.view_row, send.topic)
    if world.settings.held_count > 0:
        view = view_in_use(world, send, part.view_row, view)
    return view
