"""Delayed messages of a replica set whose master goes: the next one delivers from where it copied last how far it was.

The messages themselves are in the commit log, which is copied all the time. How far they were delivered is copied every
so often: of the levels with the consumers' offsets, of the timer wheel every 3 s. What the old master delivered after
that is delivered again. So it is where a slave acts for its master with enableRemoteEscape: what is due goes to another
broker (EscapeBridge.putMessage); without that key each put is refused, and the master delivers as it is back.

Source: rocketmq 4.5.0-5.5.0, SlaveSynchronize.syncDelayOffset and .syncTimerCheckPoint, ScheduleMessageService.start,
TimerMessageStore.syncLastReadTimeMs, BrokerController.changeSpecialServiceStatus.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.delay_queue import NO_QUEUE
from simulator.consumer.schedule.delivering import start_delivering
from simulator.engine.memory.settings import FAR


@rule()
def copy_progress(world: ConsumerWorld, broker: int, is_wheel: int) -> None:
    """The slaves of a set copy how far its master has delivered its levels, or (1) its timer wheel."""
    service = world.delay_services[broker]
    for number in range(service.first_queue, service.first_queue + service.queues):
        queue = world.delay_queues[number]
        if queue.slave_offset < FAR and (queue.precision_us > 0) == (is_wheel == 1):
            queue.slave_offset = queue.kept_offset


@rule()
def deliver_as_new_master(world: ConsumerWorld, broker: int, now_us: Us) -> None:
    """A slave becomes the master: whatever the old one had written down does not count."""
    service = world.delay_services[broker]
    for number in range(service.first_queue, service.first_queue + service.queues):
        queue = world.delay_queues[number]
        queue.next_offset = min(queue.slave_offset, queue.max_offset)
        queue.kept_offset = queue.next_offset
        queue.flushed_offset = queue.next_offset
        queue.read_page = queue.first_page
        queue.task_us = FAR
    for number in range(service.first_deliverer, service.first_deliverer + service.deliverers):
        world.deliverers[number].at_us = FAR
        world.deliverers[number].working = NO_QUEUE
    start_delivering(world, broker, now_us)
