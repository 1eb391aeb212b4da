"""From a scenario to the arrays that run it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np

from simulator.broker_rows import broker_rows, disk_losses_us, topic_rows
from simulator.client import memory as at
from simulator.client.blocks import fill_faults, fill_penalty, fill_queues, fill_view, fill_writes
from simulator.client.detector import DETECT_INTERVAL_MS, DETECT_PERIOD_MS, DETECT_TIMEOUT_MS
from simulator.client.queue_list import QueueData, TopicRoute, queue_list, write_queues
from simulator.client.releases import Client, client_of
from simulator.engine import layout
from simulator.engine.columns import Names
from simulator.engine.layout import ANSWER, SPEED, Cluster, Ints
from simulator.plan import CellPlan, ClientMemory, Plan
from simulator.randomness import CLIENT_COUNTER, CLIENT_FAULT_TABLE, hash4
from simulator.scenario import FaultPeriod, ProducerGroup, Scenario, parse_scenario
from simulator.timetable import Period, observations
from simulator.workload import ARRIVAL_KINDS, POISSON, Streams, poisson_thresholds

PPM = 1_000_000
REFUSED_AFTER_US = 1_000  # a connection that is refused costs about a round trip
# A real producer is past a time-out's deadline by this much when it looks at its budget again (48 time-outs of
# live recordings: median 0.7 ms). It matters: after exactly send_msg_timeout one more attempt is made.
TIMEOUT_NOTICE_US = 500
TIMEOUT_SPREAD_US = 800
PERMISSIONS = {"rw": 6, "r": 4, "w": 2, "none": 0}
FAULT_VALUES = {"refuse": layout.ANSWER_REFUSE, "code": layout.ANSWER_CODE, "status": layout.ANSWER_STATUS}


@dataclass(frozen=True)
class _Thread:
    """One sender thread of the run: its number, its producer's, its own within the producer, its group."""

    stream: int
    producer: int
    number: int
    group: int


def slug(name: str) -> str:
    """A name that can be a folder: lower-case letters, digits and dashes."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60] or "run"


def _threads(scenario: Scenario) -> list[_Thread]:
    threads: list[_Thread] = []
    producer = 0
    for number, group in enumerate(scenario.producers):
        for _ in range(group.count):
            threads += [_Thread(len(threads) + t, producer, t, number) for t in range(group.threads)]
            producer += 1
    return threads


def _topic_thresholds(group: ProducerGroup, topics: Sequence[str]) -> Ints:
    weights = np.array([group.topics.get(topic, 0) for topic in topics], dtype=object)
    return np.array([int(w) for w in np.cumsum(weights) * 2**31 // weights.sum()], dtype=np.int64)


def _streams(scenario: Scenario, threads: Sequence[_Thread]) -> Streams:
    gaps = [Fraction(1_000_000 * group.threads) / Fraction(group.rate_per_s) for group in scenario.producers]
    kinds = [ARRIVAL_KINDS[group.arrivals] for group in scenario.producers]
    counts = [
        poisson_thresholds(float(scenario.window_us / gap)) if kind == POISSON else np.zeros(1, np.int64)
        for gap, kind in zip(gaps, kinds, strict=True)
    ]
    padded = np.full((len(counts), max(map(len, counts))), 2**62, np.int64)
    for row, thresholds in zip(padded, counts, strict=True):
        row[: len(thresholds)] = thresholds
    group = np.array([thread.group for thread in threads], np.int64)
    return Streams(
        stream=np.array([thread.stream for thread in threads], np.int64),
        kind=np.array(kinds, np.int64)[group],
        interval_p=np.array([gap.numerator for gap in gaps], np.int64)[group],
        interval_q=np.array([gap.denominator for gap in gaps], np.int64)[group],
        group=group,
        counts=padded,
        topics=np.stack([_topic_thresholds(group, list(scenario.topics)) for group in scenario.producers]),
    )


def _route(scenario: Scenario, topic: str) -> TopicRoute:
    entries = scenario.route(topic)
    order = scenario.topics[topic].order_topic_conf
    return TopicRoute(
        tuple(
            QueueData(entry.broker, entry.read_queues, entry.write_queues, PERMISSIONS[entry.permission])
            for entry in entries
        ),
        {entry.broker: frozenset({0} if entry.master else {1}) for entry in entries},
        None if order is None else ";".join(f"{broker}:{n}" for broker, n in order),
    )


class _MemoryPlan:
    """Lays the client memory of one cell out and fills it."""

    def __init__(self, scenario: Scenario, client: Client, threads: Sequence[_Thread]) -> None:
        self.brokers = {name: number for number, name in enumerate(scenario.brokers)}
        self.routes = [_route(scenario, topic) for topic in scenario.topics]
        self.lists = [
            [(self.brokers[broker], queue_id) for broker, queue_id in queue_list(route)] for route in self.routes
        ]
        self.scenario, self.client, self.threads = scenario, client, threads
        self.producers = sorted({thread.producer for thread in threads})
        settings = scenario.client
        self.latency_max = settings.latency_max_ms or client.latency_max_ms
        self.durations = settings.not_available_duration_ms or client.not_available_duration_ms

    def build(self) -> ClientMemory:
        """The filled memory. A list that the release rewrites is each producer's own, else all share one."""
        topics, brokers = len(self.routes), len(self.brokers)
        copies = len(self.producers) if self.client.rewrites_queue_list else 1
        sizes = [at.queues_size(len(listed)) for listed in self.lists]
        views = 0
        queues = views + len(self.threads) * topics * at.VIEW_SIZE
        writes = queues + copies * sum(sizes)
        penalty = writes + topics * brokers * at.WRITE_SIZE
        faults = penalty + at.penalty_size(len(self.durations))
        fault_size = at.faults_size(brokers)
        cells = np.zeros(faults + len(self.producers) * fault_size, np.int64)
        queue_at = [[queues + copy * sum(sizes) + sum(sizes[:t]) for t in range(topics)] for copy in range(copies)]
        for row in queue_at:
            for offset, listed in zip(row, self.lists, strict=True):
                fill_queues(cells, offset, listed)
        for t, route in enumerate(self.routes):
            known = {self.brokers[name]: entry for name, entry in write_queues(route).items()}
            fill_writes(cells, writes + t * brokers * at.WRITE_SIZE, brokers, known)
        fill_penalty(cells, penalty, self.latency_max, self.durations)
        seed = self.scenario.seed
        for p, producer in enumerate(self.producers):
            fill_faults(
                cells, faults + p * fault_size, list(self.brokers), penalty=penalty, shuffles=self.client.shuffles,
                random=_signed(hash4(seed, CLIENT_FAULT_TABLE, producer, 0)),
                start=self.scenario.client.which_item_worst_start,
            )  # fmt: skip
        first = self.producers[0]
        for th, thread in enumerate(self.threads):
            own = thread.producer - first
            for t in range(topics):
                fill_view(
                    cells, views + (th * topics + t) * at.VIEW_SIZE,
                    queues=queue_at[own if copies > 1 else 0][t], writes=writes + t * brokers * at.WRITE_SIZE,
                    faults=faults + own * fault_size, random=_signed(hash4(seed, CLIENT_COUNTER, thread.stream, t)),
                    start=self.scenario.client.send_which_queue_start,
                )  # fmt: skip
        return ClientMemory(cells, views, faults, fault_size)

    def has_master(self, broker: str) -> bool:
        """Whether any topic's route names a master of that broker."""
        return any(0 in route.broker_ids.get(broker, ()) for route in self.routes)

    def in_route(self) -> Ints:
        """int64[topics, brokers]: 1 where the topic has a queue on the broker."""
        found = np.zeros((len(self.routes), len(self.brokers)), np.int64)
        for t, listed in enumerate(self.lists):
            found[t, [broker for broker, _ in listed]] = 1
        return found


def _signed(word: object) -> int:
    return int(np.uint64(word).astype(np.int64))  # type: ignore[arg-type]


def _settings(scenario: Scenario, plan: _MemoryPlan, memory: ClientMemory) -> Ints:
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
    }
    for place, value in values.items():
        settings[place] = value
    return settings


def _cell(
    scenario: Scenario, digest: str, number: int, threads: Sequence[_Thread], disk_lost_us: Mapping[str, int]
) -> CellPlan:
    client = client_of(scenario.client.release)
    plan = _MemoryPlan(scenario, client, threads)
    memory = plan.build()
    brokers, latencies, servers, rings = broker_rows(scenario, plan.has_master, disk_lost_us)
    groups = scenario.producers
    skips = [[t.producer - plan.producers[0], groups[t.group].when_blocked == "skip", groups[t.group].hand_off_queue]
             for t in threads]  # fmt: skip
    codes = sorted(client.retry_codes | set(scenario.client.retry_response_codes))
    return CellPlan(
        number=number,
        digest=digest,
        cluster=Cluster(
            settings=_settings(scenario, plan, memory),
            threads=np.array(skips, np.int64).reshape(-1),
            brokers=brokers,
            latencies=latencies,
            retry_codes=np.array(codes, np.int64),
            topics=topic_rows(scenario),
        ),
        client=client,
        strategy_on=scenario.client.send_latency_fault_enable,
        memory=memory,
        streams=_streams(scenario, threads),
        names=Names(
            cell=number,
            producer_of_thread=np.array([t.producer for t in threads], np.int64),
            number_of_thread=np.array([t.number for t in threads], np.int64),
            group_of_thread=np.array([t.group for t in threads], np.int64),
            first_producer=plan.producers[0],
            topics=tuple(scenario.topics),
            brokers=tuple(scenario.brokers),
            groups=tuple(group.group for group in groups),
            window_us=scenario.window_us,
            unreachable_is_unavailable=client.behaviour == "5.1.4",
            has_reachable_flag=client.has_detector,
        ),
        in_route=plan.in_route(),
        threads_of_producer=np.bincount([t.producer - plan.producers[0] for t in threads]).astype(np.int64),
        rings=rings,
        servers=servers,
    )


def _periods(scenario: Scenario) -> Iterator[Period]:
    brokers = {name: number for number, name in enumerate(scenario.brokers)}
    for fault in scenario.fault_periods():
        table, value = _table_and_value(fault)
        yield Period(fault.at_us, fault.until_us, brokers[fault.broker], table, value)


def _table_and_value(fault: FaultPeriod) -> tuple[int, int]:
    if fault.kind == "hang":
        return SPEED, 0
    if fault.kind == "slow":
        return SPEED, fault.value
    return ANSWER, FAULT_VALUES[fault.kind] | fault.value


def compile_scenario(scenario: Scenario, run: str | None = None) -> Plan:
    """The plan of a scenario; `run` names its rows, by default after the scenario."""
    threads = _threads(scenario)
    digest = scenario.digest()
    producers = scenario.producer_count
    edges = [producers * c // scenario.cells for c in range(scenario.cells + 1)]
    by_producer: list[list[_Thread]] = [[] for _ in range(producers)]
    for thread in threads:
        by_producer[thread.producer].append(thread)
    periods = list(_periods(scenario))
    lost = disk_losses_us(scenario, periods)
    cells = tuple(
        _cell(scenario, digest, number, [t for own in by_producer[a:b] for t in own], lost)
        for number, (a, b) in enumerate(pairwise(edges))
    )
    return Plan(
        run=run or slug(scenario.name),
        digest=digest,
        seed=scenario.seed,
        window_us=scenario.window_us,
        duration_us=scenario.duration_us,
        cells=cells,
        observations=observations(periods),
        settings=scenario.model_dump(mode="json", by_alias=True, exclude_defaults=True),
    )


def compile_text(text: str) -> Plan:
    """The plan of a scenario's canonical YAML. Raises ScenarioError."""
    return compile_scenario(parse_scenario(text))
