"""How a consumer machine begins: its idle threads, empty memories, and when brokers look at their files first."""

from __future__ import annotations

import numpy as np

from simulator.compiled.records import Array, Region, size_of
from simulator.compiled.region_store import columns, filled
from simulator.consumer.broker.expiring import CLEAN_US
from simulator.consumer.memory.consume_task import Worker
from simulator.consumer.memory.consumer_group import ReadingGroup, SubscribedTopic
from simulator.consumer.memory.consumer_settings import CLEAN_FILES, SLAVE_SYNC
from simulator.consumer.memory.consumer_side import BEGUN, OLD, QueueProgress
from simulator.consumer.memory.instance import NOBODY, Instance
from simulator.consumer.memory.queue_log import LogTopic, StoreRules
from simulator.consumer.memory.seen_message import SeenMessage
from simulator.engine.memory.settings import FAR
from simulator.plan.consumers.consumer_plan import ConsumerPlan
from simulator.randomness import CONSUMER_TIMER, drawn, drawn_each
from simulator.run.consumers.consumer_take_over import versions_at


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
    found = filled(QueueProgress, count, committed=-1, flushed=-1, slave_committed=-1, page=-1, cut_to=FAR)
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
            is_there = queues[version, plan.names.broker_of_log[logs]] > plan.names.queue_of_log[logs]
            begin = int(subscriptions[subscription].first_progress)
            standing[begin : begin + len(is_there)] = np.where(is_there & (version >= 0), OLD, BEGUN)
    if plan.backlog is not None:
        _put_offsets(found.reshape(count, -1), plan.backlog.committed)
    return found


def _put_offsets(progress: Array, committed: Array) -> None:
    """Have groups that were there before the run stand where they have consumed to."""
    known, at = committed >= 0, columns(QueueProgress)
    for name in ("committed", "flushed", "slave_committed", "first_times"):
        progress[known, at[name]] = committed[known]
    progress[known, at["furthest"]] = np.maximum(committed[known] - 1, 0)
    progress[known, at["standing"]] = OLD


def first_looks(seed: int, store_rules: Array, oldest_us: int) -> list[tuple[int, int, int]]:
    """(moment, kind of event, broker): each looks at its files when there can be one to delete, slaves copy offsets.

    `oldest_us`: age of the oldest message at the start.
    """
    rules = store_rules.reshape(-1, size_of(StoreRules))
    limited, reserved_us = (rules[:, columns(StoreRules)[name]] for name in ("disk_bytes", "reserved_us"))
    phases = 1 + drawn_each(seed, CONSUMER_TIMER, np.arange(len(rules)) + (CLEAN_FILES << 32), CLEAN_US)
    looks = np.where(limited > 0, 0, np.maximum(reserved_us - oldest_us, 0) // CLEAN_US * CLEAN_US) + phases
    due = [(at_us, CLEAN_FILES, number) for number, at_us in enumerate(looks.tolist())]
    for number in np.flatnonzero(rules[:, columns(StoreRules)["slaves"]]).tolist():
        period_us = int(rules[number, columns(StoreRules)["slave_sync_us"]])
        due.append((1 + drawn(seed, CONSUMER_TIMER, number + (SLAVE_SYNC << 32), period_us), SLAVE_SYNC, number))
    return due


def nothing_seen(groups: Array) -> dict[str, Array]:
    """The regions of the memories at the start; `groups`: records of ReadingGroup."""
    count = int(groups.reshape(-1, len(columns(ReadingGroup)))[:, columns(ReadingGroup)["duplicates.entries"]].sum())
    return {"seen_messages": filled(SeenMessage, count, behind=NOBODY), "seen_buckets": np.full(count, NOBODY)}
