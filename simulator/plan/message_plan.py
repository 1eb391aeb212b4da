"""From a scenario's messages and ways of sending to the regions of the loop's constants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from simulator.client.sending.async_admission import SENDING_QUEUE, byte_permits, number_permits
from simulator.client.sending.message_checks import is_refused
from simulator.compiled.records import Array, size_of
from simulator.compiled.region_store import filled
from simulator.engine.memory import sender_thread
from simulator.engine.memory.sender_thread import Producer
from simulator.engine.memory.settings import FAR, Settings
from simulator.engine.memory.topic import Topic
from simulator.plan.clients.client_kinds import sender_count
from simulator.plan.clients.proxy_plan import remoting_groups
from simulator.plan.memory_plan import MemoryPlan, started_before_us
from simulator.releases.producer_release import Client
from simulator.scenario import ProducerGroup, Scenario
from simulator.scenario.client_settings import ClientSettings
from simulator.scenario.topics import Topic as TopicSettings

WAYS = {"sync": sender_thread.WAY_SYNC, "async": sender_thread.WAY_ASYNC, "oneway": sender_thread.WAY_ONEWAY}
SELECTORS = {
    "none": sender_thread.SELECT_BY_STRATEGY,
    "hash": sender_thread.SELECT_BY_HASH,
    "random": sender_thread.SELECT_BY_RANDOM,
    "machine_room": sender_thread.SELECT_BY_MACHINE_ROOM,
    "own": sender_thread.SELECT_BY_OWN,
}


@dataclass(frozen=True)
class MessagePlan:
    """Regions `topics`, `sizes` and `keys`; key_orders: places of region `key_orders`."""

    topics: Array
    sizes: Array
    keys: Array
    key_orders: int


def message_plan(scenario: Scenario, threads: int) -> MessagePlan:
    """The messages of every topic, for a cell of `threads` sender threads."""
    topics = filled(Topic, len(scenario.topics), size_table=-1, first_key=-1, first_order=-1).reshape(-1)
    sizes: list[Array] = []
    keys: list[Array] = [np.empty(0, np.int64)]
    orders = 0
    for number, topic in enumerate(scenario.topics.values()):
        own = Topic.at(topics, number * size_of(Topic))
        own.constant_bytes = constant = topic.message_bytes.constant_bytes or 0
        own.compress_ppm = topic.compress_ratio_ppm
        if not constant:
            own.size_table = len(sizes)
            sizes.append(topic.message_bytes.table_bytes())
        if topic.message_keys is not None:
            own.key_count = topic.message_keys.count
            thresholds = topic.message_keys.thresholds()
            if len(thresholds):
                own.first_key = sum(map(len, keys))
                keys.append(thresholds)
            if topic.check_order:
                own.first_order = orders
                orders += threads * topic.message_keys.count
    sizes_of_all = np.concatenate([np.empty(0, np.int64), *sizes])
    return MessagePlan(topics, sizes_of_all, np.concatenate(keys), orders)


def names_refused(scenario: Scenario, clients: Sequence[Client]) -> Array:
    """Region `names_refused`."""
    refused = [
        [is_refused(name, client.topic_length_max, client.reserved_topics) for name in scenario.topics]
        for client in clients
    ]
    return np.array(refused, np.int64).reshape(-1)


def _is_plain(topic: str, own: TopicSettings, settings: ClientSettings, client: Client) -> bool:
    """Whether nothing has to be looked at before a topic's messages are sent."""
    constant = own.message_bytes.constant_bytes or 0
    as_it_is = constant < settings.compress_msg_body_over_howmuch_bytes or own.compress_ratio_ppm == 1_000_000
    fits = 0 < constant <= settings.max_message_size_bytes
    refused = is_refused(topic, client.topic_length_max, client.reserved_topics)
    return as_it_is and fits and own.message_keys is None and not refused


def way_of(scenario: Scenario, group: ProducerGroup, settings: ClientSettings, client: Client) -> int:
    """How a group's threads send: WAY_*."""
    if group.grpc is not None:
        return sender_thread.WAY_GRPC if group.mode == "sync" else sender_thread.WAY_GRPC_ASYNC
    is_plain = group.mode == "sync" and group.by_strategy and group.batch == 1 and group.arrivals != "closed"
    is_plain = is_plain and not settings.auto_batch and group.transaction is None
    is_plain = is_plain and all(_is_plain(name, scenario.topics[name], settings, client) for name in group.topics)
    return sender_thread.WAY_PLAIN if is_plain else WAYS[group.mode]


def producer_rows(scenario: Scenario, clients: Sequence[Client], plan: MemoryPlan) -> Array:
    """Region `producers`."""
    first_us, period_us = 1000 * np.array([client.scans_ms for client in clients], np.int64)[plan.groups].T
    before_us = started_before_us(scenario.client, scenario.seed, plan.producers, period_us)
    pools, thread_counts = plan.pools, plan.thread_counts
    return filled(
        Producer,
        len(thread_counts),
        first_thread=np.cumsum(thread_counts) - thread_counts,
        thread_count=thread_counts,
        first_scan_us=first_us - before_us,
        scan_period_us=period_us,
        sender_views=pools.sender_views,
        callback_views=pools.callback_views,
        pool_threads=pools.threads,
        pool_first=pools.first,
        pool_count=pools.size,
        refusals_reported=np.array([client.refusals_reported for client in clients])[plan.groups],
        heartbeat_us=plan.heartbeats_us(),
    )


def takes_records(scenario: Scenario) -> bool:
    """Whether some messages have a record of their own."""
    checked = any(topic.check_order for topic in scenario.topics.values())
    client = scenario.client  # its policy is that of all groups
    asynchronous = any(group.mode == "async" for group in scenario.producers)
    return checked or scenario.makes_batches or asynchronous or (client.policy is not None and client.policy.hedges)


def fill_send_settings(settings: Settings, scenario: Scenario, clients: Sequence[Client]) -> None:
    """The settings that say how messages are sent."""
    settings.seed = scenario.seed
    settings.sender_places = max(map(sender_count, scenario.clients, clients))
    settings.sender_queue = SENDING_QUEUE
    modes = {group.mode for group in remoting_groups(scenario)}
    settings.sockets_of_all = int("async" in modes and len(modes) > 1 and scenario.client.policy is None)
    settings.auto_batch = int(scenario.makes_batches)
    settings.orders_checked = int(any(topic.check_order for topic in scenario.topics.values()))


def permits(settings: ClientSettings, client: Client) -> tuple[int, int]:
    """Permits for messages and bytes of each producer's back-pressure; plenty where none is held."""
    if not settings.enable_backpressure_for_async_mode:
        return FAR, FAR
    given, size = settings.back_pressure_for_async_send_num, settings.back_pressure_for_async_send_size_bytes
    number = client.back_pressure_number if given is None else given
    most_bytes = byte_permits(number if client.number_limits_bytes else size)
    return number_permits(number) if client.holds_permits else FAR, most_bytes
