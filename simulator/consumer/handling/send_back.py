"""A message that failed goes back: to the retry topic behind a delay level, or to the dead letters.

Source: rocketmq 4.2.0-5.3.3, DefaultMQPushConsumerImpl.sendMessageBack, SendMessageProcessor.asyncConsumerSendMsgBack
(AbstractSendMessageProcessor.consumerSendMsgBack from 5.0.0), SendMessageProcessor.handleRetryAndDLQ.
"""

from __future__ import annotations

from typing import NamedTuple

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.broker.appending import store_message
from simulator.consumer.handling.handled_before import came_again
from simulator.consumer.links.reaching import reaches
from simulator.consumer.memory.consume_task import ConsumeTask
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.fate import (
    AGAIN_LOCALLY,
    DEAD_LETTER,
    LEVELS_COUNTED,
    LOST_QUEUE,
    NOT_SENT_BACK,
    RESENT,
    SENT_BACK,
    SUSPENDED,
    FailedHandling,
)
from simulator.consumer.memory.instance import NOBODY, Instance
from simulator.consumer.memory.queue_log import NewMessage
from simulator.consumer.queue_log.consumptions import retry_counts
from simulator.consumer.rules.process_queue import cached_place
from simulator.consumer.schedule.delivering import delay
from simulator.consumer.shared.holdings import queue_of
from simulator.kernel.randomness import RETRY_BROKER, below, hash4

BROKER_CHOOSES = 0  # delayLevelWhenNextConsume: the level is that of the n-th retry
FIRST_LEVEL = 3  # of the first retry
EXPIRED_LEVEL = 3  # of what a sweep for consumeTimeout sends back
AT_ONCE = -1  # delayLevelWhenNextConsume: a dead letter


class WayBack(NamedTuple):
    """How a message goes back."""

    broker: int
    level: int  # delay level that is asked for, below 0: it is a dead letter
    is_handled: int  # 1: the group will have handled it where it was


@rule()
def send_back(world: ConsumerWorld, instance: Instance, task: ConsumeTask, is_handled: int, now_us: Us) -> int:
    """Send a message back that was not handled, or that its queue gives to the group again (is_handled); its fate."""
    holding = world.holdings[task.holding]
    own = world.groups[instance.group].handling
    if holding.is_dropped == 1:
        return LOST_QUEUE
    if own.only_held == 1 and cached_place(queue_of(world, task.holding), task.offset) < 0:
        return NOT_SENT_BACK
    return _give(world, instance, task, WayBack(NOBODY, own.next_level, is_handled), now_us)


@rule()
def send_expired(world: ConsumerWorld, instance: Instance, task: ConsumeTask, now_us: Us) -> int:
    """Send a message back whose handling takes too long; its fate."""
    return _give(world, instance, task, WayBack(NOBODY, EXPIRED_LEVEL, 0), now_us)


@rule()
def _give(world: ConsumerWorld, instance: Instance, task: ConsumeTask, way: WayBack, now_us: Us) -> int:
    """To the broker of the message, or else to any."""
    own = world.groups[instance.group].handling
    broker = world.logs[world.holdings[task.holding].log].broker
    if reaches(world, world.holdings[task.holding].instance, broker):
        is_dead = task.reconsume_times >= own.most_reconsumes
        back = WayBack(broker, AT_ONCE if is_dead else way.level, way.is_handled)
        return _store(world, instance, task, back, now_us)
    return _resend(world, instance, task, way.is_handled, now_us)


@rule()
def give_up(world: ConsumerWorld, instance: Instance, task: ConsumeTask, now_us: Us) -> int:
    """An orderly client sends a message that failed too often to its retry topic; SUSPENDED: no broker took it.

    The broker makes a dead letter of it if the tries that the client counts are too many.
    """
    own = world.groups[instance.group].handling
    tries = task.reconsume_times + own.counts_last_try
    broker = _broker_that_answers(world, own, task)
    if broker < 0:
        return SUSPENDED
    is_dead = tries >= own.most_reconsumes + 1 - world.serving[broker].counts_sent_retry_sooner
    return _store(world, instance, task, WayBack(broker, AT_ONCE if is_dead else BROKER_CHOOSES, 0), now_us)


@rule()
def _broker_that_answers(world: ConsumerWorld, own: FailedHandling, task: ConsumeTask) -> int:
    """A broker that the client can send to, the first drawn; -1: none."""
    brokers = world.settings.brokers
    first = below(hash4(world.settings.seed, RETRY_BROKER, task.draw, task.reconsume_times), brokers)
    instance = world.holdings[task.holding].instance
    for i in range(brokers):
        broker = (first + i) % brokers
        if _log_of(world, own.retry_topic, broker) >= 0 and reaches(world, instance, broker):
            return broker
    return -1


@rule()
def _resend(world: ConsumerWorld, instance: Instance, task: ConsumeTask, is_handled: int, now_us: Us) -> int:
    """The client sends the message itself, to any broker of its retry topic that answers."""
    own = world.groups[instance.group].handling
    broker = _broker_that_answers(world, own, task)
    if broker < 0:
        return AGAIN_LOCALLY
    counts_sooner = world.serving[broker].counts_sent_retry_sooner
    is_dead = task.reconsume_times + 1 >= own.most_reconsumes + 1 - counts_sooner
    back = WayBack(broker, AT_ONCE if is_dead else BROKER_CHOOSES, is_handled)
    fate = _store(world, instance, task, back, now_us)
    return fate if fate == DEAD_LETTER else RESENT


@rule(inlined=True)
def _log_of(world: ConsumerWorld, topic: int, broker: int) -> int:
    return world.log_numbers[topic * world.settings.brokers + broker]


@rule()
def retry_level(asked: int, reconsume_times: int) -> int:
    """Delay level of the retry after that many: the one asked for, or the broker's."""
    return FIRST_LEVEL + reconsume_times if asked == BROKER_CHOOSES else asked


@rule()
def _store(world: ConsumerWorld, instance: Instance, task: ConsumeTask, way: WayBack, now_us: Us) -> int:
    """What the broker does with a message that comes back."""
    broker, holding = way.broker, world.holdings[task.holding]
    own = world.groups[instance.group].handling
    tally = world.tallies[instance.group]
    origin = task.origin - world.groups[instance.group].first_subscription
    times = task.reconsume_times + own.counts_last_try
    subscription, log = world.subscriptions[holding.subscription], world.logs[holding.log]
    was_handled = max(way.is_handled, came_again(world, subscription, log, task))
    counts = retry_counts(times, origin, was_handled)
    new = NewMessage(task.arrival_us, task.draw, task.sender, counts, task.body_bytes)
    if way.level < 0:
        tally.dead_letters += 1
        dead = _log_of(world, own.dead_topic, broker)
        if world.serving[broker].delays_dead_letters == 1 and task.reconsume_times > 0:
            # it still has the delay level of its last retry
            delay(world, broker, retry_level(own.next_level, task.reconsume_times - 1), dead, new, now_us)
        else:
            store_message(world, dead, new, now_us)
        return DEAD_LETTER
    level = retry_level(way.level, task.reconsume_times)
    counted = min(level, world.delay_services[broker].levels, LEVELS_COUNTED - 1)
    world.sent_back[instance.group * LEVELS_COUNTED + counted] += 1
    tally.sent_back += 1
    delay(world, broker, level, _log_of(world, own.retry_topic, broker), new, now_us)
    return SENT_BACK
