"""A group of PushConsumers that consumes in order (FIFO): the messages of an answer are handled one after the other.

A message that fails is handled again by the same client, after 1 s, 5 s, 10 s ... by its attempts, and holds up what
came with it. After the last attempt the client has its proxy forward it to the dead letters. Whatever the client does,
its messages are visible again when their invisible time is over, if proxies do not renew it: then others get them, too.
Source: rocketmq-clients java 5.0.0-5.0.8, FifoConsumeService, ProcessQueueImpl.eraseFifoMessage.
"""

from __future__ import annotations

from dataclasses import replace

from simulator.compiled.jit import entry
from simulator.compiled.records import Us
from simulator.consumer.handling.failing import first_failed
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.fate import DEAD_LETTER, SUSPENDED
from simulator.consumer.proxied.push_consumption import PUSHING
from simulator.consumer.proxied.receipts import retry_delay_us
from simulator.consumer.proxied.received_batches import (
    count_received,
    note_fate,
    settle_received,
    take_next_received,
    wait_until,
)


@entry
def end_in_turn(world: ConsumerWorld, number: int, now_us: Us) -> int:
    """A listener returns: its message is settled, or handled again later; the thread takes whatever waits."""
    worker = world.workers[number]
    first, instance = worker.first_task, world.instances[worker.instance]
    task, most = world.tasks[first], world.groups[instance.group].handling.most_reconsumes
    if first_failed(world, instance, first) > 0:
        note_fate(world, number, DEAD_LETTER, now_us)
    else:
        task.fate = SUSPENDED if task.reconsume_times < most else DEAD_LETTER
    count_received(world, number, now_us)
    if task.fate == SUSPENDED:
        task.reconsume_times += 1
        wait_until(world, worker.instance, first, now_us + retry_delay_us(task.reconsume_times))
    else:
        settle_received(world, worker.instance, first, now_us)
    take_next_received(world, instance, number, now_us)
    return 0


PUSHING_IN_ORDER = replace(PUSHING, ended=end_in_turn)
