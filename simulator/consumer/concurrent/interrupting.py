"""A shutdown interrupts what is being handled: it is sent back, and its offset is not reported, so it comes twice.

Source: rocketmq 4.7.1-5.3.3, ConsumeMessageConcurrentlyService.shutdown, ThreadUtils.shutdownGracefully (#7182).
"""

from __future__ import annotations

from simulator.compiled.jit import entry
from simulator.compiled.records import Us
from simulator.consumer.handling.send_back import send_back
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.fate import NO_TOPIC
from simulator.consumer.memory.instance import NOBODY


@entry
def interrupt_threads(world: ConsumerWorld, number: int, now_us: Us) -> int:
    """Send back what the threads of an instance are at, where its group sends back what fails."""
    instance = world.instances[number]
    handling = world.groups[instance.group].handling
    if handling.retry_topic == NO_TOPIC or handling.interrupted == 0:
        return 0
    for i in range(instance.workers):
        at = world.workers[instance.first_worker + i].first_task
        while at != NOBODY:
            send_back(world, instance, world.tasks[at], 1, now_us)
            at = world.tasks[at].next_task
    return 0
