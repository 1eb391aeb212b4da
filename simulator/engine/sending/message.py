"""A message as the workload draws it: body, key, and whether the client's checks let it pass.

Everything follows from the message's own draw, so a block of arrivals needs no column for it.
"""

from __future__ import annotations

import numpy as np

from simulator import codes
from simulator.compiled.jit import rule
from simulator.engine.broker.orders import key_order_of
from simulator.engine.memory.send import Message
from simulator.engine.memory.topic import Topic
from simulator.engine.memory.world import World
from simulator.engine.senders.batches import BATCH_OVERHEAD_BYTES
from simulator.engine.shared.threads import client_of, kind_of
from simulator.kernel.latency import service_us
from simulator.kernel.randomness import MESSAGE_KEY, MESSAGE_SIZE, hash3, signed

MESSAGE_ILLEGAL = codes.RESPONSE_CODES["MESSAGE_ILLEGAL"]
PASSED = 0

PPM = 1_000_000


@rule()
def _word(draw: int, purpose: int) -> int:
    """32 random bits of a message for that purpose."""
    return signed(hash3(draw, purpose, 0) >> np.uint64(32))


@rule()
def _key_of(world: World, topic: Topic, draw: int) -> int:
    """Number of the message's key: all as likely, or by the table of the topic."""
    word, count = _word(draw, MESSAGE_KEY), topic.key_count
    if topic.first_key < 0:
        return word * count >> 32
    low, high = 0, count - 1
    while low < high:
        middle = (low + high) >> 1
        if word < world.keys[topic.first_key + middle]:
            high = middle
        else:
            low = middle + 1
    return low


@rule()
def fill_message(world: World, message: Message) -> int:
    """Give the message its body and key: PASSED, or the code of the MQClientException that refuses it.

    Source: rocketmq 4.2.0-5.3.3, Validators.checkMessage (the body's size before compression, a batch as a whole) and
    DefaultMQProducerImpl.tryToCompressMessage (no batches).
    """
    topic, client = world.topics[message.topic], client_of(world, message.thread)
    body_bytes = topic.constant_bytes
    if topic.size_table >= 0:
        body_bytes = max(service_us(world.sizes[topic.size_table].edges, _word(message.draw, MESSAGE_SIZE)), 1)
    batch = kind_of(world, message.thread).batch
    if batch > 1:
        body_bytes = batch * (body_bytes + BATCH_OVERHEAD_BYTES)
    message.body_bytes = body_bytes
    message.message_bytes = body_bytes
    if batch == 1 and body_bytes >= client.compress_over_bytes:
        message.message_bytes = max(body_bytes * topic.compress_ppm // PPM, 1)
    message.key = -1
    if topic.key_count > 0:
        message.key = _key_of(world, topic, message.draw)
    if world.names_refused[world.threads[message.thread].group * world.settings.topics + message.topic] == 1:
        return codes.NO_CODE
    if body_bytes > client.max_message_bytes:
        return MESSAGE_ILLEGAL
    if topic.first_order >= 0:
        order = world.key_orders[key_order_of(world, message)]
        message.key_seq = order.sent
        order.sent += 1
    return PASSED
