"""What was stored before the run begins: messages of every log in order of time, consumed by those who are further."""

from __future__ import annotations

from simulator.compiled.jit import entry
from simulator.compiled.records import Cells
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.queue_log import SENDER_SHIFT, NewMessage
from simulator.consumer.queue_log.log_pages import append_message
from simulator.consumer.shared.queue_progress import progress_of
from simulator.kernel.randomness import STORED_BEFORE, hash3, signed

NO_SENDER = -1 << SENDER_SHIFT


@entry
def store_before(world: ConsumerWorld, counts: Cells, steps: Cells, body_bytes: Cells) -> int:
    """Store `counts` messages in each log, the last one step of us before the run; how many, in all.

    `body_bytes`: by topic. The groups' offsets are there already; there must be room. Nobody of the run sent them.
    """
    for log in range(world.settings.logs):
        world.marks[log] = 0  # messages that are stored
    number = 0
    while True:
        found, found_us = -1, 0
        for log in range(world.settings.logs):
            left = counts[log] - world.marks[log]
            if left > 0 and (found < 0 or -left * steps[log] < found_us):
                found, found_us = log, -left * steps[log]
        if found < 0:
            break
        log_of = world.logs[found]
        readers = 0
        for subscription in range(world.settings.subscriptions):
            own = world.subscriptions[subscription]
            if own.topic == log_of.topic and world.marks[found] < progress_of(world, subscription, found).committed:
                readers |= 1 << own.shift
        draw = signed(hash3(world.settings.seed, STORED_BEFORE, number))
        new = NewMessage(found_us, draw, NO_SENDER | number, readers, body_bytes[log_of.topic])
        append_message(world, log_of, new, found_us)
        world.marks[found] += 1
        number += 1
    for log in range(world.settings.logs):
        world.marks[log] = 0
        world.logs[log].appended = 0
    return number
