"""What was stored before the run begins, and how far each group has consumed it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from simulator.compiled.records import Array, size_of
from simulator.consumer.allocation.names import Queue
from simulator.consumer.memory.queue_log import QueueLog
from simulator.plan.consumers.subscriptions.subscription_plan import EVERY, SubscriptionPlan
from simulator.scenario import Scenario
from simulator.scenario.consuming.consumers import queues_of
from simulator.scenario.consuming.group_backlog import backlog_of_queues, rates_at_the_begin, rates_of_queues
from simulator.scenario.topics import Topic
from simulator.units import US_PER_S

STEP_US = 1_000  # between two messages of a queue that gets nothing as the run begins
NO_OFFSET = -1


@dataclass(frozen=True)
class BacklogPlan:
    """By log, `counts` messages, one every `steps` us up to the begin of the run; by topic, `body_bytes` of each.

    committed: by place in the region `progress`, the offset of the group; NO_OFFSET where it has none.
    """

    counts: Array
    steps: Array
    body_bytes: Array
    committed: Array

    @property
    def oldest_us(self) -> int:
        """Age of the oldest message as the run begins."""
        return int((self.counts * self.steps).max(initial=0))


def backlog_plan(
    scenario: Scenario, topics: Sequence[str], logs: Array, heard: SubscriptionPlan, absent: Array
) -> BacklogPlan | None:
    """The plan, None where no group has a backlog. `heard`: the subscriptions; `absent`: instances that join later.

    A group without one has consumed everything, if it runs; messages are as far apart as those of the run.
    """
    brokers, rates = list(scenario.brokers), rates_at_the_begin(scenario.producers)
    behind = {
        name: backlog_of_queues(own.backlog, rates_of_queues(queues_of(own, scenario.topics, brokers), rates))
        for name, own in scenario.consumers.items()
        if own.backlog is not None
    }
    if not behind:
        return None
    rows = logs.reshape(-1, size_of(QueueLog))
    names: list[Queue] = [(topics[topic], brokers[broker], queue) for topic, broker, queue in rows[:, 1:4].tolist()]
    counts = np.array([max(own.get(name, 0) for own in behind.values()) for name in names], np.int64)
    of_queue: dict[Queue, Fraction] = {}
    for own in scenario.consumers.values():
        of_queue |= rates_of_queues(queues_of(own, scenario.topics, brokers), rates)
    steps = [int(US_PER_S / of_queue[name]) if of_queue.get(name) else STEP_US for name in names]
    present = _present(scenario, absent)
    committed = []
    for group, topic, instance in zip(heard.groups, heard.topics, heard.instances, strict=True):
        runs = any(present[group]) if instance == EVERY else present[group][instance]
        committed += [
            count - behind[group].get(name, 0) if group in behind else count if runs else NO_OFFSET
            for name, count in zip(names, counts.tolist(), strict=True)
            if name[0] == topic
        ]
    return BacklogPlan(
        counts=counts,
        steps=np.maximum(np.array(steps, np.int64), 1),
        body_bytes=np.array([_median_bytes(scenario.topics.get(name)) for name in topics], np.int64),
        committed=np.array(committed, np.int64),
    )


def _present(scenario: Scenario, absent: Array) -> dict[str, list[bool]]:
    """Whether each instance of each group runs as the run begins."""
    away, first, found = set(absent.tolist()), 0, {}
    for name, own in scenario.consumers.items():
        found[name] = [number not in away for number in range(first, first + own.instances)]
        first += own.instances
    return found


def _median_bytes(topic: Topic | None) -> int:
    if topic is None:  # of retries
        return 0
    sizes = topic.message_bytes
    return sizes.constant_bytes or int(sizes.table_bytes()[len(sizes.table_bytes()) // 2])
