"""Whether a subscription takes a message: the broker compares codes of tags, the client the tags themselves; SQL92
expressions only the broker evaluates.

Source: rocketmq 4.2.0-5.3.3, ExpressionMessageFilter.isMatchedByConsumeQueue, PullAPIWrapper.processPullResult,
DefaultMQPushConsumerImpl.correctTagsOffset.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.consumer.memory.consumer_group import BY_PROPERTIES, TAKES_ALL, SubscribedTopic, TagReading
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.held_queue import Holding
from simulator.consumer.memory.queue_log import StoredMessage
from simulator.consumer.queue_log.consumptions import count_consumption, times_in
from simulator.consumer.queue_log.log_pages import message_in, page_of
from simulator.consumer.queue_log.message_tags import tag_of
from simulator.consumer.queue_log.property_filter import takes
from simulator.consumer.shared.queue_progress import progress_of

SCANNED_MAX = 800  # entries of a queue that a broker looks at for one pull: 16,000 bytes of 20 each


@rule(inlined=True)
def reading_of(world: ConsumerWorld, own: SubscribedTopic, draw: int) -> TagReading:
    """What a subscription does with the tag of a message."""
    return world.tag_readings[own.first_tag + tag_of(world, own.topic, draw)]


@rule()
def is_passed(world: ConsumerWorld, subscription: int, message: StoredMessage) -> bool:
    """Whether the broker gives the message to the subscription."""
    own = world.subscriptions[subscription]
    if own.filters == BY_PROPERTIES:
        return takes(world, own, message)
    return own.filters == TAKES_ALL or reading_of(world, own, message.draw).is_passed == 1


@rule()
def is_kept(world: ConsumerWorld, subscription: int, message: StoredMessage) -> bool:
    """Whether the client hands over what the broker may have passed."""
    own = world.subscriptions[subscription]
    if own.filters == BY_PROPERTIES:
        return takes(world, own, message)
    return own.filters == TAKES_ALL or reading_of(world, own, message.draw).is_kept == 1


@rule()
def finds_one(world: ConsumerWorld, number: int) -> bool:
    """Whether something was appended, since the broker looked last, that ends the hold of a pull."""
    holding = world.holdings[number]
    if world.subscriptions[holding.subscription].filters == TAKES_ALL:
        return True
    log = world.logs[holding.log]
    page = holding.page
    for offset in range(max(holding.looked, holding.offset), log.max_offset):
        page = page_of(world, log, offset, page)
        if is_passed(world, holding.subscription, message_in(world.pages[page], offset)):
            return True
    holding.looked = log.max_offset
    return False


@rule()
def pass_over(world: ConsumerWorld, holding: Holding, message: StoredMessage) -> None:
    """A message that the subscription of a held queue does not take is behind the group."""
    pass_over_at(world, holding.subscription, holding.log, message)


@rule()
def pass_over_at(world: ConsumerWorld, subscription: int, log: int, message: StoredMessage) -> None:
    """A message of a log is behind the group unless that has consumed it: it is no backlog any more."""
    own = world.subscriptions[subscription]
    if times_in(message.counts, own) == 0:
        count_consumption(message, own.shift, own.times_max)
        progress_of(world, subscription, log).first_times += 1


@rule()
def service_of(world: ConsumerWorld, subscription: int, draw: int) -> int:
    """Number of the table of times at a message."""
    own = world.subscriptions[subscription]
    if own.times_by_tag == 0:
        return own.service
    return reading_of(world, own, draw).service
