"""The commit logs of brokers, and the logs of their queues, as the consumer machine reads them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from simulator.compiled.records import Array
from simulator.compiled.region_store import filled
from simulator.consumer.memory.queue_log import NO_PAGE, QueueLog, StoreRules
from simulator.engine.memory.settings import FAR
from simulator.kernel.latency import WORDS, service_us
from simulator.plan.route_plan import RoutePlan
from simulator.releases.broker_release import BROKERS
from simulator.scenario import Broker, Scenario
from simulator.scenario.consuming.sql_filter import mix_of

# an entry of the commit log without body and topic: 91 bytes of fields, and the properties UNIQ_KEY and WAIT
ENTRY_BYTES = 91 + 42 + 10
MEDIAN = WORDS // 2
TAKES_BACK = ("power_loss", "disk_loss")
SETTLES_US = 120_000_000
SET_SYNC_US = 12_000_000


def store_rules(scenario: Scenario) -> Array:
    """Region `store_rules`: what each broker's settings say about its commit log, and about reading it."""
    brokers, is_named = scenario.brokers.values(), scenario.name_servers.support_acting_master
    return filled(
        StoreRules, len(brokers),
        file_bytes=[broker.mapped_file_size_commit_log_bytes for broker in brokers],
        reserved_us=[broker.file_reserved_time_us for broker in brokers],
        hours=[broker.hours for broker in brokers],
        disk_bytes=[broker.disk_bytes or 0 for broker in brokers],
        disk_percent=[broker.disk_max_used_space_ratio for broker in brokers],
        memory_bytes=[broker.in_memory_bytes for broker in brokers],
        cache_bytes=[broker.memory_bytes or 0 for broker in brokers],
        disk_read_us=[broker.disk_read_us for broker in brokers],
        pull_us=[broker.pull_latency_us for broker in brokers],
        pop_us=[broker.pop_latency_us for broker in brokers],
        slaves=[broker.slaves for broker in brokers],
        slave_sync_us=[_slave_sync_us(broker) for broker in brokers],
        revive_us=[broker.revive_interval_us if broker.rules.revive_interval else 0 for broker in brokers],
        revive_slow=[broker.revive_max_slow for broker in brokers],
        slave_is_named=[int(broker.is_acted_for and is_named) for broker in brokers],
        elects=[int(broker.is_elected) for broker in brokers],
        escapes=[int(broker.escapes) for broker in brokers],
        op_batch_us=[1000 * (broker.rules.transaction_op_batch_interval or 0) for broker in brokers],
        slave_read=[int(broker.slave_read_enable) for broker in brokers],
        property_filter=[int(broker.enable_property_filter) for broker in brokers],
        keeps_answers=[int(broker.keeps_filter_answers) for broker in brokers],
        filter_us=[broker.filter_latency_us for broker in brokers],
        slave_us=[_slave_us(broker) for broker in brokers],
    )  # fmt: skip


def _slave_us(broker: Broker) -> int:
    """How far behind a slave is from which consumers read: the first one."""
    latency = broker.machine_latencies[1] if broker.machine_latencies else broker.slave_latency
    return service_us(latency.service_table_us(), MEDIAN)


def _slave_sync_us(broker: Broker) -> int:
    """How often a slave copies offsets: in a set of 5.0.0 and later in ticks of 3 s, more than 10 s apart.

    Source: rocketmq 5.0.0-5.5.0, ReplicasManager and DLedgerRoleChangeHandler.handleSlaveSynchronize.
    """
    interval_us = 1000 * broker.rules.slave_sync_interval
    return min(SET_SYNC_US, interval_us) if broker.is_elected else interval_us


def entry_bytes(scenario: Scenario, topic: str) -> int:
    """What a message of a topic takes in the commit log without its body, its properties the mean of those who send."""
    own = scenario.topics.get(topic)
    mixes = [] if own is None else [mix_of(own, group) for group in scenario.producers if topic in group.topics]
    properties = sum(mix.stored_bytes for mix in mixes) / len(mixes) if mixes else 0.0
    return ENTRY_BYTES + len(topic) + round(properties)


def most_threads(scenario: Scenario) -> int:
    """Pull threads of the broker that has the most."""
    return max(broker.pull_message_thread_pool_nums for broker in scenario.brokers.values())


def pull_threads(scenario: Scenario) -> Array:
    """Region `pull_threads` at the start: all are free, and those that a broker does not have never are."""
    numbers = np.arange(most_threads(scenario))
    own = [np.where(numbers < broker.pull_message_thread_pool_nums, 0, FAR) for broker in scenario.brokers.values()]
    return np.concatenate(own)


def returns_to_first(scenario: Scenario) -> list[tuple[int, int]]:
    """(from when, until when) messages are remembered that clients may read again, as a crash takes back later ones.

    A broker knows a group again from its next heartbeat on, and the client waits before it goes to the named offset.
    """
    old = {name: own for name, own in scenario.brokers.items() if BROKERS[own.release].corrects_to_first}
    return [
        (0, period.until_us + SETTLES_US)
        for period in scenario.fault_periods()
        if period.broker in old
        and (period.kind in TAKES_BACK or (period.kind == "kill" and old[period.broker].transient_store_pool))
    ]


def logs_by_broker(log_rows: Array, topics: int, brokers: int) -> Array:
    """How many logs each topic has on each broker, int64[topics, brokers]; rows of QueueLog."""
    found = np.zeros((topics, brokers), np.int64)
    np.add.at(found, (log_rows[:, 1], log_rows[:, 2]), 1)
    return found


def queue_logs(
    scenario: Scenario, routes: RoutePlan, topics: Sequence[str], read: Collection[str]
) -> tuple[Array, Array, Array]:
    """Region `logs`; (first log, logs) of each topic; the first log of each (topic, broker), -1 for none."""
    brokers = list(scenario.brokers)
    most = np.zeros((len(topics), len(brokers)), np.int64)
    for own in routes.timelines:
        for t, timeline in enumerate(own):
            for _, version in timeline:
                if version >= 0:
                    for data in routes.versions[version].queue_datas:
                        b = brokers.index(data.broker_name)
                        most[t, b] = max(most[t, b], data.read_queue_nums, data.write_queue_nums)
    for t, topic in enumerate(topics):
        if topic not in read:
            # dead letters are stored, and nobody reads them
            most[t] = most[t - 1] if t >= len(scenario.topics) else 0
    places = [(t, b, q) for t in range(len(topics)) for b in range(len(brokers)) for q in range(most[t, b])]
    of_topic, of_broker, of_queue = np.array(places, np.int64).reshape(-1, 3).T
    logs = filled(
        QueueLog, len(places), number=np.arange(len(places)), topic=of_topic, broker=of_broker, queue_id=of_queue,
        first_page=NO_PAGE, last_page=NO_PAGE, held=-1, read_from=FAR,
    )  # fmt: skip
    flat = most.reshape(-1)
    numbers = np.where(flat > 0, np.cumsum(flat) - flat, -1)
    per_topic = most.sum(axis=1)
    return logs, np.stack([np.cumsum(per_topic) - per_topic, per_topic], axis=1), numbers
