"""The brokers of a scenario as the loop reads them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from simulator.engine import layout
from simulator.engine.layout import DOWN, Ints
from simulator.latency import EDGES
from simulator.plan.spans import edges, holding
from simulator.plan.timetable import Period
from simulator.randomness import BROKER_PHASE, below, hash3
from simulator.scenario import Broker, FaultPeriod, Latency, Scenario

PPM = 1_000_000
PHASE_US = 10_000_000  # a broker's timers of up to ten seconds have one phase


def _features(broker: Broker, is_lost: bool, queues_differ: bool) -> int:
    """Whether the broker does more than plain service and fast failure."""
    asked = (broker.append, broker.refusal, broker.flush == "sync", broker.acks, broker.slave_acting_master)
    return int(any(asked) or is_lost or queues_differ)


def broker_rows(scenario: Scenario, has_master: Callable[[str], bool], losses: Losses) -> tuple[Ints, Ints, int, int]:
    """Cluster.brokers, Cluster.latencies, send threads of all brokers, places of all rings."""
    rows, servers, rings = [], 0, 0
    tables: dict[Latency, int] = {}

    def table(latency: Latency) -> int:
        return tables.setdefault(latency, len(tables)) * EDGES  # latencies that are alike share one

    differ = _ids_may_exceed(scenario)
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
            layout.FEATURES: _features(broker, name in losses.disk_us or name in losses.power_us, differ),
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
            layout.DISK_LOST_US: losses.disk_us.get(name, 0),
            layout.POWER_LOST_US: losses.power_us.get(name, 0),
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


Limits = dict[tuple[int, int], list[tuple[int, int]]]  # (topic, broker) -> (from when, a queue id must be below)


def _queue_limits(scenario: Scenario) -> Limits:
    """The queues of each topic on each broker that has it, in time order, the first from 0.

    A broker judges a queue id by its own topic configuration: max(read queues, write queues) at that moment.
    """
    brokers = {name: number for number, name in enumerate(scenario.brokers)}
    topics = {name: number for number, name in enumerate(scenario.topics)}
    limits: Limits = {}
    changes: dict[tuple[int, int], list[FaultPeriod]] = {}
    for period in scenario.fault_periods():
        if period.kind == "queues":
            changes.setdefault((topics[period.details["topic"]], brokers[period.broker]), []).append(period)
    for name, topic in topics.items():
        for entry in scenario.route(name):
            place = topic, brokers[entry.broker]
            own = changes.get(place, [])
            base = max(entry.read_queues, entry.write_queues)
            limits[place] = []
            for now_us in sorted({0, *edges(own)}):
                held = holding(own, now_us)
                limits[place].append((now_us, held[-1].value if held else base))
    return limits


def _ids_may_exceed(scenario: Scenario) -> bool:
    """Whether a request can name a queue that its broker has not: after a change, or on another broker."""
    for topic in scenario.topics.values():
        if topic.order_topic_conf is not None:
            return True
    by_topic: dict[int, set[int]] = {}
    for (number, _), own in _queue_limits(scenario).items():
        by_topic.setdefault(number, set()).update(limit for _, limit in own)
    return any(len(limits) > 1 for limits in by_topic.values())


def topic_rows(scenario: Scenario) -> Ints:
    """Cluster.topics: the limits of the queue ids, and behind them the rows of those that change."""
    brokers = len(scenario.brokers)
    cells = [0] * (len(scenario.topics) * brokers)
    for (topic, broker), own in _queue_limits(scenario).items():
        if len(own) == 1:
            cells[topic * brokers + broker] = own[0][1]
        else:
            cells[topic * brokers + broker] = -len(cells)
            cells += [len(own), *(value for row in own for value in row)]
    return np.array(cells, np.int64)


@dataclass(frozen=True)
class Losses:
    """When each broker's disk, and its power, is lost for the last time, in microseconds.

    Known from the start: a disk takes what is long stored, and the flush is followed from the first put on.
    """

    disk_us: Mapping[str, int]
    power_us: Mapping[str, int]

    @classmethod
    def of(cls, scenario: Scenario, periods: Sequence[Period]) -> Losses:
        """Those of a scenario with these periods."""
        disk: dict[str, int] = {}
        power: dict[str, int] = {}
        for period in (p for p in periods if p.table == DOWN):
            name = list(scenario.brokers)[period.broker]
            if period.value == layout.DOWN_DISK:
                disk[name] = max(disk.get(name, 0), period.at_us)
            if period.value == layout.DOWN_POWER and scenario.brokers[name].flush == "async":
                power[name] = max(power.get(name, 0), period.at_us)
        return cls(disk, power)
