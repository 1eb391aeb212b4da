"""From the proxies of a scenario to what runs them: a remoting client each, and what gRPC producers remember of them.

Each proxy's remoting client is one more producer of the cell, behind all that send, with one thread that never sends:
its views are what the proxy chooses from, its connections those to the brokers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from simulator.client.sending.closing import NEVER
from simulator.client.sending.grpc_send import ROUTE_REFRESH_US
from simulator.compiled.records import Array
from simulator.compiled.region_store import columns, filled
from simulator.engine.memory.client_kind import GRPC, PROXY, REMOTING, ClientKind
from simulator.engine.memory.links import NO_PROXY, NOTHING_COMES, CachedRoute, GrpcClient, LocalClient
from simulator.engine.memory.periods_table import DOWN_GRACEFUL, DOWN_KILL, PROXY_DOWN, PROXY_STILL
from simulator.engine.memory.settings import FAR, Settings
from simulator.engine.proxies.broker_endpoints import HEARTBEAT_US
from simulator.kernel.randomness import (
    LOCAL_BALANCER,
    LOCAL_HEARTBEAT,
    PROXY_ORDER,
    PROXY_REFRESH_PHASE,
    PROXY_ROUTE_PHASE,
    drawn_each,
)
from simulator.plan.clients.local_proxies import local_periods
from simulator.plan.timetable import PlannedPeriod
from simulator.releases.proxy_release import PROXIES
from simulator.scenario import FaultPeriod, ProducerGroup, Scenario
from simulator.scenario.client_settings import ClientOverride
from simulator.scenario.reading.first_proxies import first_proxy
from simulator.units import format_duration_ms

GROUP = "proxies"  # of their remoting clients
STILL = ("hang", "pause")  # faults under which a process stands still
NO_COMPRESSION = "2147483647B"  # the gRPC client compresses nothing


@dataclass(frozen=True)
class ProxyPlan:
    """Regions of the same names at the start, and how many proxies there are; all empty without any.

    The last two are empty but in local mode.
    """

    count: int
    grpc_clients: Array
    proxy_routes: Array
    local_clients: Array
    balancers: Array

    @property
    def regions(self) -> dict[str, Array]:
        """Copies of them by name."""
        names = ("grpc_clients", "proxy_routes", "local_clients", "balancers")
        return {name: getattr(self, name).copy() for name in names}


NO_CELLS = np.empty(0, np.int64)


def proxy_labels(scenario: Scenario) -> tuple[str, ...]:
    """What tables call the proxies: in local mode, where each broker has one of its number, as their brokers."""
    if scenario.proxies is None:
        return ()
    return tuple(scenario.brokers if scenario.proxies.is_local else scenario.proxies.names)


def proxy_count(scenario: Scenario) -> int:
    """How many proxies there are: in local mode one for each broker, of its number."""
    return len(proxy_labels(scenario))


def with_proxies(scenario: Scenario) -> Scenario:
    """The scenario with a group of producers for the remoting clients of its proxies, itself if it has none."""
    if scenario.proxies is None:
        return scenario
    proxies = scenario.proxies
    client = {"release": proxies.release, "send_latency_fault_enable": False, "auto_batch": None}
    groups = [_over_proxies(group, client) for group in scenario.producers]
    measures = {
        "send_latency_fault_enable": proxies.send_latency_enable,
        "start_detector_enable": proxies.start_detector_enable if proxies.send_latency_enable else None,
    }
    own = {
        "group": GROUP, "count": proxy_count(scenario), "mode": "sync", "threads": 1, "rate_per_s": None,
        "rate_changes": (), "arrivals": "poisson", "think": None, "grpc": None, "delay": None, "transaction": None,
        "client": ClientOverride.model_validate(client | measures), "topics": dict.fromkeys(scenario.topics, 1),
    }  # fmt: skip
    model = ProducerGroup.model_validate({"group": GROUP, "count": 1, "rate": "1/s", "topics": list(scenario.topics)})
    return scenario.model_copy(update={"producers": (*groups, model.model_copy(update=own))})


def _over_proxies(group: ProducerGroup, client: dict[str, object]) -> ProducerGroup:
    """The group; one of gRPC producers with the settings of its proxies' remoting client, and its own attempts."""
    if group.grpc is None:
        return group
    own = {
        **client,
        "retry_times_when_send_failed": group.grpc.max_attempts - 1,
        "send_msg_timeout": format_duration_ms(group.grpc.request_timeout_ms),
        "compress_msg_body_over_howmuch": NO_COMPRESSION,
    }
    return group.model_copy(update={"client": ClientOverride.model_validate(own)})


def kinds_of(scenario: Scenario) -> list[int]:
    """REMOTING, GRPC or PROXY of each group of producers of what `with_proxies` made."""
    kinds = [REMOTING if group.grpc is None else GRPC for group in scenario.producers]
    return kinds if scenario.proxies is None else [*kinds[:-1], PROXY]


def remoting_groups(scenario: Scenario) -> list[ProducerGroup]:
    """The groups of such a scenario that send to brokers themselves."""
    kinds = kinds_of(scenario)
    return [group for group, kind in zip(scenario.producers, kinds, strict=True) if kind == REMOTING]


def fill_kinds(rows: Array, scenario: Scenario) -> None:
    """Write which kind each client is into region `client_kinds`. What proxies ask asynchronously closes nothing."""
    column, kinds = columns(ClientKind), np.array(kinds_of(scenario), np.int64)
    rows[:, column["kind"]] = kinds
    rows[kinds != REMOTING, column["closes_on_timeout"]] = NEVER
    for row, group in zip(rows, scenario.producers, strict=True):
        if group.grpc is not None:
            own, timeout_us = group.grpc.language, group.grpc.request_timeout_ms * 1000
            row[column["tries"]] = own.tries
            row[column["isolates"]] = own.isolates
            row[column["retries_throttled"]] = own.retries_throttled
            row[column["retries_transactions"]] = own.retries_transactions
            row[column["bound_us"]] = timeout_us if own.is_bounded(group.grpc.release) else 0


def _first_proxies(groups: Sequence[ProducerGroup], names: Sequence[str]) -> Array:
    """Of each producer the number of the proxy that it hangs on at first, NO_PROXY: it is given none."""
    given = [first_proxy(own.grpc.proxy if own.grpc else None, i) for own in groups for i in range(own.count)]
    return np.array([NO_PROXY if name is None else names.index(name) for name in given], np.int64)


def proxy_plan(scenario: Scenario, groups: Array) -> ProxyPlan:
    """The proxies of a cell, given the group of each of its producers."""
    if scenario.proxies is None:
        return ProxyPlan(0, NO_CELLS, NO_CELLS, NO_CELLS, NO_CELLS)
    seed, count, producers = scenario.seed, proxy_count(scenario), np.arange(len(groups))
    given = _first_proxies(scenario.producers, scenario.proxies.names)
    first = np.where(given == NO_PROXY, drawn_each(seed, PROXY_ORDER, producers, count), given)
    is_grpc = np.array(kinds_of(scenario))[groups] == GRPC
    asking = [group.grpc is None or group.grpc.language.polls_routes for group in scenario.producers]
    polls = np.array(asking, bool)[groups]
    clients = filled(
        GrpcClient,
        len(groups),
        proxy=np.where(is_grpc, first, NO_PROXY),
        first=first,
        refresh_us=np.where(polls, drawn_each(seed, PROXY_REFRESH_PHASE, producers, ROUTE_REFRESH_US), FAR),
    )
    places = count * len(scenario.topics)
    age_us = drawn_each(
        seed, PROXY_ROUTE_PHASE, np.arange(places), scenario.proxies.topic_route_service_cache_refresh_us
    )
    routes = filled(CachedRoute, places, loaded_us=-age_us, ready_us=NOTHING_COMES)
    local, balancers = NO_CELLS, NO_CELLS
    if scenario.proxies.is_local:
        beats_us = drawn_each(seed, LOCAL_HEARTBEAT, producers, HEARTBEAT_US)
        local = filled(LocalClient, len(groups), heartbeat_us=beats_us).reshape(-1)
        balancers = drawn_each(seed, LOCAL_BALANCER, np.arange(len(groups) * len(scenario.topics)), (1 << 31) - 1)
    return ProxyPlan(count, clients.reshape(-1), routes.reshape(-1), local, balancers)


def fill_proxy_settings(settings: Settings, scenario: Scenario, hop: int) -> None:
    """The settings of the loop; `hop`: number of the latency of the way over a proxy."""
    if scenario.proxies is not None:
        settings.proxies = proxy_count(scenario)
        settings.proxies_local = int(scenario.proxies.is_local)
        settings.proxy_lists = int(scenario.proxies.lists_all)
        settings.proxy_refresh_us = scenario.proxies.topic_route_service_cache_refresh_us
        settings.proxies_weigh = int(PROXIES[scenario.proxies.release].weighs)
        settings.proxy_receive_bytes = scenario.proxies.receive_buffer_bytes
        settings.proxy_hop = hop


def proxy_periods(scenario: Scenario, periods: list[FaultPeriod]) -> Iterator[PlannedPeriod]:
    """The periods in which faults strike proxies; in local mode those of their brokers do."""
    if scenario.proxies is not None and scenario.proxies.is_local:
        yield from local_periods(scenario, periods)
        return
    numbers = {name: number for number, name in enumerate(scenario.proxy_names)}
    for period in periods:
        name = period.details.get("proxy")
        if name is None:
            continue
        is_down = period.kind not in STILL
        graceful = period.kind in ("restart", "rolling_restart") and period.details.get("graceful", True)
        dies = DOWN_GRACEFUL if graceful else DOWN_KILL
        table, value = (PROXY_DOWN, dies) if is_down else (PROXY_STILL, 1)
        yield PlannedPeriod(period.at_us, period.until_us, numbers[name], table, value)


def has_grpc(scenario: Scenario) -> bool:
    """Whether gRPC producers send."""
    return any(group.grpc is not None for group in scenario.producers)


def stores_unheard(scenario: Scenario) -> bool:
    """Whether a message that has ended for its caller may be stored later.

    Its client goes on trying, or a proxy that stood still sends on what was given up.
    """
    groups = [group.grpc for group in scenario.producers if group.grpc is not None]
    if any(grpc.language.is_bounded(grpc.release) for grpc in groups):
        return True
    if not groups or scenario.proxies is None:
        return False
    is_local = scenario.proxies.is_local
    return any(
        period.kind in STILL and (is_local or period.details.get("proxy") is not None)
        for period in scenario.fault_periods()
    )
