"""How a consumer machine begins: its idle threads, empty memories, and when brokers look at their files first."""

from __future__ import annotations

import numpy as np

from simulator.compiled.records import Array, size_of
from simulator.compiled.region_store import columns, filled
from simulator.consumer.broker.expiring import CLEAN_US
from simulator.consumer.client.instance import NOBODY, Instance, ReadingGroup, Worker
from simulator.consumer.handling.seen_message import SeenMessage
from simulator.consumer.machine.consumer_settings import CLEAN_FILES
from simulator.consumer.queue_log.queue_log import StoreRules
from simulator.engine.memory.settings import FAR
from simulator.plan.consumers.consumer_plan import ConsumerPlan
from simulator.randomness import CONSUMER_TIMER, drawn_each


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


def first_looks(seed: int, store_rules: Array) -> list[int]:
    """When each broker looks at its files first: not before there can be one to delete."""
    rules = store_rules.reshape(-1, size_of(StoreRules))
    limited, reserved_us = (rules[:, columns(StoreRules)[name]] for name in ("disk_bytes", "reserved_us"))
    phases = 1 + drawn_each(seed, CONSUMER_TIMER, np.arange(len(rules)) + (CLEAN_FILES << 32), CLEAN_US)
    looks: list[int] = (np.where(limited > 0, 0, reserved_us // CLEAN_US * CLEAN_US) + phases).tolist()
    return looks


def nothing_seen(groups: Array) -> dict[str, Array]:
    """The regions of the memories at the start; `groups`: records of ReadingGroup."""
    count = int(groups.reshape(-1, len(columns(ReadingGroup)))[:, columns(ReadingGroup)["duplicates.entries"]].sum())
    return {"seen_messages": filled(SeenMessage, count, behind=NOBODY), "seen_buckets": np.full(count, NOBODY)}
