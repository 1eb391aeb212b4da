"""From a scenario to the arrays that run it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from simulator.client.faults.detector_round import DETECT_INTERVAL_MS, DETECT_PERIOD_MS, DETECT_TIMEOUT_MS
from simulator.client.sending.closing import NEVER
from simulator.compiled.records import Array, size_of
from simulator.compiled.region_store import filled
from simulator.engine.memory.periods_table import DOWN, LATE, LINK, LOSS
from simulator.engine.memory.sender_thread import SenderThread, ThreadKind
from simulator.engine.memory.settings import Settings
from simulator.engine.network.heartbeats import HEARTBEAT_TIMEOUT_US
from simulator.kernel.latency import EDGES, Table
from simulator.plan.broker_rows import Losses, broker_plan, limit_rows
from simulator.plan.clients.client_kinds import client_kinds, retry_codes
from simulator.plan.clients.proxy_plan import (
    fill_kinds,
    fill_proxy_settings,
    has_grpc,
    proxy_labels,
    proxy_periods,
    proxy_plan,
    stores_unheard,
    with_proxies,
)
from simulator.plan.consumers.consumer_plan import consumer_plan
from simulator.plan.consumers.transaction_plan import silences, silent_producers, struck_producers
from simulator.plan.effects import Effect, TablePeriod
from simulator.plan.failover.failover_effects import Histories, all_effects, planned_elections, set_histories
from simulator.plan.failover.replica_states import replica_states
from simulator.plan.failover.role_changes import role_changes
from simulator.plan.faults.added_latencies import added_latencies, summed
from simulator.plan.loop_plan import LoopPlan, loop_plan, topic_thresholds
from simulator.plan.memory_plan import MemoryPlan
from simulator.plan.message_plan import (
    SELECTORS,
    fill_send_settings,
    message_plan,
    names_refused,
    permits,
    producer_rows,
    takes_records,
    way_of,
)
from simulator.plan.network_plan import network_plan
from simulator.plan.policy_plan import policy_plan
from simulator.plan.route_plan import RoutePlan, route_plan
from simulator.plan.run_plan import MODES, CellPlan, Names, Plan
from simulator.plan.thread_list import Threads, sender_threads
from simulator.plan.timetable import LINK_PLACES, PlannedPeriod, longest_silence_us, observations
from simulator.releases.producer_release import Client, client_of
from simulator.scenario import Scenario, parse_scenario
from simulator.workload import ARRIVAL_KINDS, POISSON, Streams, poisson_thresholds

RUN_DIGITS = 8
AS_WRITTEN: Any = {"mode": "json", "by_alias": True, "exclude_defaults": True}
CHANGE_STREAM = 1 << 44  # streams after a change of the load, beyond all others
REFUSED_AFTER_US = 1_000  # a connection that is refused costs about a round trip
# A real producer is past a time-out's deadline by this much when it looks at its budget again (48 time-outs of
# live recordings: median 0.7 ms). It matters: after exactly send_msg_timeout one more attempt is made.
TIMEOUT_NOTICE_US = 500
TIMEOUT_SPREAD_US = 800
# An exception, its log line, the next selection (recorded, 4.9.8 s7: median 65 us). It must be something: charged
# latencies of 0 and 1 ms then come in either order.
REFUSAL_US = 30
REFUSAL_SPREAD_US = 70


def slug(name: str) -> str:
    """A name that can be a folder: lower-case letters, digits and dashes."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60] or "run"


def run_id(name: str, digest: str) -> str:
    """What tells a run from others: its scenario's name as a folder can have it, and the begin of its digest, which
    covers every setting and the seed.
    """
    return f"{slug(name)}-{digest[:RUN_DIGITS]}"


def name_in(run: str) -> str:
    """The scenario's name in what `run_id` made."""
    return run[: -RUN_DIGITS - 1]


def _load_changes(scenario: Scenario, threads: Threads) -> tuple[tuple[int, Streams], ...]:
    moments = sorted({at_us for group in scenario.producers for at_us, _ in group.rate_changes})
    return tuple((at_us, _streams(scenario, threads, at_us, n)) for n, at_us in enumerate(moments, 1))


def _streams(scenario: Scenario, threads: Threads, at_us: int = 0, change: int = 0) -> Streams:
    """The streams at a moment. A message of another change of the load has other draws, whatever its number."""
    rates = [g.rate_at(at_us) / (1_000_000 * g.threads * g.batch) for g in scenario.producers]
    # A load that stops: as a Poisson stream of mean 0 whatever its arrivals are, as a gap cannot be without end.
    arrivals = [
        group.arrivals if rate or group.arrivals == "closed" else "poisson"
        for group, rate in zip(scenario.producers, rates, strict=True)
    ]
    kinds = [ARRIVAL_KINDS[name] for name in arrivals]
    counts = [
        poisson_thresholds(float(scenario.window_us * rate)) if kind == POISSON else np.zeros(1, np.int64)
        for rate, kind in zip(rates, kinds, strict=True)
    ]
    padded = np.full((len(counts), max(map(len, counts))), 2**62, np.int64)
    for row, thresholds in zip(padded, counts, strict=True):
        row[: len(thresholds)] = thresholds
    group = threads.group
    return Streams(
        stream=threads.stream + change * CHANGE_STREAM,
        kind=np.array(kinds, np.int64)[group],
        interval_p=np.array([rate.denominator for rate in rates], np.int64)[group],
        interval_q=np.array([rate.numerator for rate in rates], np.int64)[group],
        group=group,
        counts=padded,
        topics=np.stack([topic_thresholds(group, list(scenario.topics)) for group in scenario.producers]),
    )


@dataclass(frozen=True)
class _Run:
    """What all cells of a run share; `clients`: the release of each group of producers.

    `scenario` has a group for the remoting clients of its proxies, `whole` is as it was written.
    """

    scenario: Scenario
    whole: Scenario
    digest: str
    clients: Sequence[Client]
    routes: RoutePlan
    added: Sequence[Table]
    observations: Array
    losses: Losses
    role_changes: Mapping[str, Array]
    histories: Histories


def _settings(run: _Run, plan: MemoryPlan, added_latencies: int) -> Array:
    """Record `settings`; the observations of the run say what it needs."""
    scenario, tables = run.scenario, {int(table) for table in run.observations[:, 3]}
    clients, cells = scenario.clients, np.zeros(size_of(Settings), np.int64)
    settings = Settings.at(cells)
    settings.window_us = scenario.window_us
    settings.topics = len(scenario.topics)
    settings.brokers = len(scenario.brokers)
    settings.producers = len(plan.producers)
    settings.groups = len(scenario.producers)
    settings.detector_on = int(any(client.detects for client in clients))
    settings.detect_period_us = DETECT_PERIOD_MS * 1000
    settings.detect_interval_ms = DETECT_INTERVAL_MS
    settings.detect_timeout_us = DETECT_TIMEOUT_MS * 1000
    settings.refused_after_us = REFUSED_AFTER_US
    settings.timeout_notice_us = TIMEOUT_NOTICE_US
    settings.timeout_spread_us = TIMEOUT_SPREAD_US
    settings.refusal_us = REFUSAL_US
    settings.refusal_spread_us = REFUSAL_SPREAD_US
    settings.routes_on = int(plan.routes.changes)
    settings.name_servers = scenario.name_servers.count
    settings.name_servers_answer = int(scenario.name_servers.rules.answers_unknown)
    settings.poll_period_us = scenario.client.poll_name_server_interval_ms * 1000
    settings.networks_on = int(bool(scenario.network) or LATE in tables)
    settings.connections_on = int(not tables.isdisjoint((DOWN, LINK, LOSS)) or settings.networks_on)
    settings.links_on = int(not tables.isdisjoint((LINK, LOSS)) or settings.networks_on)
    settings.version_count = max(len(plan.routes.versions), 1)
    settings.held_count = plan.held
    some_close = any(client.closes_on_timeout != NEVER for client in run.clients)
    settings.heartbeats_close = int(some_close and longest_silence_us(run.observations) > HEARTBEAT_TIMEOUT_US)
    hedges = scenario.client.policy is not None and scenario.client.policy.hedges
    apart = bool(run.losses.power_us) or scenario.makes_batches or hedges or settings.networks_on
    apart = apart or stores_unheard(scenario)
    settings.ends_apart = int(apart)
    settings.added_latencies = added_latencies
    settings.silences = sum(1 for _ in struck_producers(run.whole))
    fill_send_settings(settings, scenario, run.clients)
    settings.sockets_of_all *= 1 - settings.networks_on
    return cells


def _thread_kinds(scenario: Scenario, clients: Sequence[Client], loops: LoopPlan, first_local: int) -> Array:
    """Region `thread_kinds`."""
    groups = scenario.producers
    is_transactional = np.array([group.transaction is not None for group in groups], np.int64)
    local = np.where(is_transactional == 1, first_local + np.cumsum(is_transactional) - 1, -1)
    return filled(
        ThreadKind,
        len(groups),
        skips=[g.when_blocked == "skip" for g in groups],
        hand_off_limit=[g.hand_off_queue for g in groups],
        way=[way_of(scenario, *each) for each in zip(groups, scenario.clients, clients, strict=True)],
        selector=[SELECTORS[g.selector.kind] for g in groups],
        batch=[g.batch for g in groups],
        local=local,
        loop=loops.places,
    )


def _names(scenario: Scenario, plan: MemoryPlan, number: int) -> Names:
    threads, views, groups = plan.threads, plan.all_threads, scenario.producers
    return Names(
        cell=number,
        producer_of_thread=threads.producer,
        number_of_thread=threads.number,
        producer_of_view=views.producer,
        number_of_view=views.number,
        group_of_thread=threads.group,
        first_producer=int(plan.producers[0]),
        topics=tuple(scenario.topics),
        brokers=tuple(scenario.brokers),
        groups=tuple(group.group for group in groups),
        proxies=proxy_labels(scenario),
        modes=np.array([MODES.index(group.mode) for group in groups], np.int64),
        batches=np.array([group.batch for group in groups], np.int64),
        window_us=scenario.window_us,
        unreachable_is_unavailable=np.array([c.unreachable_is_unavailable for c in plan.clients])[plan.groups],
        has_reachable_flag=np.array([c.has_detector for c in plan.clients])[plan.groups],
    )


def _cell(run: _Run, number: int, threads: Threads) -> CellPlan:
    scenario, clients = run.scenario, run.clients
    plan = MemoryPlan(scenario, clients, threads, run.routes)
    brokers = broker_plan(scenario, plan.has_master, run.losses, run.role_changes)
    messages, loops = message_plan(scenario, len(threads)), loop_plan(scenario, threads)
    locals_us = [g.transaction.local.service_table_us() for g in scenario.producers if g.transaction is not None]
    latencies = [brokers.latencies, *run.added, *locals_us]
    hop = sum(map(len, latencies)) // EDGES
    latencies += [] if scenario.proxies is None else [scenario.proxies.hop.service_table_us()]
    first_local = hop - len(locals_us)
    limits, limit_changes = limit_rows(scenario)
    given = np.array([permits(*each) for each in zip(scenario.clients, clients, strict=True)], np.int64)[plan.groups]
    policy = policy_plan(scenario.client.policy, len(plan.producers), len(scenario.brokers))
    settings = _settings(run, plan, len(brokers.latencies) // EDGES if run.added else -1)
    policy.fill(Settings.at(settings))
    fill_proxy_settings(Settings.at(settings), scenario, hop)
    kinds = client_kinds(scenario.clients, clients)
    fill_kinds(kinds, scenario)
    has_network = Settings.at(settings).networks_on == 1
    network = network_plan(scenario, sum(map(len, latencies)) // EDGES, is_on=has_network)
    return CellPlan(
        number=number,
        digest=run.digest,
        cluster={
            "settings": settings,
            "threads": filled(
                SenderThread, len(threads), producer=threads.producer - threads.producer[0], group=threads.group
            ),
            "thread_kinds": _thread_kinds(scenario, clients, loops, first_local),
            **silences(run.whole, len(plan.producers)),
            "brokers": brokers.rows,
            "role_changes": brokers.role_changes,
            "latencies": np.concatenate([*latencies, *network.tables]),
            "ways": network.ways,
            "client_kinds": kinds,
            "retry_codes": np.concatenate([np.array(c, np.int64) for c in retry_codes(scenario.clients, clients)]),
            "limits": limits,
            "limit_changes": limit_changes,
            "pollers": plan.pollers(),
            "masters": plan.masters(),
            **plan.route_times(),
            "auto_topics": plan.auto_topics(),
            "topics": messages.topics,
            "names_refused": names_refused(scenario, clients),
            "producers": producer_rows(scenario, clients, plan),
            "sizes": messages.sizes,
            "keys": messages.keys,
            "loops": loops.loops,
            "loop_topics": loops.topics,
        },
        clients=tuple(clients),
        strategy_on=tuple(client.send_latency_fault_enable for client in scenario.clients),
        memory=plan.build(),
        streams=_streams(scenario, threads),
        load_changes=_load_changes(scenario, threads),
        closed=np.array(loops.places, np.int64)[threads.group] >= 0,
        first_sends_us=loops.first_sends_us,
        loop_sends_per_window=loops.sends_per_window,
        names=_names(scenario, plan, number),
        in_route=plan.in_route(),
        name_servers=plan.name_servers(),
        known_routes=plan.known_routes(),
        threads_of_producer=plan.thread_counts,
        rings=brokers.rings,
        servers=brokers.servers,
        replicas=brokers.replicas,
        own_selectors={n: g.selector.own for n, g in enumerate(scenario.producers) if g.selector.own is not None},
        takes_records=takes_records(scenario) or bool(run.losses.power_us) or has_network or has_grpc(scenario),
        number_permits=given[:, 0],
        byte_permits=given[:, 1],
        callback_threads=plan.pools.threads,
        key_orders=messages.key_orders,
        policy=policy,
        consumers=consumer_plan(run.whole, run.routes, run.histories),
        silent=silent_producers(run.whole),
        proxies=proxy_plan(scenario, plan.groups),
        elections=planned_elections(run.whole, run.histories) if number == 0 else (),
        replica_states=replica_states(run.whole, run.histories) if number == 0 else (),
    )


def _periods(scenario: Scenario, effects: Sequence[Effect]) -> Iterator[PlannedPeriod]:
    brokers = {name: number for number, name in enumerate(scenario.brokers)}
    groups = {group.group: number for number, group in enumerate(scenario.producers)}
    for effect in effects:
        if not isinstance(effect, TablePeriod):
            continue
        struck = groups.values() if effect.group == "" else [groups[effect.group]]
        for group in struck if effect.table in LINK_PLACES else [0]:
            place = group * len(brokers) + brokers[effect.broker]
            yield PlannedPeriod(effect.at_us, effect.until_us, place, effect.table, effect.value)


def compile_scenario(
    scenario: Scenario,
    run: str | None = None,
    periods: Sequence[PlannedPeriod] | None = None,
    *,
    routes: RoutePlan | None = None,
    client: Client | None = None,
) -> Plan:
    """The plan of a scenario; `run` names its rows, by default after the scenario.

    `periods` stand in the brokers' and links' tables, `routes` is what name servers deliver, instead of what the
    scenario's faults make of them (no broker's role changes then); `client` stands for those of all releases.
    """
    whole, digest, settings = scenario, scenario.digest(), scenario.model_dump(**AS_WRITTEN)
    scenario = with_proxies(whole)
    threads = sender_threads(scenario)
    added = added_latencies(scenario)
    numbers = {text: number for number, text in enumerate(added)}
    histories = set_histories(whole)
    faults, effects = scenario.fault_periods(), all_effects(scenario, numbers, histories)
    changes = role_changes(effects) if periods is None else {}
    if periods is None:
        periods = [*_periods(scenario, effects), *proxy_periods(scenario, faults)]
    periods, tables = summed(periods, list(added.values()))
    shared = _Run(
        scenario=scenario,
        whole=whole,
        digest=digest,
        clients=[client_of(own.release) if client is None else client for own in scenario.clients],
        routes=route_plan(scenario, effects) if routes is None else routes,
        added=tables,
        observations=observations(periods),
        losses=Losses.of(scenario, periods),
        role_changes=changes,
        histories=histories,
    )
    producers = scenario.producer_count
    edges = [producers * c // scenario.cells for c in range(scenario.cells + 1)]
    cells = tuple(_cell(shared, number, threads.of_producers(a, b)) for number, (a, b) in enumerate(pairwise(edges)))
    return Plan(
        run=run or run_id(scenario.name, shared.digest),
        name=slug(scenario.name),
        digest=shared.digest,
        seed=scenario.seed,
        window_us=scenario.window_us,
        duration_us=scenario.duration_us,
        cells=cells,
        observations=shared.observations,
        settings=settings,
    )


def compile_text(text: str) -> Plan:
    """The plan of a scenario's canonical YAML. Raises ScenarioError."""
    return compile_scenario(parse_scenario(text))
