"""What a cell remembers, as it is before the first event."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from simulator.client.sending.accumulation import guard_period_us
from simulator.client.view import RouteHold
from simulator.compiled.memory_marks import marks_of, record_in
from simulator.compiled.records import Array, layout_of, size_of
from simulator.compiled.region_store import column, columns, filled
from simulator.engine.memory.broker_state import Broker, BrokerState
from simulator.engine.memory.client_kind import ClientKind
from simulator.engine.memory.events import DETECTOR, POLICY_TICK, POLL, RESUMING, ROLE, WINDOW, events_of
from simulator.engine.memory.links import ConnectionOrder, Link, Proxy
from simulator.engine.memory.replica import RoleChange
from simulator.engine.memory.routes import NAMED_MASTER
from simulator.engine.memory.send import (
    RESTING,
    KeyOrder,
    Queue,
    ThreadState,
)
from simulator.engine.memory.sender_thread import Batching, Producer, ProducerState, SenderThread
from simulator.engine.memory.settings import FAR, Clock
from simulator.engine.memory.topic import WindowPair
from simulator.engine.memory.world import World
from simulator.kernel.histogram import Histogram
from simulator.kernel.machine_memory import Event
from simulator.kernel.pools import Pool
from simulator.plan.run_plan import CellPlan

_MARKS = marks_of(World)
REMEMBERED, TAKEN = _MARKS.remembered, _MARKS.taken
POOLS = {name: (region, record_in(World, region)) for name, region in _MARKS.pools.items()}  # of the clock
PARTS = {region: tuple((part, record_in(World, part)) for part in parts) for region, parts in _MARKS.parts.items()}
GROWING = (*_MARKS.growing, "observations")  # as long as there is need
NEEDED = 8  # free records of each pool before an event: more than any takes


def fresh_regions(plan: CellPlan) -> dict[str, Array]:
    """The regions of the World that are remembered, and the one to work in; not what lies in the client memory.

    Nobody else holds the arrays.
    """
    settings, threads = plan.settings, len(plan.streams.stream)
    topics, brokers, producers = int(settings.topics), int(settings.brokers), len(plan.threads_of_producer)
    begun, timers = np.flatnonzero(plan.first_sends_us < FAR), timers_of(plan)
    at_us = np.append(timers[:, 1], plan.first_sends_us[begun])
    what = np.append(timers[:, 0], events_of(RESUMING, begun))
    first = np.lexsort((what, at_us))  # sorted is a heap, too
    heap = filled(Event, events_at_once(plan, dict.fromkeys(TAKEN, 0)))
    heap[: len(first)] = filled(Event, len(first), at_us=at_us[first], what=what[first])
    polls, holds = int(settings.routes_on), producers * topics if settings.held_count else 0
    return {
        "clock": _clock(plan, len(first), len(timers)),
        "thread_states": _thread_states(threads, begun),
        "begun": np.zeros(threads if plan.closed.any() else 0, np.int64),
        **{name: np.empty(0, np.int64) for name in TAKEN},
        "send_seqs": np.zeros(threads * topics, np.int64),
        "heap": heap,
        "servers": np.zeros(plan.servers, np.int64),
        "rings": np.zeros(plan.rings, np.int64),
        "broker_states": filled(BrokerState, brokers),
        "replicas": plan.replicas.copy(),
        "backlog": np.empty(0, np.int64),
        "histograms": filled(Histogram, topics * brokers),
        "window_pairs": filled(WindowPair, topics * brokers, in_route=plan.in_route.reshape(-1)),
        "name_servers": plan.name_servers.copy(),
        "known_routes": plan.known_routes.copy(),
        "addresses": _addresses(plan),
        "taken_us": np.zeros(producers * polls, np.int64),
        "created_counts": np.zeros(topics * polls, np.int64),
        "created": np.zeros(topics * brokers * polls, np.int64),
        "connections": np.zeros(producers * brokers, np.int64),
        "opened": np.zeros(producers * brokers * int(settings.heartbeats_close), np.int64),
        "links": filled(Link, int(settings.links_on * settings.groups) * brokers),
        "connection_orders": filled(
            ConnectionOrder, producers * brokers * int(settings.networks_on), arrives_us=-1, read_us=-1, answered_us=-1
        ),
        "producer_states": _producer_states(plan, producers),
        "change_seqs": np.zeros(producers, np.int64),
        "accumulators": _accumulators(plan, producers),
        "idle_senders": np.tile(np.arange(settings.sender_places), producers if plan.takes_records else 0),
        "key_orders": filled(KeyOrder, plan.key_orders),
        "sockets": np.full(producers * brokers * size_of(Queue) if plan.takes_records else 0, -1, np.int64),
        "route_holds": filled(RouteHold, holds),
        "proxies": filled(Proxy, plan.proxies.count),
        **plan.proxies.regions,
        "scratch": np.zeros(4 * brokers, np.int64),
        "unknown_events": np.empty(0, np.int64),
        **{name: records.copy() for name, records in plan.policy.records.items()},
    }


def timers_of(plan: CellPlan) -> Array:
    """(event, when it first comes) of every timer that the cell has, and of every broker's next change of role."""
    settings = plan.settings
    rows = [(WINDOW, settings.window_us)]
    if settings.routes_on:
        rows.append((POLL, plan.first_poll_us))
    if settings.detector_on:
        rows.append((DETECTOR, settings.detect_period_us))
    if settings.policy_tick_us:
        rows.append((POLICY_TICK, settings.policy_tick_us))
    brokers = plan.cluster["brokers"].reshape(-1, size_of(Broker))
    changes = plan.cluster["role_changes"].reshape(-1, size_of(RoleChange))
    changing = np.flatnonzero(column(Broker, brokers, "role_changes"))
    first = column(Broker, brokers[changing], "first_change")
    roles = np.stack([events_of(ROLE, changing), column(RoleChange, changes[first], "at_us")], axis=1)
    return np.concatenate([np.array(rows, np.int64), roles])


def events_at_once(plan: CellPlan, records: Mapping[str, int]) -> int:
    """How many events there can be with so many records of each region in TAKEN."""
    taken = sum(records[region] for region in {region for region, _ in POOLS.values()})
    accumulators = len(plan.threads_of_producer) * int(plan.settings.auto_batch)
    return len(plan.streams.stream) + len(timers_of(plan)) + accumulators + taken


def _addresses(plan: CellPlan) -> Array:
    """int64[producers * brokers]: 1 + machine of the broker that a known route names."""
    settings, brokers = plan.settings, int(plan.settings.brokers)
    if not settings.routes_on:
        return np.empty(0, np.int64)
    masters = np.maximum(1 + plan.cluster["masters"].reshape(-1, brokers) - NAMED_MASTER, 0)
    known = plan.known_routes.reshape(-1, int(settings.topics))
    has = np.zeros((len(known), brokers), np.int64)
    for topic in range(known.shape[1]):
        knows = known[:, topic] >= 0
        has[knows] = np.maximum(has[knows], masters[known[knows, topic]])
    return has.reshape(-1)


def _accumulators(plan: CellPlan, producers: int) -> Array:
    """Of producers whose guards began with their clients."""
    settings = plan.settings
    if not settings.auto_batch:
        return np.empty(0, np.int64)
    clients = plan.cluster["producers"].reshape(producers, -1)
    began_us, first = (column(Producer, clients, name) for name in ("first_scan_us", "first_thread"))
    threads = plan.cluster["threads"].reshape(-1, size_of(SenderThread))
    kinds = plan.cluster["client_kinds"].reshape(-1, size_of(ClientKind))[:, columns(ClientKind)["batch_max_delay_ms"]]
    periods_us = np.array([guard_period_us(int(delay_ms)) for delay_ms in kinds])
    looks_us = began_us % periods_us[column(SenderThread, threads[first], "group")]
    return filled(Batching, producers, first=-1, awaited=-1, look_us=looks_us, guard_next=-1)


def _clock(plan: CellPlan, heap_size: int, timers_set: int) -> Array:
    cells = np.zeros(size_of(Clock), np.int64)
    clock = Clock.at(cells)
    clock.free_place = -1
    for name in POOLS:
        pool: Pool = getattr(clock, name)
        is_used = plan.settings.networks_on if name == "travelling" else name == "blocking" or plan.takes_records
        pool.first, pool.spare = -1, -NEEDED if is_used else FAR
    clock.heap_size, clock.timers_set = heap_size, timers_set
    return cells


def _thread_states(threads: int, begun: Array) -> Array:
    """Idle threads; those in `begun` are about to begin a closed loop."""
    doing = np.zeros(threads, np.int64)
    doing[begun] = RESTING
    return filled(ThreadState, threads, doing=doing)


def _producer_states(plan: CellPlan, producers: int) -> Array:
    if not plan.takes_records:
        return np.empty(0, np.int64)
    states = filled(
        ProducerState,
        producers,
        number_left=plan.number_permits,
        bytes_left=plan.byte_permits,
        callbacks_left=plan.callback_threads,
    )
    for queue in ("number_queue", "bytes_queue", "sender_queue", "callback_queue"):
        states[:, layout_of(ProducerState).cells[f"{queue}.head"]] = -1
    return states
