"""Scaling a group by its lag, as KEDA's Kafka scaler with the HorizontalPodAutoscaler does.

The lag that counts is at most threshold times the number of queues (allowIdleConsumers false), or of the queues that
have a lag (limitToPartitionsWithLag). KEDA divides whole numbers, so a lag of less than a threshold above that has one
instance more than queues. The group's retry topic adds to the lag, but is no queue to run an instance for.

Source: KEDA, ScaledObject (pollingInterval, minReplicaCount, maxReplicaCount) and kafka_scaler.go, getTotalLag
(lagThreshold: lag for each instance).
Source: kubernetes HorizontalPodAutoscaler: instances = lag / threshold rounded up, nothing within a tolerance of 10 %,
and down only to the most that was recommended in the stabilization window, here `cooldown`.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.client.life import start, stop
from simulator.consumer.memory.consumer_group import CAP_LAGGING, NO_CAP
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.shared.queue_progress import progress_of

TOLERANCE = 10  # one part in so many of the instances that run


@rule()
def capped(lag: int, threshold: int, queues: int) -> int:
    """The lag that counts where queues limit the instances; the division drops its remainder, as KEDA's does."""
    return queues * threshold if lag // threshold > queues else lag


@rule()
def counted_lag(world: ConsumerWorld, group: int) -> int:
    """Messages that are stored and not committed, as an exporter sees them, within what the queues limit them to."""
    own, lag, queues, lagging = world.groups[group], 0, 0, 0
    for subscription in range(own.first_subscription, own.first_subscription + own.subscriptions):
        subscribed = world.subscriptions[subscription]
        topic = world.log_topics[subscribed.topic]
        queues += topic.logs * (1 - subscribed.is_retry)
        for log in range(topic.first_log, topic.first_log + topic.logs):
            committed = max(progress_of(world, subscription, log).committed, 0)
            behind = max(world.logs[log].max_offset - committed, 0)
            lag += behind
            lagging += 1 if behind > 0 and subscribed.is_retry == 0 else 0
    if own.scale_cap == NO_CAP:
        return lag
    return capped(lag, own.scale_threshold, lagging if own.scale_cap == CAP_LAGGING else queues)


@rule()
def recommended(lag: int, threshold: int, running: int, least: int, most: int) -> int:
    """Instances for a lag."""
    wanted = running if abs(lag - threshold * running) * TOLERANCE <= threshold * running else -(-lag // threshold)
    return min(max(wanted, least), most)


@rule()
def scale(world: ConsumerWorld, group: int, now_us: Us) -> None:
    """Look at the lag, and start or stop instances."""
    own, scaler, running = world.groups[group], world.scalers[group], 0
    for number in range(own.first_instance, own.first_instance + own.instances):
        running += world.instances[number].is_up
    wanted = recommended(counted_lag(world, group), own.scale_threshold, running, own.scale_least, own.instances)
    if wanted >= running:
        scaler.below_since_us = now_us
        scaler.most_since = 0
        number = own.first_instance
        while running < wanted:
            if world.instances[number].is_up == 0:
                start(world, number, now_us)
                running += 1
            number += 1
        return
    scaler.most_since = max(scaler.most_since, wanted)
    if now_us - scaler.below_since_us < own.scale_cooldown_us:
        return
    number = own.first_instance + own.instances - 1
    while running > scaler.most_since:
        if world.instances[number].is_up == 1:
            stop(world, number, now_us)
            running -= 1
        number -= 1
    scaler.below_since_us = now_us
    scaler.most_since = 0
