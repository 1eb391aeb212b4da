"""The transactions of a scenario: which are half messages, who is asked about them, and when brokers look."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter

import numpy as np

from simulator.compiled.records import Array
from simulator.compiled.region_store import columns, filled
from simulator.consumer.memory.consumer_settings import (
    PRODUCER_FREEZE,
    PRODUCER_KILL,
    PRODUCER_START,
    PRODUCER_THAW,
    ConsumerSettings,
)
from simulator.consumer.memory.half_message import (
    HALF,
    NO_HALF,
    NO_LINK,
    HalfQueue,
    TransactionGroup,
    TransactionProducer,
)
from simulator.consumer.transactions.beats import HEARTBEAT_US
from simulator.engine.memory.sender_thread import Silence
from simulator.kernel.randomness import CHECK_PHASE, drawn_each
from simulator.plan.consumers.kinds.proxied_plan import clients_over_proxies
from simulator.plan.faults.process_life import ActionRow, Frozen, Gone, LifeKinds, life_actions
from simulator.plan.thread_list import sender_threads
from simulator.releases.broker_release import BROKERS
from simulator.scenario import FaultPeriod, Scenario
from simulator.scenario.later.transaction import thresholds
from simulator.scenario.producers import ProducerGroup

LONG_AGO_US = -1 << 60
LIFE = LifeKinds(PRODUCER_START, PRODUCER_KILL, PRODUCER_FREEZE, PRODUCER_THAW)
PRODUCER_PHASE = 1 << 44
END_US = 1_000  # a broker is at an end request


@dataclass(frozen=True)
class TransactionPlan:
    """Regions of the machine by name, empty without transactions; brokers: how many have half messages."""

    regions: Mapping[str, Array]
    brokers: int

    def fill(self, settings: ConsumerSettings) -> TransactionPlan:
        """Say in the machine's settings what there is of transactions."""
        settings.half_queues, settings.end_us = self.brokers, END_US
        if self.brokers:
            producers = self.regions["transaction_producers"]
            settings.transaction_producers = len(producers)
        return self

    def mark(self, rows: Array, at: Mapping[str, int]) -> None:
        """Write into rows of AppendRow or LossRow, whose columns are `at`, which copies are half messages."""
        if self.brokers:
            group = self.regions["group_of_thread"][rows[:, at["thread"]]]
            half = self.regions["transaction_groups"][group, columns(TransactionGroup)["is_transactional"]] == 1
            rows[half, at["delay"]] = HALF


def silent_producers(scenario: Scenario) -> Array | None:
    """Rows (number of the producer, from when, until when) of the processes that are idle, or kept by a fault."""
    rows = [(number, 0, scenario.duration_us) for number in idle_producers(scenario)]
    rows += [(number, period.at_us, period.until_us) for number, period in struck_producers(scenario)]
    return np.array(rows, np.int64) if rows else None


def silences(scenario: Scenario, producers: int) -> dict[str, Array]:
    """Regions by name: when faults keep the processes of producers from sending, and where each producer's lie."""
    struck = sorted(struck_producers(scenario), key=itemgetter(0))
    rows = filled(
        Silence,
        len(struck),
        from_us=[period.at_us for _, period in struck],
        until_us=[period.until_us for _, period in struck],
        is_gone=[int(period.kind == "kill") for _, period in struck],
    )
    firsts = np.searchsorted([number for number, _ in struck], np.arange(producers + 1 if struck else 0))
    return {"silences": rows, "first_silences": firsts.astype(np.int64)}


def idle_producers(scenario: Scenario) -> Iterator[int]:
    """Numbers of the producers that only answer checks."""
    ends = np.cumsum([group.count for group in scenario.producers]).tolist()
    for end, group in zip(ends, scenario.producers, strict=True):
        if group.transaction is not None:
            yield from range(end - group.transaction.idle, end)


def struck_producers(scenario: Scenario) -> Iterator[tuple[int, FaultPeriod]]:
    """The fault periods of transactional producers, each with the producer's number."""
    first = np.cumsum([0, *(group.count for group in scenario.producers)])
    groups = zip(first.tolist(), scenario.producers, strict=False)
    numbers = [at + i for at, own in groups if own.transaction is not None for i in range(own.count)]
    for period in scenario.fault_periods():
        if "producer" in period.details:
            yield numbers[scenario.transactional.index(period.details["producer"])], period


def producer_actions(scenario: Scenario) -> Iterator[ActionRow]:
    """What the faults do to transactional producers: rows of MachineAction."""
    struck: dict[int, list[FaultPeriod]] = {}
    for number, period in struck_producers(scenario):
        struck.setdefault(number, []).append(period)
    for number, own in struck.items():
        gone = [Gone(one.at_us, one.until_us, PRODUCER_KILL) for one in own if one.kind == "kill"]
        frozen = [Frozen(one.at_us, one.until_us) for one in own if one.kind != "kill"]
        for at_us, kind, value in life_actions(gone, frozen, LIFE, scenario.duration_us):
            yield at_us, kind, number, value


def transaction_plan(scenario: Scenario) -> TransactionPlan:
    """The transactions of a scenario."""
    groups = scenario.producers
    if not any(group.transaction for group in groups):
        none = np.empty(0, np.int64)
        names = ("group_of_thread", "producer_of_thread", "transaction_groups", "answering", "local_times",
                 "half_queues", "transaction_producers", "transaction_links")  # fmt: skip
        return TransactionPlan(dict.fromkeys(names, none), 0)
    threads = sender_threads(scenario)
    sides = [BROKERS[broker.release] for broker in scenario.brokers.values()]
    interval_us = np.array([1000 * (side.transaction_check_interval or 0) for side in sides], np.int64)
    producers = np.arange(scenario.producer_count)
    return TransactionPlan(
        {
            "group_of_thread": threads.group,
            "producer_of_thread": threads.producer,
            "transaction_groups": _groups(groups),
            "answering": np.concatenate(_answering(groups)),
            "transaction_links": np.zeros(len(groups) * len(sides), np.int64),
            "local_times": np.concatenate([g.transaction.local.service_table_us() for g in groups if g.transaction]),
            "half_queues": filled(
                HalfQueue, len(sides), first=NO_HALF, last=NO_HALF, interval_us=interval_us, started_us=LONG_AGO_US,
                first_kept=NO_LINK, batches=[int(side.transaction_op_batch_interval is not None) for side in sides],
                pause_us=[1000 * (side.transaction_check_pause or 0) for side in sides],
                timeout_us=[1000 * (side.transaction_time_out or 0) for side in sides],
                check_max=[side.transaction_check_max or 0 for side in sides],
                refuses_late=[int(side.refuses_late_ends) for side in sides],
                check_us=1 + drawn_each(scenario.seed, CHECK_PHASE, np.arange(len(sides)), interval_us),
            ),
            "transaction_producers": filled(
                TransactionProducer, len(producers), began_us=LONG_AGO_US, client=clients_over_proxies(scenario),
                heartbeat_us=drawn_each(scenario.seed, CHECK_PHASE, producers + PRODUCER_PHASE, HEARTBEAT_US),
            ),
        },
        len(sides),
    )  # fmt: skip


def _answering(groups: Sequence[ProducerGroup]) -> list[Array]:
    """Of each group the numbers of the producers over proxies that answer its checks: those that share a topic."""
    counts = np.array([group.count for group in groups], np.int64)
    ends, found = np.cumsum(counts), []
    over = [group.grpc is not None and group.transaction is not None for group in groups]
    for is_over, group in zip(over, groups, strict=True):
        shares = [is_over and is_other and bool({*group.topics} & {*one.topics})
                  for is_other, one in zip(over, groups, strict=True)]  # fmt: skip
        own = [np.arange(end - count, end) for end, count, is_own in zip(ends, counts, shares, strict=True) if is_own]
        found.append(np.concatenate([np.empty(0, np.int64), *own]))
    return found


def _groups(groups: Sequence[ProducerGroup]) -> Array:
    counts = np.array([group.count for group in groups], np.int64)
    answering = np.array([len(own) for own in _answering(groups)], np.int64)
    own = np.array([group.transaction is not None for group in groups], np.int64)
    said = [group.transaction for group in groups]
    local = np.array([thresholds(one.outcome) if one else (0, 0, 0) for one in said], np.int64)
    check = np.array([thresholds(one.check) if one else (0, 0, 0) for one in said], np.int64)
    running = np.array([thresholds(one.check_while_running) if one else (0, 0, 0) for one in said], np.int64)
    rows = filled(
        TransactionGroup, len(groups), is_transactional=own, first_producer=np.cumsum(counts) - counts,
        producers=counts, local_times=np.maximum(np.cumsum(own) - 1, 0),
        check_us=[one.check_time_us if one else 0 for one in said],
        immunity_us=[one.check_immunity_time_us if one else 0 for one in said],
        over_proxies=[int(group.grpc is not None and group.transaction is not None) for group in groups],
        first_answering=np.cumsum(answering) - answering, answering=answering,
        waits_us=[group.grpc.request_timeout_ms * 1000 if group.grpc else 0 for group in groups],
    )  # fmt: skip
    at = columns(TransactionGroup)
    for name, numbers in (("local", local), ("check", check), ("running", running)):
        for part, column in zip(("commit", "settled", "checked"), numbers.T, strict=True):
            rows[:, at[f"{name}.{part}"]] = column
    return rows
