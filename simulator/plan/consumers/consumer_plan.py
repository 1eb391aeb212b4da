"""The consumers of a scenario as their machine reads them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import gcd

import numpy as np

from simulator.compiled.records import Array, size_of
from simulator.compiled.region_store import filled
from simulator.consumer.allocation.fill import sharing_memory
from simulator.consumer.links.hung_connections import DEAD_MAX
from simulator.consumer.memory.consumer_group import ReadingGroup
from simulator.consumer.memory.consumer_settings import ConsumerSettings
from simulator.consumer.memory.consumer_world import ConsumptionRules
from simulator.consumer.memory.fate import NO_TOPIC
from simulator.consumer.memory.instance import Instance
from simulator.consumer.memory.queue_log import LogTopic, QueueLog
from simulator.consumer.rules.process_queue import CachedMessage, ProcessQueue
from simulator.kernel.randomness import FIRST_NAME_SERVER, drawn_each
from simulator.plan.clients.proxy_plan import proxy_labels
from simulator.plan.consumers.backlog_plan import BacklogPlan, backlog_plan
from simulator.plan.consumers.consumer_routes import route_masters, route_queues, route_times
from simulator.plan.consumers.consumption_plan import kind_of
from simulator.plan.consumers.delay_plan import DelayPlan, delay_plan
from simulator.plan.consumers.group_plan import group_row, put_deduplication
from simulator.plan.consumers.group_strategy import distinct_ids, group_strategy, id_numbers
from simulator.plan.consumers.handling_plan import fresh_tallies, no_retries, put_handling, serving_brokers
from simulator.plan.consumers.instance_plan import absent, actions, of_instances
from simulator.plan.consumers.kinds.pop_plan import as_brokers_know, pop_places, popping_by_topic
from simulator.plan.consumers.kinds.proxied_plan import ProxiedPlan, proxied_plan, put_proxied
from simulator.plan.consumers.own_topics import groups_that_fail, own_topics, retry_topics, with_own_topics
from simulator.plan.consumers.store_plan import (
    entry_bytes,
    logs_by_broker,
    most_threads,
    pull_threads,
    queue_logs,
    returns_to_first,
    store_rules,
)
from simulator.plan.consumers.subscriptions.filter_plan import filter_regions
from simulator.plan.consumers.subscriptions.subscription_plan import EVERY, first_subscriptions, subscription_plan
from simulator.plan.consumers.transaction_plan import TransactionPlan, transaction_plan
from simulator.plan.failover.failover_effects import Histories
from simulator.plan.route_plan import RoutePlan, client_of
from simulator.releases.consumer_release import ConsumerClient, consumer_of
from simulator.scenario import Scenario
from simulator.scenario.consuming.consumers import ConsumerGroup

LINK_US = 200
REPUT_US = 500  # ReputMessageService looks every millisecond
NOTICE_US = 1_000
PPM = 1_000_000
# a process queue with its entries is found by its number: it takes the cells of a whole number of ProcessQueue
ENTRIES_AT_ONCE = size_of(ProcessQueue) // gcd(size_of(ProcessQueue), size_of(CachedMessage))


@dataclass(frozen=True)
class ConsumerNames:
    """What the numbers of the machine stand for: instances by their number, queues by that of their log."""

    window_us: int
    topics: Sequence[str]
    brokers: Sequence[str]
    groups: Sequence[str]
    instances: Sequence[str]
    proxies: Sequence[str]
    group_of_instance: Array
    group_of_subscription: Array
    topic_of_subscription: Array
    instance_of_subscription: Array  # where the group is broadcasting, else below 0
    topic_of_log: Array
    broker_of_log: Array
    queue_of_log: Array


@dataclass(frozen=True)
class ConsumerPlan:
    """cluster: regions that do not change; logs, instances: those regions at the start; sharings: by subscription.

    queue_room: entries of a process queue; clients: by subscription; consumption: by group.
    topics: whether each is read, bool[topics].
    actions: what happens to instances, rows of MachineAction in order of time; absent: instances that join later.
    delays, transactions: of messages that are readable later. proxied: who consumes over proxies.
    serving, tallies, sent_back, pull_threads, pop_waits: those regions at the start.
    backlog: what was stored before, None where no group has one.
    """

    cluster: dict[str, Array]
    logs: Array
    instances: Array
    sharings: Sequence[Array]
    clients: Sequence[ConsumerClient]
    consumption: Sequence[ConsumptionRules]
    names: ConsumerNames
    topics: Array
    queue_room: int
    workers: int
    most_batch: int
    actions: Array
    absent: Array
    delays: DelayPlan
    serving: Array
    tallies: Array
    sent_back: Array
    transactions: TransactionPlan
    pull_threads: Array
    pop_waits: Array
    proxied: ProxiedPlan
    backlog: BacklogPlan | None

    @property
    def settings(self) -> ConsumerSettings:
        """The settings of its machine."""
        return ConsumerSettings.at(self.cluster["settings"])

    @property
    def oldest_us(self) -> int:
        """Age of the oldest message as the scenario begins."""
        return 0 if self.backlog is None else self.backlog.oldest_us

    def ending(self, until_us: int) -> ConsumerPlan:
        """The same with another end."""
        cells = self.cluster["settings"].copy()
        ConsumerSettings.at(cells).duration_us = until_us
        return replace(self, cluster=self.cluster | {"settings": cells})


def consumer_plan(scenario: Scenario, routes: RoutePlan, histories: Histories) -> ConsumerPlan | None:
    """What the machine needs, None where nobody consumes; `histories`: of the replica sets."""
    if not scenario.consumers:
        return None
    scenario = as_brokers_know(scenario)
    groups, brokers = scenario.consumers, list(scenario.brokers)
    topics, retried = [*scenario.topics, *own_topics(scenario)], retry_topics(scenario)
    failing = groups_that_fail(scenario)
    routes = with_own_topics(scenario, routes)
    read = {topic for group in groups.values() for topic in group.readings}.union(*retried.values())
    logs, log_topics, numbers = queue_logs(scenario, routes, topics, read)
    clients = [consumer_of(group.release or scenario.client.release) for group in groups.values()]
    counts = [group.instances for group in groups.values()]
    first_instance = np.cumsum([0, *counts])
    threads = np.repeat([group.threads for group in groups.values()], counts)
    filters, first_sql = filter_regions(scenario, topics)
    sizes = dict(zip(topics, log_topics[:, 1].tolist(), strict=True))
    heard = subscription_plan(groups, scenario.topics, sizes, retried, first_sql)
    own_of = [list(groups).index(name) for name in heard.groups]
    first_subscription = np.cumsum([0, *heard.counts])
    names = scenario.instances
    most_cached = max(group.pull_threshold_for_queue for group in groups.values())
    queue_room = -(-2 * (most_cached + 64) // ENTRIES_AT_ONCE) * ENTRIES_AT_ONCE
    group_rows = [
        group_row(own, client, int(first_instance[n]), int(first_subscription[n]), heard.counts[n])
        for n, (own, client) in enumerate(zip(groups.values(), clients, strict=True))
    ]
    kinds = [kind_of(own) for own in groups.values()]
    for row, client, name, kind in zip(group_rows, clients, groups, kinds, strict=True):
        retry_topic = topics.index(retried[name][0]) if name in failing else NO_TOPIC
        put_handling(ReadingGroup.at(row).handling, scenario, name, client, retry_topic)
        if kind.put is not None:
            kind.put(ReadingGroup.at(row), groups[name], client)
        put_proxied(ReadingGroup.at(row), groups[name], scenario)
    put_deduplication(group_rows, groups)
    delays = delay_plan(scenario, retries=bool(retried))
    settings = _settings(scenario, len(names), len(heard.rows), len(logs), int(threads.sum()))
    ConsumerSettings.at(settings).topics = len(topics)
    own_settings = ConsumerSettings.at(settings)
    own_settings.pops = sum(own.is_pop for own in groups.values())
    merging = any(own.enable_pop_buffer_merge for own in scenario.brokers.values())
    own_settings.merges_pops = int(merging and own_settings.pops > 0)
    ConsumerSettings.at(settings).delay_queues = len(delays.queues)
    transactions = transaction_plan(scenario).fill(ConsumerSettings.at(settings))
    versions = routes.versions
    name_servers = scenario.name_servers.count
    proxied = proxied_plan(scenario, ConsumerSettings.at(settings), name_servers)
    log_rows = logs.reshape(-1, size_of(QueueLog))
    topic_of, broker_of, queue_of = log_rows[:, 1:4].T
    popping = popping_by_topic(scenario, heard, len(topics))
    pops = pop_places(scenario, heard, topics, numbers, logs_by_broker(log_rows, len(topics), len(brokers)), retried)
    cluster = {
        "settings": settings,
        "groups": np.concatenate(group_rows),
        "subscriptions": heard.rows,
        "log_topics": filled(
            LogTopic,
            len(topics),
            first_log=log_topics[:, 0],
            logs=log_topics[:, 1],
            first_tag=heard.tags[:, 0],
            tags=heard.tags[:, 1],
            entry_bytes=[entry_bytes(scenario, topic) for topic in topics],
            first_popping=popping.first,
            popping=popping.counts,
        ),
        "tag_edges": heard.tag_edges,
        "tag_readings": heard.tag_readings,
        **filters,
        "log_numbers": numbers.reshape(-1),
        "store_rules": store_rules(scenario),
        "popping": popping.subscriptions,
        "pop_places": pops["pop_places"],
        "latencies": heard.latencies,
        "route_queues": route_queues(versions, brokers),
        "route_masters": route_masters(versions, brokers),
        **route_times(routes),
    }
    return ConsumerPlan(
        cluster=cluster,
        logs=logs,
        instances=filled(
            Instance,
            len(names),
            group=np.repeat(np.arange(len(groups)), counts),
            id_number=np.concatenate([id_numbers(name, own) for name, own in groups.items()]),
            first_subscription=first_subscriptions(groups, first_subscription),
            subscriptions=np.repeat(
                [len(own.readings) + len(retried.get(name, ())) for name, own in groups.items()], counts
            ),
            first_worker=np.cumsum(threads) - threads,
            workers=threads,
            slowness_ppm=PPM,
            name_server=drawn_each(scenario.seed, FIRST_NAME_SERVER, np.arange(len(names)) + (1 << 40), name_servers)
            + np.array([routes.seen_from(client_of("", name), name_servers) for name in names], np.int64),
            first_holding=-1,
            first_task=-1,
            last_task=-1,
            idle=-1,
            first_again=-1,
            last_again=-1,
            first_turn=-1,
            last_turn=-1,
        ),
        sharings=[
            _sharing(groups[name], name, topic, topics.index(topic), logs, scenario)
            for name, topic in zip(heard.groups, heard.topics, strict=True)
        ],
        clients=[clients[n] for n in own_of],
        consumption=[kind.rules for kind in kinds],
        names=ConsumerNames(
            scenario.window_us,
            tuple(topics),
            tuple(brokers),
            tuple(groups),
            tuple(names),
            proxy_labels(scenario),
            np.repeat(np.arange(len(counts)), counts),
            heard.rows[:, 0].copy(),
            heard.rows[:, 1].copy(),
            np.array(
                [EVERY if i == EVERY else first_instance[n] + i for n, i in zip(own_of, heard.instances, strict=True)]
            ),
            topic_of.copy(),
            broker_of.copy(),
            queue_of.copy(),
        ),
        topics=np.array([topic in read for topic in topics]),
        queue_room=queue_room,
        workers=int(threads.sum()),
        most_batch=max(1, *(group.consume_message_batch_max_size for group in groups.values())),
        actions=actions(scenario, histories),
        absent=absent(scenario),
        delays=delays,
        serving=serving_brokers(scenario),
        tallies=fresh_tallies(scenario),
        sent_back=no_retries(scenario),
        transactions=transactions,
        pull_threads=pull_threads(scenario),
        pop_waits=pops["pop_waits"],
        proxied=proxied,
        backlog=backlog_plan(scenario, topics, logs, heard, absent(scenario)),
    )


def _settings(scenario: Scenario, instances: int, subscriptions: int, logs: int, workers: int) -> Array:
    cells = np.zeros(size_of(ConsumerSettings), np.int64)
    settings = ConsumerSettings.at(cells)
    settings.seed = scenario.seed
    settings.window_us, settings.duration_us = scenario.window_us, scenario.duration_us
    settings.groups, settings.subscriptions = len(scenario.consumers), subscriptions
    settings.instances, settings.workers = instances, workers
    settings.logs, settings.brokers, settings.topics = logs, len(scenario.brokers), len(scenario.topics)
    settings.name_servers = scenario.name_servers.count
    settings.link_us, settings.reput_us, settings.notice_us = LINK_US, REPUT_US, NOTICE_US
    settings.begins_at_us, settings.producer_groups = scenario.begins_at_us, len(scenario.producers)
    broker = next(iter(scenario.brokers.values())).rules  # these are the same in every release
    settings.delay_flush_us = broker.flush_delay_offset_interval * 1000
    settings.flush_us = broker.flush_consumer_offset_interval * 1000
    settings.tick_us = broker.hold_check_interval * 1000
    settings.scan_us = broker.channel_scan_interval * 1000
    settings.expires_us = broker.channel_expired_timeout * 1000
    resets = [(p.details["to_us"], p.at_us) for _, p in of_instances(scenario) if p.kind == "reset_offset"]
    resets += returns_to_first(scenario)
    if resets:
        settings.keep_from_us, settings.keep_until_us = min(to for to, _ in resets), max(at for _, at in resets) + 1
    settings.transfer_count = broker.max_transfer_count_on_message_in_memory
    settings.transfer_bytes = broker.max_transfer_bytes_on_message_in_memory
    settings.disk_count = broker.max_transfer_count_on_message_in_disk
    settings.disk_bytes = broker.max_transfer_bytes_on_message_in_disk
    settings.pull_threads = most_threads(scenario)
    return cells


def _sharing(own: ConsumerGroup, name: str, topic: str, number: int, logs: Array, scenario: Scenario) -> Array:
    brokers = list(scenario.brokers)
    rows = [row for row in logs.reshape(-1, size_of(QueueLog)).tolist() if row[1] == number]
    queues = [(topic, brokers[row[2]], row[3]) for row in rows]
    most = (1 + DEAD_MAX) * own.instances
    return sharing_memory(group_strategy(own, name, topic), queues, distinct_ids(name, own), longest_members=most)
