"""The brokers of a scenario as the loop reads them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from simulator.codes import SERVICE_NOT_AVAILABLE, SYSTEM_BUSY
from simulator.compiled.records import Array, Region, size_of
from simulator.compiled.region_store import filled
from simulator.engine.memory import broker_state
from simulator.engine.memory.broker_state import LimitChange, QueueLimit
from simulator.engine.memory.periods_table import DOWN, DOWN_DISK, DOWN_POWER
from simulator.engine.memory.replica import MASTER, SLAVE, Replica, RoleChange
from simulator.engine.memory.settings import NEVER_MS
from simulator.kernel.randomness import BROKER_PHASE, below, hash3
from simulator.plan.spans import active_at, edges
from simulator.plan.timetable import PlannedPeriod
from simulator.scenario import Broker, FaultPeriod, Latency, Scenario

PPM = 1_000_000
PHASE_US = 10_000_000  # a broker's timers of up to ten seconds have one phase


def _features(broker: Broker, is_lost: bool, queues_differ: bool) -> int:
    """Whether the broker does more than plain service and fast failure."""
    refuses = broker.role == "slave" or broker.store != "writeable"
    asked = (broker.append, refuses, broker.flush == "sync", broker.acks, broker.slave_acting_master, broker.is_elected)
    return int(any(asked) or is_lost or queues_differ)


@dataclass(frozen=True)
class BrokerPlan:
    """rows, latencies: regions `brokers` and `latencies`; servers: send threads, rings: places of rings, of all.

    replicas: that region at the start, role_changes: that region.
    """

    rows: Array
    role_changes: Array
    replicas: Array
    latencies: Array
    servers: int
    rings: int


def broker_plan(
    scenario: Scenario, has_master: Callable[[str], bool], losses: Losses, changes: Mapping[str, Array]
) -> BrokerPlan:
    """The brokers of a cell; `changes`: of their roles, rows of RoleChange by name."""
    cells = np.zeros(len(scenario.brokers) * size_of(broker_state.Broker), np.int64)
    rows, servers, rings, changed = Region.of(broker_state.Broker, cells), 0, 0, 0
    tables: dict[Latency, int] = {}
    every = list[Latency]()

    def table(latency: Latency) -> int:
        if latency not in tables:  # latencies that are alike share one
            tables[latency] = len(every)
            every.append(latency)
        return tables[latency]

    differ = _ids_may_exceed(scenario)
    for number, (name, broker) in enumerate(scenario.brokers.items()):
        own = rows[number]
        own.number = number
        own.server_count = max(broker.threads // scenario.cells, 1)
        own.occupancy_ppm = own.server_count * scenario.cells * PPM // broker.threads
        own.queue_capacity = max(broker.send_queue // scenario.cells, 1)
        own.first_server, own.first_place = servers, rings
        own.latency = table(broker.latency)
        own.has_master = int(has_master(name))
        own.features = _features(broker, name in losses.disk_us or name in losses.power_us, differ)
        own.expiry_ms = broker.wait_time_in_send_queue_ms if broker.fast_failure else NEVER_MS
        own.scan_phase_us = int(below(np.uint64(hash3(scenario.seed, BROKER_PHASE, number)), PHASE_US))
        own.flush_latency, own.slave_latency = table(broker.flush_latency), table(broker.slave_latency)
        own.machine_latencies = len(every) if broker.machine_latencies else 0
        every += broker.machine_latencies
        own.disk_lost_us, own.power_lost_us = losses.disk_us.get(name, 0), losses.power_us.get(name, 0)
        own.first_change, own.role_changes = changed, len(changes.get(name, ()))
        _fill_storing(own, broker)
        changed += own.role_changes
        servers += own.server_count
        rings += own.queue_capacity
    latencies = np.concatenate([latency.service_table_us() for latency in every])
    roles = [SLAVE if broker.role == "slave" else MASTER for broker in scenario.brokers.values()]
    replicas = filled(Replica, len(roles), role=roles)
    own_changes = [changes[name] for name in scenario.brokers if name in changes]
    changed_to = np.concatenate([filled(RoleChange, 0), *own_changes])
    return BrokerPlan(cells, changed_to, replicas, latencies, int(servers), int(rings))


def _fill_storing(own: broker_state.Broker, broker: Broker) -> None:
    """How the broker stores, flushes and copies."""
    append, rules = broker.append, broker.rules
    own.lock_busy_ms = broker.page_cache_busy_ms
    own.lock_busy_code = rules.page_cache_busy_code
    own.append_us = 0 if append is None else append.base_us
    own.append_per_kib_us = 0 if append is None else append.per_kib_us
    own.refusal_code = 0 if broker.store == "writeable" else SERVICE_NOT_AVAILABLE
    own.slave_code = SYSTEM_BUSY if rules.slave_rejects else SERVICE_NOT_AVAILABLE
    own.slave_rejects = int(rules.slave_rejects)
    own.queue_id_code = rules.queue_id_code
    own.sync_flush = int(broker.flush == "sync")
    own.flush_timeout_us = broker.flush_timeout_us
    own.frees_thread = int(rules.frees_thread)
    own.flush_timed = int(rules.flush_timed)
    own.transient_pool = int(broker.transient_store_pool)
    own.slaves, own.slave_per_kib_us = broker.slaves, broker.slave_latency_per_kib_us
    own.acks, own.copied_per_s = broker.acks, broker.copied_bytes_per_s
    own.slave_timeout_us = broker.slave_wait_us
    own.checks_slave = int(not rules.counts_acks)
    own.is_set, own.confirms = int(broker.is_elected), int(broker.confirms)
    # of a set the sync set or a majority counts instead (CommitLog.asyncPutMessage, DLedgerCommitLog)
    own.counts_replicas = int(broker.slave_acting_master and not broker.is_elected)


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
                held = active_at(own, now_us)
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


def limit_rows(scenario: Scenario) -> tuple[Array, Array]:
    """Regions `limits` and `limit_changes`: what queue ids must be below."""
    brokers = len(scenario.brokers)
    cells = filled(QueueLimit, len(scenario.topics) * brokers).reshape(-1)
    limits, changes = Region.of(QueueLimit, cells), list[tuple[int, int]]()
    for (topic, broker), own in _queue_limits(scenario).items():
        place = limits[topic * brokers + broker]
        if len(own) == 1:
            place.limit = own[0][1]
        else:
            place.first, place.count = len(changes), len(own)
            changes += own
    at_us, below_that = zip(*changes, strict=True) if changes else ((), ())
    return cells, filled(LimitChange, len(changes), at_us=at_us, limit=below_that)


@dataclass(frozen=True)
class Losses:
    """When each broker's disk, and its power, is lost for the last time, in microseconds.

    Known from the start: a disk takes what is long stored, and the flush is followed from the first put on.
    """

    disk_us: Mapping[str, int]
    power_us: Mapping[str, int]

    @classmethod
    def of(cls, scenario: Scenario, periods: Sequence[PlannedPeriod]) -> Losses:
        """Those of a scenario with these periods."""
        disk: dict[str, int] = {}
        power: dict[str, int] = {}
        for period in (p for p in periods if p.table == DOWN):
            name = list(scenario.brokers)[period.broker]
            if period.value == DOWN_DISK:
                disk[name] = max(disk.get(name, 0), period.at_us)
            if period.value == DOWN_POWER and scenario.brokers[name].flush == "async":
                power[name] = max(power.get(name, 0), period.at_us)
        return cls(disk, power)
