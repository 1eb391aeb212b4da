"""Receipt handles: what a client acknowledges, or makes invisible for longer, by way of its proxy.

A handle that nobody renews is invalid once its invisible time is over, and when the proxy's route has lost its broker.
A PushConsumer tries again every second until the answer is OK, or INVALID_RECEIPT_HANDLE.
Source: rocketmq-clients java 5.0.0-5.0.8, ProcessQueueImpl.ackMessage, .changeInvisibleDuration,
CustomizedBackoffRetryPolicy; rocketmq 5.3.3, proxy AbstractProcessor.validateReceiptHandle, ClusterMessageService.
"""

from __future__ import annotations

import numpy as np

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.broker.check_points import change_invisible
from simulator.consumer.broker.ordered_pops import acknowledge_popped
from simulator.consumer.links.proxy_choice import proxy_before, proxy_of
from simulator.consumer.memory.consumer_side import FAILED_TO_HANDLE, UNHEARD, CheckPoint
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.fate import HIDDEN, UNHANDLED
from simulator.consumer.memory.proxied.proxied_client import NO_PROXY
from simulator.consumer.proxied.routes_at_proxies import knows_broker

DONE = -1  # nothing is to be tried again
AGAIN_US = 1_000_000  # ACK_MESSAGE_FAILURE_BACKOFF_DELAY
TIMES_OUT_US = 3_000_000  # requestTimeout
EXPIRES_US = 120_000_000  # channelExpiredTimeout: a client without heartbeats is struck off
SCAN_US = 10_000_000  # of the proxy for such clients
# GroupRetryPolicy, CustomizedRetryPolicy: by delivery attempt, s
RETRY_DELAYS_S = np.array([1, 5, 10, 30, 60, 120, 180, 240, 300, 360, 420, 480, 540, 600, 1200, 1800, 3600, 7200])


@rule()
def retry_delay_us(attempt: int) -> Us:
    """How long a message stays invisible whose delivery of that number, from 1, failed."""
    return int(RETRY_DELAYS_S[min(attempt, len(RETRY_DELAYS_S)) - 1]) * 1_000_000


@rule()
def clears_at(world: ConsumerWorld, instance: int) -> Us:
    """When its proxy gives back what a client held that is not heard of any more."""
    return (world.proxied[instance].seen_us + EXPIRES_US) // SCAN_US * SCAN_US + SCAN_US


@rule()
def is_kept_by(world: ConsumerWorld, point: CheckPoint, proxy: int) -> bool:
    """Whether a proxy knows the newest handle of a message."""
    return proxy != NO_PROXY and point.keeper == proxy and point.keeper_lives == world.proxies[proxy].lives


@rule()
def is_invalid(world: ConsumerWorld, point: CheckPoint, now_us: Us) -> bool:
    """Whether the handle that a client has, or its proxy instead, is too old."""
    proxy = proxy_of(world, point.client, world.logs[point.log].broker)
    if is_kept_by(world, point, proxy) and point.renewals > 0:
        return point.is_listed == 0 or now_us >= point.revive_us
    group = world.instances[point.client].group
    return now_us >= point.popped_us + world.groups[group].pop.invisible_us


@rule()
def settle(world: ConsumerWorld, instance: int, point: CheckPoint, fate: int, now_us: Us) -> Us:
    """Acknowledge a message, or have one that failed come again; when to try again, DONE: it is over."""
    topic, broker = world.logs[point.log].topic, world.logs[point.log].broker
    proxy = proxy_before(world, instance, broker, now_us)
    if proxy == NO_PROXY:
        point.why = UNHEARD
        return now_us + AGAIN_US
    side = world.proxies[proxy]
    if side.stands_still == 1:
        return max(side.back_us, now_us + TIMES_OUT_US) + AGAIN_US
    if is_invalid(world, point, now_us):
        return DONE
    if not knows_broker(world, proxy, _topic_of(world, point, topic), broker, now_us):
        point.why = UNHEARD
        return DONE
    if point.renewals > 0 and not is_kept_by(world, point, proxy):
        return DONE  # of the handle before: the broker takes it, and the message comes again all the same
    if fate not in (HIDDEN, UNHANDLED):
        return DONE if acknowledge_popped(world, instance, point) else now_us + AGAIN_US
    point.why = FAILED_TO_HANDLE
    delay_us = retry_delay_us(point.reconsume_times + 1)
    return DONE if change_invisible(world, instance, point, delay_us, now_us) else now_us + AGAIN_US


@rule()
def _topic_of(world: ConsumerWorld, point: CheckPoint, topic: int) -> int:
    """The topic whose route a proxy looks at: of a retry that of the topic itself."""
    if world.subscriptions[point.subscription].is_retry == 0:
        return topic
    return world.subscriptions[point.origin].topic
