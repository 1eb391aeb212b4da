"""How POP groups pop, and where brokers have their queues and retries, as the machine reads it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from simulator.compiled.records import Array, Region
from simulator.compiled.region_store import columns, filled
from simulator.consumer.memory.consumer_group import ReadingGroup, SubscribedTopic
from simulator.consumer.memory.consumer_side import WAKES_ANY, WAKES_NONE, WAKES_SHARED, PopPlace, PopWaits
from simulator.consumer.memory.instance import NOBODY
from simulator.plan.consumers.subscriptions.subscription_plan import SubscriptionPlan
from simulator.releases.broker_release import BROKERS
from simulator.releases.consumer_release import ConsumerClient
from simulator.scenario import Scenario
from simulator.scenario.consuming.consumers import ConsumerGroup

WAKES = {"none": WAKES_NONE, "all queues": WAKES_SHARED, "any": WAKES_ANY}  # by wakes_pops_on_retry of a release


def put_pop(group: ReadingGroup, own: ConsumerGroup, client: ConsumerClient) -> None:
    """Fill what only a POP group has."""
    pop = group.pop
    pop.batch, pop.threshold = own.pop_batch_nums, own.pop_threshold_for_queue
    pop.share = own.pop_share_queue_num
    pop.invisible_us = own.pop_invisible_time_us
    pop.acknowledges_spent = int(client.acknowledges_spent)
    pop.timeout_us = client.pop_timeout_millis * 1000


def fresh_ordered_pops(groups: Array, progress: int) -> Array:
    """Region `ordered_pops` at the start: nothing is popped, and without groups that pop in order there is none."""
    rows = Region.of(ReadingGroup, groups)
    is_any = any(rows[number].pop.in_order for number in range(len(rows)))
    return np.full(progress if is_any else 0, NOBODY, np.int64)


def as_brokers_know(scenario: Scenario) -> Scenario:
    """The scenario with POP groups that pull where a broker knows no POP.

    Source: rocketmq 5.0.0-5.5.0, RebalanceImpl.tryQueryAssignment.
    """
    if all(BROKERS[broker.release].revive_interval is not None for broker in scenario.brokers.values()):
        return scenario
    groups = {
        name: own.model_copy(update={"consume_mode": "CONCURRENTLY"}) if own.is_pop else own
        for name, own in scenario.consumers.items()
    }
    return scenario.model_copy(update={"consumers": groups})


@dataclass(frozen=True)
class PoppingPlan:
    """Numbers of the subscriptions that pop, by topic; of each topic the place of its first, and how many it has."""

    subscriptions: Array
    first: Array
    counts: Array


def popping_by_topic(scenario: Scenario, heard: SubscriptionPlan, topics: int) -> PoppingPlan:
    """Which subscriptions pop each of so many topics, retry topics among them."""
    numbers = np.array([n for n, name in enumerate(heard.groups) if scenario.consumers[name].is_pop], np.int64)
    topic_of = heard.rows[numbers, columns(SubscribedTopic)["topic"]]
    counts = np.bincount(topic_of, minlength=topics)
    return PoppingPlan(numbers[np.argsort(topic_of, kind="stable")], np.cumsum(counts) - counts, counts)


def pop_places(
    scenario: Scenario, heard: SubscriptionPlan, topics: Sequence[str], numbers: Array, logs_of: Array,
    retried: Mapping[str, Sequence[str]],
) -> dict[str, Array]:  # fmt: skip
    """Regions `pop_places` and `pop_waits` at the start.

    `numbers`, `logs_of`: first log and number of logs by topic and broker.
    """
    popping, brokers = {name for name, own in scenario.consumers.items() if own.is_pop}, scenario.brokers.values()
    numbers = numbers.reshape(-1, len(brokers))
    if not popping:
        return {"pop_places": filled(PopPlace, 0), "pop_waits": filled(PopWaits, 0)}
    first, queues, retry = [], [], []
    for name, topic in zip(heard.groups, heard.topics, strict=True):
        readings = list(scenario.consumers[name].readings)
        is_popped = name in popping and topic in readings
        first.append(numbers[topics.index(topic)] if is_popped else np.full(len(brokers), -1))
        queues.append(logs_of[topics.index(topic)])
        of = topics.index(retried[name][readings.index(topic)]) if is_popped else 0
        retry.append(numbers[of] if is_popped else np.full(len(brokers), -1))
    sides = [BROKERS[broker.release] for broker in brokers]
    wheels = [bool(broker.timer_wheel_enable) for broker in brokers]
    count, times = len(heard.groups) * len(sides), len(heard.groups)
    return {
        "pop_places": filled(
            PopPlace, count, first_log=np.concatenate(first), queues=np.concatenate(queues),
            retry_log=np.concatenate(retry),
            retry_first_percent=np.tile([side.pop_from_retry_probability or 0 for side in sides], times),
            wakes_on_retry=np.tile([WAKES[side.wakes_pops_on_retry or "none"] for side in sides], times),
            wakes_filtered=np.tile([int(bool(side.wakes_pops_filtered)) for side in sides], times),
            wakes_unblocked=np.tile([int(bool(side.wakes_pops_unblocked)) for side in sides], times),
            wakes_on_rest=np.tile([int(bool(side.wakes_pops_on_rest)) for side in sides], times),
            from_memory=np.tile([int(bool(side.pops_from_memory)) for side in sides], times),
            all_retries=np.tile([int(bool(side.pops_all_retries)) for side in sides], times),
            descends=np.tile([int(bool(side.pops_descending)) for side in sides], times),
            revives=np.tile([int(on) for on in wheels], times),
            merges=np.tile([int(broker.enable_pop_buffer_merge) for broker in brokers], times),
            loses_younger=np.tile([int(bool(side.loses_younger_messages)) for side in sides], times),
            in_flight_most=np.tile([broker.in_flight_most for broker in brokers], times),
            refuses=np.tile(
                [int(bool(s.refuses_pops_without_wheel) and not on) for s, on in zip(sides, wheels, strict=True)], times
            ),
        ),
        "pop_waits": filled(
            PopWaits, count, first_wait=NOBODY, last_wait=NOBODY, first_point=NOBODY, last_point=NOBODY,
            first_revived=NOBODY,
        ),
    }  # fmt: skip
