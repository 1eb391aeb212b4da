"""The brokers of a scenario as the loop reads them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from simulator.engine import layout
from simulator.engine.layout import DOWN, Ints
from simulator.latency import EDGES
from simulator.randomness import BROKER_PHASE, below, hash3
from simulator.scenario import Broker, Latency, Scenario
from simulator.timetable import Period

PPM = 1_000_000
PHASE_US = 10_000_000  # a broker's timers of up to ten seconds have one phase


def _features(broker: Broker, is_lost: bool, queues_differ: bool) -> int:
    """Whether the broker does more than plain service and fast failure."""
    asked = (broker.append, broker.refusal, broker.flush == "sync", broker.acks, broker.slave_acting_master)
    return int(any(asked) or is_lost or queues_differ)


def broker_rows(
    scenario: Scenario, has_master: Callable[[str], bool], disk_lost_us: Mapping[str, int]
) -> tuple[Ints, Ints, int, int]:
    """Cluster.brokers, Cluster.latencies, send threads of all brokers, places of all rings."""
    rows, servers, rings = [], 0, 0
    tables: dict[Latency, int] = {}

    def table(latency: Latency) -> int:
        return tables.setdefault(latency, len(tables)) * EDGES  # latencies that are alike share one

    differ = any(len(set(limits[limits > 0])) > 1 for limits in _queue_limits(scenario))
    for number, (name, broker) in enumerate(scenario.brokers.items()):
        own = max(broker.threads // scenario.cells, 1)
        queue = max(broker.send_queue // scenario.cells, 1)
        append, rules = broker.append, broker.rules
        values = {
            layout.SERVERS: servers,
            layout.SERVER_COUNT: own,
            layout.OCCUPANCY_PPM: own * scenario.cells * PPM // broker.threads,
            layout.QUEUE_CAPACITY: queue,
            layout.RING: rings,
            layout.LATENCY: table(broker.latency),
            layout.HAS_MASTER: int(has_master(name)),
            layout.FEATURES: _features(broker, name in disk_lost_us, differ),
            layout.EXPIRY_MS: broker.wait_time_in_send_queue_ms if broker.fast_failure else layout.NEVER_MS,
            layout.SCAN_PHASE_US: int(below(np.uint64(hash3(scenario.seed, BROKER_PHASE, number)), PHASE_US)),
            layout.LOCK_BUSY_MS: broker.page_cache_busy_ms,
            layout.LOCK_BUSY_CODE: rules.page_cache_busy_code,
            layout.APPEND_US: 0 if append is None else append.base_us,
            layout.APPEND_PER_KIB_US: 0 if append is None else append.per_kib_us,
            layout.REFUSAL_CODE: broker.refusal,
            layout.REJECTS: int(broker.role == "slave" and rules.slave_rejects),
            layout.QUEUE_ID_CODE: rules.queue_id_code,
            layout.SYNC_FLUSH: int(broker.flush == "sync"),
            layout.FLUSH_LATENCY: table(broker.flush_latency),
            layout.FLUSH_TIMEOUT_US: broker.sync_flush_timeout_us,
            layout.FREES_THREAD: int(rules.frees_thread),
            layout.FLUSH_TIMED: int(rules.flush_timed),
            layout.TRANSIENT_POOL: int(broker.transient_store_pool),
            layout.SLAVES: broker.slaves,
            layout.SLAVE_LATENCY: table(broker.slave_latency),
            layout.ACKS: broker.acks,
            layout.SLAVE_TIMEOUT_US: broker.slave_wait_us,
            layout.CHECKS_SLAVE: int(not rules.counts_acks),
            layout.COUNTS_REPLICAS: int(broker.slave_acting_master),
            layout.DISK_LOST_US: disk_lost_us.get(name, 0),
        }
        row = np.zeros(layout.BROKER_SIZE, np.int64)
        row[list(values)] = list(values.values())
        rows.append(row)
        servers += own
        rings += queue
    return (
        np.concatenate(rows),
        np.concatenate([latency.service_table_us() for latency in tables]),
        servers,
        rings,
    )


def _queue_limits(scenario: Scenario) -> Ints:
    """int64[topics, brokers]: a queue id must be below, 0 where the topic is not.

    Queues that a fault adds count from the start, and those that it takes away until the end.
    """
    brokers = {name: number for number, name in enumerate(scenario.brokers)}
    limits = np.zeros((len(scenario.topics), len(brokers)), np.int64)
    for row, topic in zip(limits, scenario.topics, strict=True):
        for entry in scenario.route(topic):
            row[brokers[entry.broker]] = max(entry.read_queues, entry.write_queues)
    numbers = {name: number for number, name in enumerate(scenario.topics)}
    for period in scenario.fault_periods():
        if period.kind == "queues":
            place = numbers[period.details["topic"]], brokers[period.broker]
            limits[place] = max(limits[place], period.value)
    return limits


def topic_rows(scenario: Scenario) -> Ints:
    """Cluster.topics: the limits of the queue ids."""
    return _queue_limits(scenario).reshape(-1)


def disk_losses_us(scenario: Scenario, periods: Sequence[Period]) -> dict[str, int]:
    """When each broker's disk is lost for the last time; known from the start, because it takes what is long stored."""
    names = list(scenario.brokers)
    lost: dict[str, int] = {}
    for period in periods:
        if period.table == DOWN and period.value == layout.DOWN_DISK:
            name = names[period.broker]
            lost[name] = max(lost.get(name, 0), period.at_us)
    return lost
