"""From a scenario's messages and ways of sending to the regions of the loop's constants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from simulator.client.releases import Client
from simulator.client.sending.async_admission import CALLERS_THREAD, SENDING_QUEUE, byte_permits, number_permits
from simulator.client.sending.message_checks import is_refused
from simulator.engine import layout
from simulator.engine.layout import FAR, Ints
from simulator.latency import EDGES
from simulator.plan.pool_plan import Pool
from simulator.randomness import CLIENT_START, hash3
from simulator.scenario import ProducerGroup, Scenario
from simulator.scenario.client_settings import ClientSettings

WAYS = {"sync": layout.WAY_SYNC, "async": layout.WAY_ASYNC, "oneway": layout.WAY_ONEWAY}
SELECTORS = {
    "none": layout.SELECT_BY_STRATEGY,
    "hash": layout.SELECT_BY_HASH,
    "random": layout.SELECT_BY_RANDOM,
    "machine_room": layout.SELECT_BY_MACHINE_ROOM,
    "own": layout.SELECT_BY_OWN,
}

STARTED_WITHIN_US = 50_000  # eight clients of one process: 40 to 50 ms (live recordings, first route of each)


@dataclass(frozen=True)
class MessagePlan:
    """Regions MESSAGE_ROWS, SIZES and KEYS; key_orders: cells of region KEY_ORDERS; plain: topics by name."""

    rows: Ints
    sizes: Ints
    keys: Ints
    key_orders: int
    plain: frozenset[str]


def message_plan(scenario: Scenario, client: Client, threads: int) -> MessagePlan:
    """The messages of every topic, for a cell of `threads` sender threads."""
    rows: list[list[int]] = []
    sizes: list[Ints] = []
    keys: list[Ints] = [np.empty(0, np.int64)]
    orders, plain = 0, set()
    for name, topic in scenario.topics.items():
        constant = topic.message_bytes.constant_bytes or 0
        row = dict.fromkeys(range(layout.MESSAGE_ROW_SIZE), 0)
        row |= {layout.CONSTANT_BYTES: constant, layout.COMPRESS_PPM: topic.compress_ratio_ppm}
        row |= {layout.SIZE_TABLE: -1, layout.KEY_TABLE: -1, layout.KEY_ORDER: -1}
        if not constant:
            row[layout.SIZE_TABLE] = len(sizes) * EDGES
            sizes.append(topic.message_bytes.table_bytes())
        if topic.message_keys is not None:
            row[layout.KEY_COUNT] = topic.message_keys.count
            thresholds = topic.message_keys.thresholds()
            row[layout.KEY_TABLE] = sum(map(len, keys)) if len(thresholds) else -1
            keys.append(thresholds)
            if topic.check_order:
                row[layout.KEY_ORDER] = orders
                orders += threads * topic.message_keys.count * layout.KEY_ORDER_SIZE
        refused = is_refused(name, client.topic_length_max, client.reserved_topics)
        row[layout.NAME_REFUSED] = int(refused)
        settings = scenario.client
        as_it_is = constant < settings.compress_msg_body_over_howmuch_bytes or topic.compress_ratio_ppm == 1_000_000
        fits = 0 < constant <= settings.max_message_size_bytes
        if as_it_is and fits and topic.message_keys is None and not refused:
            plain.add(name)
        rows.append(list(row.values()))
    return MessagePlan(
        np.array(rows, np.int64).reshape(-1),
        np.concatenate([np.empty(0, np.int64), *sizes]),
        np.concatenate(keys),
        orders,
        frozenset(plain),
    )


def way_of(group: ProducerGroup, plan: MessagePlan) -> int:
    """How a group's threads send: layout.WAY_*."""
    is_plain = group.mode == "sync" and group.by_strategy and group.batch == 1 and group.arrivals != "closed"
    return layout.WAY_PLAIN if is_plain and plan.plain.issuperset(group.topics) else WAYS[group.mode]


def producer_rows(scenario: Scenario, client: Client, producers: Sequence[int], pools: Sequence[Pool]) -> Ints:
    """Region PRODUCER_ROWS. A client started up to one period of its scans before the run.

    With poll_phase aligned all began at once, that is, within the time that starting some clients takes.
    """
    first_us, period_us = (1000 * ms for ms in client.scans_ms)
    spread_us = STARTED_WITHIN_US if scenario.client.poll_phase == "aligned" else period_us
    words = [int(hash3(scenario.seed, CLIENT_START, producer)) for producer in producers]
    rows = [(first_us - word % spread_us, period_us, *pool) for word, pool in zip(words, pools, strict=True)]
    return np.array(rows, np.int64).reshape(-1)


def takes_records(scenario: Scenario) -> bool:
    """Whether some messages have a record of their own."""
    checked = any(topic.check_order for topic in scenario.topics.values())
    return checked or any(group.mode == "async" for group in scenario.producers)


def send_settings(scenario: Scenario, client: Client) -> dict[int, int]:
    """The cells of Cluster.settings that say how messages are sent."""
    settings = scenario.client
    callers = client.sending_threads == CALLERS_THREAD
    return {
        layout.ASYNC_ATTEMPTS_TOTAL: 1 + settings.retry_times_when_send_async_failed,
        layout.ASYNC_SENDERS: 0 if callers else settings.async_sender_threads,
        layout.SENDER_QUEUE: SENDING_QUEUE,
        layout.CONNECT_BLOCKS: int(client.connect_blocks),
        layout.BACK_PRESSURE: int(settings.enable_backpressure_for_async_mode),
        layout.MAX_MESSAGE_BYTES: settings.max_message_size_bytes,
        layout.COMPRESS_OVER_BYTES: settings.compress_msg_body_over_howmuch_bytes,
        layout.ORDERS_CHECKED: int(any(topic.check_order for topic in scenario.topics.values())),
    }


def permits(settings: ClientSettings) -> tuple[int, int]:
    """Permits for messages and bytes of each producer's back-pressure."""
    if not settings.enable_backpressure_for_async_mode:
        return FAR, FAR
    return (
        number_permits(settings.back_pressure_for_async_send_num),
        byte_permits(settings.back_pressure_for_async_send_size_bytes),
    )
