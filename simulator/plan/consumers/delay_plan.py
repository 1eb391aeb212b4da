"""The delayed messages of a scenario: which they are, and who delivers them at each broker."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from simulator.compiled.records import Array
from simulator.compiled.region_store import columns, filled
from simulator.consumer.broker.delay_levels import parse_delay_level
from simulator.consumer.consumer_releases import BROKER_SIDES
from simulator.consumer.schedule.delay_queue import NO_DELAY_PAGE, NO_QUEUE, DelayQueue, DelayService, Deliverer
from simulator.consumer.schedule.delivering import LOOK_US
from simulator.engine.memory.output import AppendRow
from simulator.engine.memory.settings import FAR
from simulator.plan.thread_list import sender_threads
from simulator.randomness import CONSUMER_TIMER, DELAY_LEVEL, drawn_each, signed_words
from simulator.scenario import Scenario
from simulator.scenario.later.delay import Delay

WORD_BITS = 32
DELIVERERS_PHASE = 1 << 44  # so that they draw otherwise than the timers of brokers


@dataclass(frozen=True)
class DelayPlan:
    """Regions of the machine: services, queues, deliverers; none where nothing is delayed.

    group_of_thread: number of the group of producers, by sender thread; levels: of each group, None: not delayed.
    """

    services: Array
    queues: Array
    deliverers: Array
    seed: int
    group_of_thread: Array
    levels: Sequence[Delay | None]

    def mark(self, rows: Array) -> None:
        """Write the delay level of each message into rows of AppendRow: drawn by the message."""
        if not any(self.levels):
            return
        at = columns(AppendRow)
        group = self.group_of_thread[rows[:, at["thread"]]]
        words = signed_words(self.seed, DELAY_LEVEL, rows[:, at["draw"]], 0).astype(np.uint64) >> np.uint64(WORD_BITS)
        for number, delay in enumerate(self.levels):
            if delay is not None:
                mine = group == number
                rows[mine, at["delay"]] = drawn_levels(delay, words[mine].astype(np.int64))


def drawn_levels(delay: Delay, words: Array) -> Array:
    """The level of each random word below 2**32."""
    levels, weights = np.array(list(delay.level), np.int64), np.cumsum(list(delay.level.values()))
    upper = weights * (1 << WORD_BITS) // weights[-1]
    found: Array = levels[np.searchsorted(upper, words, side="right")]
    return found


def delay_plan(scenario: Scenario, *, retries: bool = False) -> DelayPlan:
    """Who delivers what; `retries`: messages that fail come back through delay levels."""
    levels = [group.delay for group in scenario.producers]
    group_of_thread = sender_threads(scenario).group
    brokers = list(scenario.brokers.values()) if retries or any(levels) else []
    tables = [parse_delay_level(broker.message_delay_level) for broker in brokers]
    counts = np.array([table.max_level for table in tables], np.int64)
    first = np.cumsum(counts) - counts
    apart = np.array([BROKER_SIDES[broker.release].delivers_levels_apart for broker in brokers], np.int64)
    threads = np.where(apart == 1, counts, 1)
    first_thread = np.cumsum(threads) - threads
    broker_of = np.repeat(np.arange(len(brokers)), counts)
    level_of = np.arange(counts.sum()) - first[broker_of] + 1
    apart_of = np.repeat(apart, threads)
    thread_broker = np.repeat(np.arange(len(brokers)), threads)
    number = np.arange(threads.sum()) - first_thread[thread_broker]
    deliver_us = np.array([broker.delayed_delivery_us for broker in brokers], np.int64)
    return DelayPlan(
        services=filled(
            DelayService, len(brokers), first_queue=first, levels=counts, first_deliverer=first_thread,
            deliverers=threads,
        ),
        queues=filled(
            DelayQueue, len(broker_of), broker=broker_of, level=level_of,
            delay_us=[1000 * ms for table in tables for ms in table.table_ms[1:]],
            deliverer=first_thread[broker_of] + apart[broker_of] * (level_of - 1), first_page=NO_DELAY_PAGE,
            last_page=NO_DELAY_PAGE, read_page=NO_DELAY_PAGE, task_us=FAR,
            looked_us=-drawn_each(scenario.seed, CONSUMER_TIMER, np.arange(len(broker_of)) + DELIVERERS_PHASE, LOOK_US),
        ),
        deliverers=filled(
            Deliverer, len(number), broker=thread_broker, first_queue=first[thread_broker] + apart_of * number,
            queues=np.where(apart_of == 1, 1, counts[thread_broker]), is_apart=apart_of,
            deliver_us=deliver_us[thread_broker], at_us=FAR, working=NO_QUEUE,
        ),
        seed=scenario.seed,
        group_of_thread=group_of_thread,
        levels=levels,
    )  # fmt: skip
