"""From a scenario to the arrays that run it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np

from simulator.client.faults.detector_round import DETECT_INTERVAL_MS, DETECT_PERIOD_MS, DETECT_TIMEOUT_MS
from simulator.client.releases import client_of
from simulator.engine import layout
from simulator.engine.arrays import Cluster
from simulator.engine.layout import DOWN, LINK, LOSS, Ints
from simulator.plan.broker_rows import Losses, broker_rows, topic_rows
from simulator.plan.effects import Effect, TablePeriod, effects_of, latency_text
from simulator.plan.loop_plan import loop_plan, topic_thresholds
from simulator.plan.memory_plan import MemoryPlan, Thread
from simulator.plan.message_plan import (
    SELECTORS,
    message_plan,
    permits,
    producer_rows,
    send_settings,
    takes_records,
    way_of,
)
from simulator.plan.route_plan import RoutePlan, route_plan
from simulator.plan.run_plan import CellPlan, ClientMemory, Plan
from simulator.plan.timetable import LINK_PLACES, Period, observations
from simulator.run.row_tables import MODES, Names
from simulator.run.workload import ARRIVAL_KINDS, POISSON, Streams, poisson_thresholds
from simulator.scenario import Latency, Scenario, parse_scenario

PPM = 1_000_000
REFUSED_AFTER_US = 1_000  # a connection that is refused costs about a round trip
# A real producer is past a time-out's deadline by this much when it looks at its budget again (48 time-outs of
# live recordings: median 0.7 ms). It matters: after exactly send_msg_timeout one more attempt is made.
TIMEOUT_NOTICE_US = 500
TIMEOUT_SPREAD_US = 800


def slug(name: str) -> str:
    """A name that can be a folder: lower-case letters, digits and dashes."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60] or "run"


def _threads(scenario: Scenario) -> list[Thread]:
    threads: list[Thread] = []
    producer = 0
    for number, group in enumerate(scenario.producers):
        for _ in range(group.count):
            threads += [Thread(len(threads) + t, producer, t, number) for t in range(group.threads)]
            producer += 1
    return threads


def _streams(scenario: Scenario, threads: Sequence[Thread]) -> Streams:
    rates = [Fraction(g.rate_per_s or 0) / (1_000_000 * g.threads * g.batch) for g in scenario.producers]
    kinds = [ARRIVAL_KINDS[group.arrivals] for group in scenario.producers]
    counts = [
        poisson_thresholds(float(scenario.window_us * rate)) if kind == POISSON else np.zeros(1, np.int64)
        for rate, kind in zip(rates, kinds, strict=True)
    ]
    padded = np.full((len(counts), max(map(len, counts))), 2**62, np.int64)
    for row, thresholds in zip(padded, counts, strict=True):
        row[: len(thresholds)] = thresholds
    group = np.array([thread.group for thread in threads], np.int64)
    return Streams(
        stream=np.array([thread.stream for thread in threads], np.int64),
        kind=np.array(kinds, np.int64)[group],
        interval_p=np.array([rate.denominator for rate in rates], np.int64)[group],
        interval_q=np.array([rate.numerator for rate in rates], np.int64)[group],
        group=group,
        counts=padded,
        topics=np.stack([topic_thresholds(group, list(scenario.topics)) for group in scenario.producers]),
    )


@dataclass(frozen=True)
class _Run:
    """What all cells of a run share."""

    scenario: Scenario
    digest: str
    routes: RoutePlan
    added: Sequence[Latency]
    observations: Ints
    losses: Losses


def _settings(run: _Run, plan: MemoryPlan, memory: ClientMemory, added_at: int) -> Ints:
    """Cluster.settings; the observations of the run say what it needs."""
    scenario, tables = run.scenario, {int(table) for table in run.observations[:, 3]}
    client, settings = scenario.client, np.zeros(layout.SETTINGS_SIZE, np.int64)
    cap = client.send_msg_max_timeout_per_request_ms
    values = {
        layout.WINDOW_US: scenario.window_us,
        layout.TOPICS: len(scenario.topics),
        layout.BROKERS: len(scenario.brokers),
        layout.PRODUCERS: len(plan.producers),
        layout.STRATEGY_ON: int(client.send_latency_fault_enable),
        layout.SEND_MSG_TIMEOUT_MS: client.send_msg_timeout_ms,
        layout.MAX_TIMEOUT_PER_REQUEST_MS: -1 if cap is None else cap,
        layout.ATTEMPTS_TOTAL: 1 + client.retry_times_when_send_failed,
        layout.RETRY_NOT_STORE_OK: int(client.retry_another_broker_when_not_store_ok),
        layout.DETECTOR_ON: int(client.detects),
        layout.DETECT_PERIOD_US: DETECT_PERIOD_MS * 1000,
        layout.DETECT_INTERVAL_MS: DETECT_INTERVAL_MS,
        layout.DETECT_TIMEOUT_US: DETECT_TIMEOUT_MS * 1000,
        layout.REFUSED_AFTER_US: REFUSED_AFTER_US,
        layout.TIMEOUT_NOTICE_US: TIMEOUT_NOTICE_US,
        layout.TIMEOUT_SPREAD_US: TIMEOUT_SPREAD_US,
        layout.VIEWS: memory.views,
        layout.FAULT_TABLES: memory.faults,
        layout.FAULT_TABLE_SIZE: memory.fault_size,
        layout.ROUTES_ON: int(plan.routes.changes),
        layout.NAME_SERVERS: scenario.name_servers.count,
        layout.POLL_PERIOD_US: client.poll_name_server_interval_ms * 1000,
        layout.CONNECTIONS_ON: int(not tables.isdisjoint((DOWN, LINK, LOSS))),
        layout.LINKS_ON: int(not tables.isdisjoint((LINK, LOSS))),
        layout.GROUPS: len(scenario.producers),
        layout.VERSION_COUNT: max(len(plan.routes.versions), 1),
        layout.ROUTE_HOLDS: plan.holds,
        layout.HELD_VIEWS: plan.held_views,
        layout.HELD_COUNT: plan.held,
        layout.CLOSES_ON_TIMEOUT: plan.client.closes_on_timeout,
        layout.FAILS_FAST: int(plan.client.fails_fast),
        layout.FLUSHES_AWAITED: int(bool(run.losses.power_us)),
        layout.CONNECT_TIMEOUT_US: client.connect_timeout_ms * 1000,
        layout.ADDED_LATENCIES: added_at,
    }
    values |= send_settings(scenario, plan.client)
    for place, value in values.items():
        settings[place] = value
    return settings


def _cell(run: _Run, number: int, threads: Sequence[Thread]) -> CellPlan:
    scenario = run.scenario
    client = client_of(scenario.client.release)
    plan = MemoryPlan(scenario, client, threads, run.routes)
    memory = plan.build()
    brokers, latencies, servers, rings = broker_rows(scenario, plan.has_master, run.losses)
    added_at = len(latencies) if run.added else -1
    latencies = np.concatenate([latencies, *(latency.service_table_us() for latency in run.added)])
    groups = scenario.producers
    messages = message_plan(scenario, client, len(threads))
    loops = loop_plan(scenario, threads, len(messages.sizes))
    of_group = [
        [g.when_blocked == "skip", g.hand_off_queue, n, way_of(g, messages), SELECTORS[g.selector.kind], g.batch, loop]
        for n, (g, loop) in enumerate(zip(groups, loops.places, strict=True))
    ]
    of_thread = np.array([[t.producer - plan.producers[0], *of_group[t.group]] for t in threads], np.int64)
    number_permits, byte_permits = permits(scenario.client)
    codes = sorted(client.retry_codes | set(scenario.client.retry_response_codes))
    return CellPlan(
        number=number,
        digest=run.digest,
        cluster=Cluster(
            settings=_settings(run, plan, memory, added_at),
            threads=np.pad(of_thread, ((0, 0), (0, layout.THREAD_SIZE - of_thread.shape[1]))).reshape(-1),
            brokers=brokers,
            latencies=latencies,
            retry_codes=np.array(codes, np.int64),
            topics=topic_rows(scenario),
            pollers=plan.pollers(),
            versions=plan.versions,
            masters=plan.masters().reshape(-1),
            route_times=plan.route_times(),
            auto_topics=plan.auto_topics(),
            messages=messages.rows,
            producers=producer_rows(scenario, client, plan.producers, plan.pools),
            sizes=np.concatenate([messages.sizes, loops.rows]),
            keys=messages.keys,
        ),
        client=client,
        strategy_on=scenario.client.send_latency_fault_enable,
        memory=memory,
        streams=_streams(scenario, threads),
        closed=np.array([loops.places[t.group] >= 0 for t in threads]),
        first_sends_us=loops.first_sends_us,
        loop_sends_per_window=loops.sends_per_window,
        names=Names(
            cell=number,
            producer_of_thread=np.array([t.producer for t in threads], np.int64),
            number_of_thread=np.array([t.number for t in threads], np.int64),
            producer_of_view=np.array([t.producer for t in (*threads, *plan.pool_threads)], np.int64),
            number_of_view=np.array([t.number for t in (*threads, *plan.pool_threads)], np.int64),
            group_of_thread=np.array([t.group for t in threads], np.int64),
            first_producer=plan.producers[0],
            topics=tuple(scenario.topics),
            brokers=tuple(scenario.brokers),
            groups=tuple(group.group for group in groups),
            modes=np.array([MODES.index(group.mode) for group in groups], np.int64),
            batches=np.array([group.batch for group in groups], np.int64),
            window_us=scenario.window_us,
            unreachable_is_unavailable=client.behaviour == "5.1.4",
            has_reachable_flag=client.has_detector,
        ),
        in_route=plan.in_route(),
        producer_routes=plan.producer_routes(),
        threads_of_producer=np.bincount([t.producer - plan.producers[0] for t in threads]).astype(np.int64),
        rings=rings,
        servers=servers,
        own_selectors={n: g.selector.own for n, g in enumerate(groups) if g.selector.own is not None},
        takes_records=takes_records(scenario) or bool(run.losses.power_us),
        number_permits=number_permits,
        byte_permits=byte_permits,
        callback_threads=scenario.client.async_sender_threads,
        key_orders=messages.key_orders,
    )


def _periods(scenario: Scenario, effects: Sequence[Effect]) -> Iterator[Period]:
    brokers = {name: number for number, name in enumerate(scenario.brokers)}
    groups = {group.group: number for number, group in enumerate(scenario.producers)}
    for effect in effects:
        if not isinstance(effect, TablePeriod):
            continue
        struck = groups.values() if effect.group == "" else [groups[effect.group]]
        for group in struck if effect.table in LINK_PLACES else [0]:
            place = group * len(brokers) + brokers[effect.broker]
            yield Period(effect.at_us, effect.until_us, place, effect.table, effect.value)


def _added_latencies(scenario: Scenario) -> dict[str, Latency]:
    """The distributions that slow brokers add, by the text that names them, in the order of their numbers."""
    periods = [p for p in scenario.fault_periods() if "latency" in p.details]
    return {latency_text(p): Latency.model_validate(p.details["latency"]) for p in periods}


def compile_scenario(scenario: Scenario, run: str | None = None, periods: Sequence[Period] | None = None) -> Plan:
    """The plan of a scenario; `run` names its rows, by default after the scenario.

    `periods` stand in the brokers' and links' tables instead of what the scenario's faults put there.
    """
    threads = _threads(scenario)
    added = _added_latencies(scenario)
    numbers = {text: number for number, text in enumerate(added)}
    effects = [effect for period in scenario.fault_periods() for effect in effects_of(period, numbers)]
    if periods is None:
        periods = list(_periods(scenario, effects))
    shared = _Run(
        scenario=scenario,
        digest=scenario.digest(),
        routes=route_plan(scenario, effects),
        added=list(added.values()),
        observations=observations(periods),
        losses=Losses.of(scenario, periods),
    )
    producers = scenario.producer_count
    edges = [producers * c // scenario.cells for c in range(scenario.cells + 1)]
    by_producer: list[list[Thread]] = [[] for _ in range(producers)]
    for thread in threads:
        by_producer[thread.producer].append(thread)
    cells = tuple(
        _cell(shared, number, [t for own in by_producer[a:b] for t in own])
        for number, (a, b) in enumerate(pairwise(edges))
    )
    return Plan(
        run=run or slug(scenario.name),
        digest=shared.digest,
        seed=scenario.seed,
        window_us=scenario.window_us,
        duration_us=scenario.duration_us,
        cells=cells,
        observations=shared.observations,
        settings=scenario.model_dump(mode="json", by_alias=True, exclude_defaults=True),
    )


def compile_text(text: str) -> Plan:
    """The plan of a scenario's canonical YAML. Raises ScenarioError."""
    return compile_scenario(parse_scenario(text))
