"""The delayed messages of a scenario: which they are, and who delivers them at each broker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from simulator.compiled.records import Array
from simulator.compiled.region_store import filled
from simulator.consumer.memory.delay_queue import NO_DELAY_PAGE, NO_QUEUE, DelayQueue, DelayService, Deliverer
from simulator.consumer.rules.delay_levels import DelayLevels, parse_delay_level
from simulator.consumer.schedule.delivering import FIRST_TIMER, LOOK_US
from simulator.engine.memory.settings import FAR
from simulator.kernel.randomness import CONSUMER_TIMER, DELAY_LEVEL, drawn_each, signed_words
from simulator.plan.thread_list import sender_threads
from simulator.releases.broker_release import BROKERS
from simulator.scenario import Scenario
from simulator.scenario.brokers.broker import Broker
from simulator.scenario.later.delay import Delay, Timer

WORD_BITS = 32
DELIVERERS_PHASE = 1 << 44  # so that they draw otherwise than the timers of brokers


@dataclass(frozen=True)
class DelayPlan:
    """Regions of the machine: services, queues, deliverers; none where nothing is delayed.

    group_of_thread: number of the group of producers, by sender thread; delays: of each group, None: not delayed;
    timers: the delays and moments of timer messages, each once.
    """

    services: Array
    queues: Array
    deliverers: Array
    seed: int
    group_of_thread: Array
    delays: Sequence[Delay | None]
    timers: Sequence[Timer]

    def mark(self, rows: Array, at: Mapping[str, int]) -> None:
        """Write the delay of each message into rows of AppendRow or LossRow, as a level: drawn by the message.

        `at`: their columns.
        """
        if not any(self.delays):
            return
        group = self.group_of_thread[rows[:, at["thread"]]]
        words = signed_words(self.seed, DELAY_LEVEL, rows[:, at["draw"]], 0).astype(np.uint64) >> np.uint64(WORD_BITS)
        for number, delay in enumerate(self.delays):
            if delay is not None:
                mine = group == number
                levels, weights = drawn_among(delay, self.timers)
                rows[mine, at["delay"]] = drawn_levels(levels, weights, words[mine].astype(np.int64))


def drawn_among(delay: Delay, timers: Sequence[Timer]) -> tuple[list[int], list[int]]:
    """The levels that messages are sent with, and their weights; timer messages have levels from FIRST_TIMER on."""
    if delay.level is not None:
        return list(delay.level), list(delay.level.values())
    shares = delay.timers
    return [FIRST_TIMER + timers.index(own) if own.is_later else 0 for own in shares], list(shares.values())


def drawn_levels(levels: Sequence[int], weights: Sequence[int], words: Array) -> Array:
    """The level of each random word below 2**32."""
    total = np.cumsum(weights)
    found: Array = np.array(levels, np.int64)[
        np.searchsorted(total * (1 << WORD_BITS) // total[-1], words, side="right")
    ]
    return found


def timers_of(scenario: Scenario) -> list[Timer]:
    """The delays and moments that timer messages are sent with, each once."""
    every = [own for group in scenario.producers if group.delay is not None for own in group.delay.timers]
    return sorted({own for own in every if own.is_later})


def delay_plan(scenario: Scenario, *, retries: bool = False) -> DelayPlan:
    """Who delivers what; `retries`: messages that fail come back through delay levels."""
    delays, timers = [group.delay for group in scenario.producers], timers_of(scenario)
    leveled = retries or any(delay is not None and delay.level is not None for delay in delays)
    brokers = list(scenario.brokers.values()) if leveled or timers else []
    layout = _layout(brokers, [parse_delay_level(own.message_delay_level) for own in brokers], len(timers), leveled)
    return DelayPlan(
        services=filled(
            DelayService, len(brokers), first_queue=layout.first, levels=layout.levels,
            queues=layout.levels + len(timers), first_deliverer=layout.first_thread, deliverers=layout.threads,
            persists_at_stop=[int(BROKERS[own.release].persists_delay_offsets_at_stop) for own in brokers],
        ),
        queues=_queues(layout, brokers, timers, scenario.seed),
        deliverers=_deliverers(layout, brokers, len(timers)),
        seed=scenario.seed,
        group_of_thread=sender_threads(scenario).group,
        delays=delays,
        timers=timers,
    )  # fmt: skip


@dataclass(frozen=True)
class _Layout:
    """By broker: its levels and their delays, first queue, threads; apart: 1 where each level has a thread."""

    tables: Sequence[DelayLevels]
    levels: Array
    first: Array
    apart: Array
    threads: Array
    first_thread: Array


def _layout(brokers: Sequence[Broker], tables: Sequence[DelayLevels], timers: int, leveled: bool) -> _Layout:
    levels = np.array([table.max_level if leveled else 0 for table in tables], np.int64)
    apart = np.array([BROKERS[broker.release].delivers_levels_apart for broker in brokers], np.int64)
    threads = np.where(apart == 1, levels, np.minimum(levels, 1)) + (timers > 0)
    queues = levels + timers
    return _Layout(tables, levels, np.cumsum(queues) - queues, apart, threads, np.cumsum(threads) - threads)


def _queues(layout: _Layout, brokers: Sequence[Broker], timers: Sequence[Timer], seed: int) -> Array:
    """The queues of each broker: of its levels, then of its wheel."""
    broker_of = np.repeat(np.arange(len(brokers)), layout.levels + len(timers))
    level_of = np.arange(len(broker_of)) - layout.first[broker_of] + 1
    levels = layout.levels[broker_of]
    is_timer = level_of > levels
    delays_us = [
        us
        for table, count in zip(layout.tables, layout.levels.tolist(), strict=True)
        for us in (*(1000 * ms for ms in table.table_ms[1 : count + 1]), *(own.delay_us for own in timers))
    ]
    last_thread = (layout.first_thread + layout.threads - 1)[broker_of]
    drawn_us = drawn_each(seed, CONSUMER_TIMER, np.arange(len(broker_of)) + DELIVERERS_PHASE, LOOK_US)
    head = layout.first[broker_of] + levels
    return filled(
        DelayQueue, len(broker_of), broker=broker_of, level=level_of, delay_us=delays_us,
        precision_us=np.where(is_timer, np.array([own.timer_precision_us for own in brokers], np.int64)[broker_of], 0),
        moment_us=[
            us for count in layout.levels.tolist() for us in (*(count * [0]), *(own.moment_us for own in timers))
        ],
        counted_at=np.where(is_timer, head, np.arange(len(broker_of))),
        deliverer=np.where(
            is_timer, last_thread, layout.first_thread[broker_of] + layout.apart[broker_of] * (level_of - 1)
        ),
        first_page=NO_DELAY_PAGE, last_page=NO_DELAY_PAGE, read_page=NO_DELAY_PAGE, task_us=FAR,
        slave_offset=np.where([own.is_elected or own.escapes for own in brokers], 0, FAR)[broker_of],
        looked_us=-drawn_us[np.where(is_timer, head, np.arange(len(broker_of)))],
    )  # fmt: skip


def _deliverers(layout: _Layout, brokers: Sequence[Broker], timers: int) -> Array:
    """The threads of each broker: of its levels, then one for all that its wheel delivers."""
    broker_of = np.repeat(np.arange(len(brokers)), layout.threads)
    number = np.arange(len(broker_of)) - layout.first_thread[broker_of]
    is_timer = (number == layout.threads[broker_of] - 1) & (timers > 0)
    apart, levels = layout.apart[broker_of], layout.levels[broker_of]
    level_us = np.array([broker.delayed_delivery_us for broker in brokers], np.int64)[broker_of]
    timer_us = np.array([broker.timer_delivery_us for broker in brokers], np.int64)[broker_of]
    return filled(
        Deliverer, len(number), broker=broker_of,
        first_queue=layout.first[broker_of] + np.where(is_timer, levels, apart * number),
        queues=np.where(is_timer, timers, np.where(apart == 1, 1, levels)),
        is_apart=np.where(is_timer, 1, apart), deliver_us=np.where(is_timer, timer_us, level_us),
        at_us=FAR, working=NO_QUEUE,
    )  # fmt: skip
