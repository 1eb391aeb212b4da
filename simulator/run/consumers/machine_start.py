"""How a consumer machine begins: its idle threads, empty memories, and when its timers are due first."""

from __future__ import annotations

import numpy as np

from simulator.compiled.records import Array, Region, size_of
from simulator.compiled.region_store import columns, filled
from simulator.consumer.memory.consume_task import Worker
from simulator.consumer.memory.consumer_events import CLEAN_FILES, ORDER_EXPIRY, REBALANCE, REVIVE_ROUND
from simulator.consumer.memory.consumer_group import ReadingGroup, SubscribedTopic
from simulator.consumer.memory.consumer_side import BEGUN, OLD, QueueProgress
from simulator.consumer.memory.instance import NOBODY, Instance
from simulator.consumer.memory.queue_log import LogTopic, StoreRules
from simulator.consumer.memory.seen_message import SeenMessage
from simulator.consumer.shared.broker_timers import BROKER_TIMERS, CLEAN_US
from simulator.consumer.shared.instance_timers import INSTANCE_TIMERS
from simulator.consumer.shared.revive_log import SERVICES
from simulator.engine.memory.routes import Delivery, RouteTimes
from simulator.engine.memory.settings import FAR
from simulator.kernel.randomness import CONSUMER_TIMER, drawn_each
from simulator.plan.consumers.consumer_plan import ConsumerPlan
from simulator.run.consumers.consumer_take_over import versions_at

ORDER_LATE_US = 100_000  # of the timer of what was popped in order
BEGUN_US = 1  # what runs from the start balances first then


def idle_workers(plan: ConsumerPlan) -> Array:
    """Region `workers` at the start; each instance of the plan gets its first idle one."""
    rows, at = plan.instances, columns(Instance)
    first, count = rows[:, at["first_worker"]], rows[:, at["workers"]]
    owner = np.repeat(np.arange(len(rows)), count)
    numbers = np.arange(plan.workers)
    last = numbers + 1 == np.repeat(first + count, count)
    rows[:, at["idle"]] = first
    return filled(
        Worker, plan.workers, instance=owner, number=numbers - first[owner],
        next_idle=np.where(last, NOBODY, numbers + 1),
        first_task=NOBODY, ends_us=FAR,
    )  # fmt: skip


def fresh_progress(plan: ConsumerPlan, count: int) -> Array:
    """Region `progress` at the start: a group that has long been running knows the queues that are there."""
    found = filled(
        QueueProgress, count, committed=-1, flushed=-1, slave_committed=-1, slave_popped=-1, page=-1, cut_to=FAR
    )
    standing = found.reshape(count, -1)[:, columns(QueueProgress)["standing"]]
    topics = Region.of(LogTopic, plan.cluster["log_topics"].reshape(-1))
    subscriptions = Region.of(SubscribedTopic, plan.cluster["subscriptions"].reshape(-1))
    instances, at = plan.instances.reshape(-1, size_of(Instance)), columns(Instance)
    versions = versions_at(plan, 0).reshape(len(instances), -1)
    queues = plan.cluster["route_queues"].reshape(-1, int(plan.settings.brokers))
    present = np.setdiff1d(np.arange(len(instances)), plan.absent)
    firsts, where = np.unique(instances[present, at["first_subscription"]], return_index=True)
    for first, number in zip(firsts.tolist(), present[where].tolist(), strict=True):
        for subscription in range(first, first + int(instances[number, at["subscriptions"]])):
            topic = int(subscriptions[subscription].topic)
            version, first_log = int(versions[number, topic]), int(topics[topic].first_log)
            logs = slice(first_log, first_log + int(topics[topic].logs))
            is_there = queues[max(version, 0), plan.names.broker_of_log[logs]] > plan.names.queue_of_log[logs]
            begin = int(subscriptions[subscription].first_progress)
            standing[begin : begin + len(is_there)] = np.where(is_there & (version >= 0), OLD, BEGUN)
    born_us, since = _born_us(plan, topics), found.reshape(count, -1)[:, columns(QueueProgress)["since_us"]]
    for number in range(len(subscriptions)):
        own = subscriptions[number]
        begin, first_log = int(own.first_progress), int(topics[int(own.topic)].first_log)
        born = born_us[first_log : first_log + int(topics[int(own.topic)].logs)]
        since[begin : begin + len(born)] = born
    if plan.backlog is not None:
        _put_offsets(found.reshape(count, -1), plan.backlog.committed)
    return found


def _born_us(plan: ConsumerPlan, topics: Region[LogTopic]) -> Array:
    """When a name server first delivers a route with each queue after one without it; 0 for all others."""
    times = plan.cluster["route_times"].reshape(-1, size_of(RouteTimes))
    deliveries = plan.cluster["deliveries"].reshape(-1, size_of(Delivery))
    queues = plan.cluster["route_queues"].reshape(-1, int(plan.settings.brokers))
    found = np.full(len(plan.names.broker_of_log), FAR, np.int64)
    for number, (first, count) in enumerate(times.tolist()):
        own = topics[number % int(plan.settings.topics)]
        logs = slice(int(own.first_log), int(own.first_log) + int(own.logs))
        is_new = np.zeros(int(own.logs), bool)
        for at_us, version in deliveries[first : first + count].tolist():
            if version < 0:  # that a name server does not answer says nothing of the queues
                continue
            is_there = queues[version, plan.names.broker_of_log[logs]] > plan.names.queue_of_log[logs]
            born_us = np.where(is_there, np.where(is_new, at_us, 0), FAR)
            found[logs] = np.minimum(found[logs], born_us)
            is_new |= ~is_there
    return np.where(found == FAR, 0, found)


def _put_offsets(progress: Array, committed: Array) -> None:
    """Have groups that were there before the run stand where they have consumed to."""
    known, at = committed >= 0, columns(QueueProgress)
    for name in ("committed", "flushed", "slave_committed", "first_times"):
        progress[known, at[name]] = committed[known]
    progress[known, at["furthest"]] = np.maximum(committed[known] - 1, 0)
    progress[known, at["standing"]] = OLD


Due = list[tuple[int, int, int]]  # when, kind of event, number of its actor


def timer_regions(plan: ConsumerPlan) -> dict[str, Array]:
    """The regions of what is declared of timers, and `timers` at the start.

    Every instance has long been running, and its timers have phases of their own.
    """
    settings, groups = plan.settings, Region.of(ReadingGroup, plan.cluster["groups"])
    rules = Region.of(StoreRules, plan.cluster["store_rules"].reshape(-1))
    timers = [(groups[n], timer) for n in range(len(groups)) for timer in INSTANCE_TIMERS.values()]
    of_brokers = [period_us(settings, rules[n]) for n in range(len(rules)) for period_us in BROKER_TIMERS.values()]
    periods = np.array([timer.period_us(settings, group) for group, timer in timers], np.int64)
    return {
        "timer_periods": periods,
        "first_times": np.array([timer.first_us(settings, group) for group, timer in timers], np.int64),
        "broker_periods": np.array(of_brokers, np.int64),
        "timers": _running_timers(plan, periods.reshape(-1, len(INSTANCE_TIMERS))),
    }


def _running_timers(plan: ConsumerPlan, periods: Array) -> Array:
    instances = plan.instances.reshape(-1, size_of(Instance))
    periods = periods[instances[:, columns(Instance)["group"]]]
    found = np.full(periods.shape, FAR)
    for place, kind in enumerate(INSTANCE_TIMERS):
        found[:, place] = np.where(periods[:, place] > 0, phases(plan, kind, periods[:, place]), FAR)
    found[:, [*INSTANCE_TIMERS].index(REBALANCE)] = BEGUN_US
    found[plan.absent] = FAR
    return found.reshape(-1)


def phases(plan: ConsumerPlan, kind: int, periods: Array) -> Array:
    """When actors do first what they do every so often."""
    actors = np.arange(len(periods)) + (kind << 32)
    return 1 + drawn_each(int(plan.settings.seed), CONSUMER_TIMER, actors, np.maximum(periods, 1))


def first_of_instances(timers: Array) -> Due:
    """The first events of their timers."""
    due_us = timers.reshape(-1, len(INSTANCE_TIMERS))
    return [
        (int(due_us[number, place]), kind, int(number))
        for place, kind in enumerate(INSTANCE_TIMERS)
        for number in np.flatnonzero(due_us[:, place] < FAR)
    ]


def first_of_brokers(plan: ConsumerPlan, broker_periods: Array) -> Due:
    """The first events of brokers' timers; each looks at its files when there can be one to delete."""
    periods = broker_periods.reshape(-1, len(BROKER_TIMERS))
    found = []
    for place, kind in enumerate(BROKER_TIMERS):
        first_us = phases(plan, kind, periods[:, place]) + (_nothing_to_delete_us(plan) if kind == CLEAN_FILES else 0)
        if kind == ORDER_EXPIRY:
            first_us = periods[:, place] + first_us % ORDER_LATE_US
        found += [(int(first_us[number]), kind, int(number)) for number in np.flatnonzero(periods[:, place])]
    return found


def first_of_revivers(plan: ConsumerPlan) -> Due:
    """The first rounds of the revive services, each of a phase of its own; none of brokers that know no POP."""
    if not plan.settings.pops:
        return []
    rules = plan.cluster["store_rules"].reshape(-1, size_of(StoreRules))
    periods = np.repeat(rules[:, columns(StoreRules)["revive_us"]], SERVICES)
    first_us = phases(plan, REVIVE_ROUND, periods)
    return [(int(first_us[number]), REVIVE_ROUND, int(number)) for number in np.flatnonzero(periods)]


def _nothing_to_delete_us(plan: ConsumerPlan) -> Array:
    """How long no file of a broker can be old enough, in whole looks."""
    rules = plan.cluster["store_rules"].reshape(-1, size_of(StoreRules))
    limited, reserved_us = (rules[:, columns(StoreRules)[name]] for name in ("disk_bytes", "reserved_us"))
    return np.where(limited > 0, 0, np.maximum(reserved_us - plan.oldest_us, 0) // CLEAN_US * CLEAN_US)


def nothing_seen(groups: Array) -> dict[str, Array]:
    """The regions of the memories at the start; `groups`: records of ReadingGroup."""
    count = int(groups.reshape(-1, len(columns(ReadingGroup)))[:, columns(ReadingGroup)["duplicates.entries"]].sum())
    return {"seen_messages": filled(SeenMessage, count, behind=NOBODY), "seen_buckets": np.full(count, NOBODY)}
