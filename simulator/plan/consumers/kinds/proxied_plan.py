"""Groups that consume over proxies, and the proxies, as the machine reads them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from simulator.client.sending.grpc_send import ROUTE_REFRESH_US
from simulator.compiled.records import Array
from simulator.compiled.region_store import filled
from simulator.consumer.memory import consumer_settings as kinds
from simulator.consumer.memory.consumer_group import ReadingGroup
from simulator.consumer.memory.consumer_settings import ConsumerSettings
from simulator.consumer.memory.half_message import NO_CLIENT
from simulator.consumer.memory.proxied.proxied_client import (
    NEVER_ASKED,
    NEVER_SHOWN,
    NO_PROXY,
    NOTHING_COMES,
    PUSH,
    SIMPLE,
    KnownRoute,
    ProxiedClient,
    ProxySide,
)
from simulator.consumer.shared.instance_timers import STARTING_US
from simulator.consumer.transactions.online_clients import BEAT_US, LONG_AGO_US
from simulator.engine.memory.periods_table import PROXY_DOWN
from simulator.kernel.latency import BODY_CELLS
from simulator.kernel.randomness import (
    CONSUMER_PROXY,
    PROXY_KNOWS_SINCE,
    PROXY_ORDER,
    PROXY_REFRESH_PHASE,
    PROXY_TRANSACTION_BEAT,
    drawn_each,
)
from simulator.plan.clients.proxy_plan import proxy_count, proxy_periods
from simulator.plan.faults.process_life import ActionRow
from simulator.plan.spans import stretches
from simulator.plan.timetable import PlannedPeriod
from simulator.releases.proxy_release import PROXIES
from simulator.scenario import Scenario
from simulator.scenario.consuming.consumers import ConsumerGroup
from simulator.scenario.consuming.grpc_consumer import GrpcConsumer
from simulator.scenario.grpc_settings import GrpcSettings
from simulator.scenario.reading.first_proxies import first_proxy

MIB = 1 << 20
PUSH_BATCH = 32  # grpcClientConsumerLongPollingBatchSize
POLLING_LEAST_MS, POLLING_MOST_MS = 5_000, 20_000  # grpcClientConsumer...LongPollingTimeoutMillis
SCAN_US, FIRST_SCAN_US = 5_000_000, 1_000_000  # PushConsumerImpl.startUp
HEARTBEAT_US, ROUTES_US = 10_000_000, 30_000_000  # ClientManagerImpl, ClientImpl.startUp


@dataclass(frozen=True)
class ProxiedPlan:
    """Regions `proxies`, `known_routes` and `proxied` at the start; instances: those that consume over proxies.

    most_threads: of one of them; a SimpleConsumer's begin to receive all at once.
    """

    regions: dict[str, Array]
    instances: Array
    most_threads: int = 0


def put_proxied(group: ReadingGroup, own: ConsumerGroup, scenario: Scenario) -> None:
    """Fill what a group that consumes over proxies has."""
    grpc, proxies = own.grpc, scenario.proxies
    if grpc is None or proxies is None:
        return
    part, pop = group.proxied, group.pop
    is_push = grpc.kind == "push"
    part.kind = PUSH if is_push else SIMPLE
    part.cache_count, part.cache_bytes = grpc.max_cache_message_count, grpc.max_cache_message_size * MIB
    pop.batch = PUSH_BATCH if is_push else grpc.max_message_num
    pop.invisible_us = proxies.default_invisible_time_us if is_push else grpc.invisible_duration_ms * 1000
    waits_ms = POLLING_MOST_MS if is_push else grpc.await_duration_ms
    part.polling_us = min(max(waits_ms, POLLING_LEAST_MS), POLLING_MOST_MS) * 1000
    part.timeout_us = max((waits_ms + grpc.request_timeout_ms) * 1000, part.polling_us)
    part.renews = int(PROXIES[proxies.release].renews_receipts)
    pop.in_order = int(own.mode.in_order)
    part.by_queue = int(own.mode.in_order and PROXIES[proxies.release].assigns_queues_in_order)
    group.heartbeat_us, group.poll_us = HEARTBEAT_US, ROUTES_US
    group.rebalance_us = group.unbalanced_us = SCAN_US if is_push else ROUTES_US
    group.least_rebalance_us = STARTING_US + FIRST_SCAN_US if is_push else 0
    group.first_pull_us = 0


def proxied_plan(scenario: Scenario, settings: ConsumerSettings, name_servers: int) -> ProxiedPlan:
    """The proxies of a scenario; all empty where no group consumes over them. Fills the machine's settings."""
    groups, proxies = scenario.consumers.values(), scenario.proxies
    of_instances = [own.grpc for own in groups for _ in range(own.instances)]
    is_proxied = np.array([grpc is not None for grpc in of_instances], bool)
    senders = transactional_senders(scenario)
    if proxies is None or not (is_proxied.any() or senders):
        empty = {"proxies": ProxySide, "known_routes": KnownRoute, "proxied": ProxiedClient}
        return ProxiedPlan({name: filled(record, 0) for name, record in empty.items()}, np.empty(0, np.int64))
    count = proxy_count(scenario)
    settings.proxies, settings.proxy_lists = count, int(proxies.lists_all)
    settings.proxies_local = int(proxies.is_local)
    settings.proxy_refresh_us = proxies.topic_route_service_cache_refresh_us
    hop_us = proxies.hop.service_table_us()
    settings.hop_us = int(hop_us[BODY_CELLS // 2])
    seed, numbers, topics = scenario.seed, np.arange(len(of_instances)), int(settings.topics)
    first = _first_proxies(((own.grpc, own.instances) for own in groups), proxies.names)
    first = np.where(first == NO_PROXY, drawn_each(seed, CONSUMER_PROXY, numbers, count), first)
    sending = np.arange(len(senders))
    given = _first_proxies(_senders_by_group(scenario), proxies.names)[: len(senders)]
    over = np.where(given == NO_PROXY, drawn_each(seed, PROXY_ORDER, sending, count), given)
    hangs_on = np.concatenate([first, over])
    places = np.arange(count * topics)
    age_us = drawn_each(seed, PROXY_KNOWS_SINCE, places, proxies.topic_route_service_cache_refresh_us)
    regions = {
        "proxies": filled(
            ProxySide, count, name_server=np.arange(count) % name_servers,
            beat_us=drawn_each(seed, PROXY_TRANSACTION_BEAT, np.arange(count), BEAT_US),
        ),
        "known_routes": filled(
            KnownRoute, len(places), loaded_us=-age_us, ready_us=NOTHING_COMES, version=NEVER_ASKED
        ),
        "proxied": filled(
            ProxiedClient, len(hangs_on), proxy=hangs_on, first=hangs_on, shown=NEVER_SHOWN,
            joined_us=LONG_AGO_US,
            receives=np.append(drawn_each(seed, CONSUMER_PROXY, numbers + (1 << 32), 1 << 16), 0 * sending),
            refresh_us=np.append(0 * numbers, drawn_each(seed, PROXY_REFRESH_PHASE, sending, ROUTE_REFRESH_US)),
        ),
    }  # fmt: skip
    most_threads = max((own.threads for own in groups if own.grpc is not None), default=0)
    return ProxiedPlan(regions, np.flatnonzero(is_proxied), most_threads)


def _senders_by_group(scenario: Scenario) -> list[tuple[GrpcSettings | None, int]]:
    return [(own.grpc if own.transaction is not None else None, own.count) for own in scenario.producers]


def transactional_senders(scenario: Scenario) -> list[GrpcSettings | None]:
    """Of each producer the gRPC client that it sends half messages with; none where nobody does."""
    senders = [grpc for grpc, count in _senders_by_group(scenario) for _ in range(count)]
    return senders if any(senders) else []


def clients_over_proxies(scenario: Scenario) -> Array:
    """Of each producer its number in region `proxied`, behind the instances; NO_CLIENT of a remoting one."""
    senders = transactional_senders(scenario) or [None] * scenario.producer_count
    numbers = len(scenario.instances) + np.arange(scenario.producer_count)
    return np.where([grpc is not None for grpc in senders], numbers, NO_CLIENT)


def _first_proxies(groups: Iterable[tuple[GrpcConsumer | GrpcSettings | None, int]], names: Sequence[str]) -> Array:
    """Of each client the number of the proxy it is given, NO_PROXY: none; `groups`: with how many clients each has."""
    given = [first_proxy(grpc.proxy if grpc else None, i) for grpc, clients in groups for i in range(clients)]
    return np.array([NO_PROXY if name is None else names.index(name) for name in given], np.int64)


def proxy_actions(scenario: Scenario) -> Iterator[ActionRow]:
    """Rows of MachineAction: what faults do to proxies that groups consume over, or send half messages over."""
    if all(own.grpc is None for own in scenario.consumers.values()) and not transactional_senders(scenario):
        return
    struck: dict[tuple[int, int], list[PlannedPeriod]] = {}
    for period in proxy_periods(scenario, scenario.fault_periods()):
        struck.setdefault((period.broker, period.table), []).append(period)
    for (proxy, table), periods in struck.items():
        begins = kinds.PROXY_AWAY if table == PROXY_DOWN else kinds.PROXY_HANG
        for at_us, until_us, _ in stretches(periods):
            yield at_us, begins, proxy, until_us
            if until_us < scenario.duration_us:
                yield until_us, begins - 1, proxy, 0
