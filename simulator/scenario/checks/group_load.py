"""What the consumer groups of a scenario have to handle, and what they can: from rates and service times alone.

A group's capacity is the load at which its busiest instance, or in an orderly group its busiest queue, is at work all
the time. Faults, pulls and retries after several deliveries are left out, and queues that a hash of keys fills unevenly
but for the most frequent key.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from simulator.kernel.latency import Table, mean_us
from simulator.scenario.checks.taken_messages import taken_of
from simulator.scenario.checks.utilisation import moments_us, reachable_rate_per_s
from simulator.scenario.consuming.consumers import ConsumerGroup, queues_of
from simulator.scenario.producers import ProducerGroup
from simulator.scenario.scenario import Scenario

EVENLY = ("AVG", "AVG_BY_CIRCLE")
DELIVERIES_MOST = 100.0  # of a message, on average, where nearly all fail


@dataclass(frozen=True)
class GroupLoad:
    """What a group has to handle and can, messages a second, and the messages behind that follow from it.

    at_us: since when it gets more than it can handle, -1: never; load_per_s, capacity_per_s: then; behind_most: the
    most messages that are stored and not consumed, at most_us; behind_end: at the end; end_per_s: load at the end.
    """

    at_us: int
    load_per_s: float
    capacity_per_s: float
    behind_most: float
    most_us: int
    behind_end: float
    end_per_s: float


def topic_rate_per_s(scenario: Scenario, topic: str, at_us: int) -> float:
    """Messages a second that become readable in a topic, if all that are sent are stored."""
    return sum(_sent_per_s(scenario, group, topic, at_us) for group in scenario.producers)


def _sent_per_s(scenario: Scenario, group: ProducerGroup, topic: str, at_us: int) -> float:
    weights: Mapping[str, int] = group.topics
    if topic not in weights:
        return 0.0
    if group.arrivals == "closed":
        per_s = group.threads * group.batch * 1e6 / scenario.loop_us(group)
    else:
        per_s = float(group.rate_at(at_us))
        if group.mode == "sync" and scenario.brokers:
            per_s = min(per_s, reachable_rate_per_s(scenario, group))
    share = weights[topic] / sum(weights.values())
    return per_s * group.count * share * _committed_share(group)


def _committed_share(group: ProducerGroup) -> float:
    """Which part of a group's messages its transactions make readable."""
    if group.transaction is None:
        return 1.0
    outcome, check = group.transaction.outcome, group.transaction.check
    found = check.get("commit", 0) / sum(check.values())
    return (outcome.get("commit", 0) + outcome.get("unknown", 0) * found) / sum(outcome.values())


@dataclass(frozen=True)
class TakenAlike:
    """Messages of a topic that a group takes alike: how many a second, and the table of how long a thread is at one."""

    topic: str
    per_s: float
    service_us: Table


def kinds_at(scenario: Scenario, group: ConsumerGroup, at_us: int) -> list[TakenAlike]:
    """What a group takes at a moment, by topic and tag."""
    found = []
    for topic, reading in group.readings.items():
        rate = topic_rate_per_s(scenario, topic, at_us)
        for tag, share in taken_of(scenario, topic, reading).items():
            own = reading.service_of_tags.get(tag) if tag is not None else None
            service = own or reading.service or group.service
            found.append(TakenAlike(topic, rate * share, service.service_table_us()))
    return found


def load_at(scenario: Scenario, group: ConsumerGroup, at_us: int) -> tuple[float, float]:
    """Messages a second that a group takes at a moment, and how many threads they keep at work on average."""
    per_s, busy = 0.0, 0.0
    for kind in kinds_at(scenario, group, at_us):
        per_s += kind.per_s
        busy += kind.per_s * mean_us(kind.service_us) / 1e6
    return per_s, busy * deliveries(group)


def handled_per_s(scenario: Scenario, group: ConsumerGroup, at_us: int) -> float:
    """Deliveries a second that all instances of a group handle at a moment: what they get, at most what they can."""
    per_s, busy = load_at(scenario, group, at_us)
    if busy == 0:
        handled = per_s * (group.count if group.is_broadcasting else 1)
    else:
        servers = servers_of(scenario, group)
        handled = sum(min(share * per_s, threads * per_s / busy) for share, threads in servers)
    return handled * deliveries(group)


def deliveries(group: ConsumerGroup) -> float:
    """Deliveries of a message, on average, where some fail by chance."""
    fails = 0.0 if group.fails is None or group.is_broadcasting else group.fails / 1e6
    return min(1.0 / (1.0 - fails), DELIVERIES_MOST) if fails < 1 else DELIVERIES_MOST


Servers = list[tuple[float, int]]


def instances_of(scenario: Scenario, group: ConsumerGroup) -> int:
    """Instances that run at most: scaled by lag, no more than queues unless a key says so."""
    if group.autoscale is None or group.autoscale.allow_idle_consumers:
        return group.instances
    queues = len(queues_of(group, scenario.topics, list(scenario.brokers)))
    return min(group.instances, max(queues, group.autoscale.least, group.count))


def servers_of(scenario: Scenario, group: ConsumerGroup) -> Servers:
    """Who handles a group's messages, share and threads of each: instances, or the queues of a group in order."""
    if group.is_broadcasting:
        return [(1.0, group.threads)] * group.count
    instances = instances_of(scenario, group)
    if group.is_pop and not group.mode.in_order:
        return [(1 / instances, group.threads)] * instances  # nobody owns a queue
    queues = queues_of(group, scenario.topics, list(scenario.brokers))
    by_topic = {topic: sum(1 for name, _, _ in queues if name == topic) for topic in group.readings}
    most = max(by_topic.values(), default=1) or 1
    held = [most // instances + (number < most % instances) for number in range(max(instances, 1))]
    if group.strategy not in EVENLY or len(by_topic) > 1:
        held = [most] * min(instances, most)
    total = sum(held)
    found: Servers = []
    for count in (own for own in held if own > 0):
        if group.mode.in_order and count <= group.threads:
            found += [(1 / total, 1)] * count
        else:
            found.append((count / total, group.threads))
    return _with_hot(found, hot_share(scenario, group))


def _with_hot(servers: Servers, hot: float) -> Servers:
    """The same where one of them gets a share of `hot` at least."""
    (first, threads), others = servers[0], servers[1:]
    if hot <= first:
        return servers
    rest = (1 - hot) / (1 - first) if first < 1 else 0.0
    return [(hot, threads), *((share * rest, own) for share, own in others)]


def hot_share(scenario: Scenario, group: ConsumerGroup) -> float:
    """The least share of a group's messages that lies in one queue, because they have the same key; 0 without keys."""
    if len(group.readings) != 1:
        return 0.0
    (topic,) = group.readings
    senders = [own for own in scenario.producers if topic in own.topics]
    keys = scenario.topics[topic].message_keys
    if keys is None or not senders or any(own.selector.kind != "hash" for own in senders):
        return 0.0
    weights = np.arange(1, keys.count + 1, dtype=np.float64) ** -keys.skew
    return float(weights[0] / weights.sum())


def group_load(scenario: Scenario, group: ConsumerGroup) -> GroupLoad:
    """The load and the capacity of a group over the run, as if messages flowed evenly."""
    servers = servers_of(scenario, group)
    edges = [*moments_us(scenario), scenario.duration_us]
    waiting, first = [0.0] * len(servers), (-1, 0.0, 0.0)
    most, most_us, per_s, each_s = 0.0, 0, 0.0, 0.0
    for begin_us, end_us in pairwise(edges):
        per_s, busy = load_at(scenario, group, begin_us)
        each_s = busy / per_s if per_s > 0 else each_s
        if each_s == 0:
            continue
        capacity = min(threads / share for share, threads in servers if share > 0) / each_s
        if per_s > capacity and first[0] < 0:
            first = (begin_us, per_s, capacity)
        length_s = (end_us - begin_us) / 1e6
        waiting = [
            max(behind + (share * per_s - threads / each_s) * length_s, 0.0)
            for behind, (share, threads) in zip(waiting, servers, strict=True)
        ]
        if sum(waiting) > most:
            most, most_us = sum(waiting), end_us
    return GroupLoad(*first, most, most_us, sum(waiting), per_s)
