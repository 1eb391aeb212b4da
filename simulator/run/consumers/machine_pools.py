"""The pools of the consumer machine: regions whose records are taken and given back, and that grow."""

from __future__ import annotations

from collections.abc import Mapping

from simulator.consumer.memory.consume_task import ConsumeTask
from simulator.consumer.memory.delay_queue import DelayPage
from simulator.consumer.memory.half_message import FREE, HalfMessage, HalfRequest
from simulator.consumer.memory.held_queue import Holding
from simulator.consumer.memory.instance import NOBODY
from simulator.consumer.memory.queue_log import NO_LOG, LogFile, LogPage
from simulator.engine.memory.settings import FAR
from simulator.kernel.pools import Taken
from simulator.plan.consumers.consumer_plan import ConsumerPlan

PAGES_AT_ONCE = 1 << 11  # at most: 10 MiB
POOLS: Mapping[str, tuple[type[Taken], Mapping[str, int]]] = {
    "pages": (LogPage, {"log": NO_LOG}),
    "tasks": (ConsumeTask, {}),
    "holdings": (Holding, {"instance": NOBODY, "due_us": FAR}),
    "delay_pages": (DelayPage, {}),
    "halves": (HalfMessage, {"fate": FREE}),
    "log_files": (LogFile, {}),
    "half_requests": (HalfRequest, {}),
}  # by region, and pool of the clock: its records, and what those have that are free


def needed(plan: ConsumerPlan) -> Mapping[str, int]:
    """Free records of each pool before an event: as many as any takes."""
    logs, brokers = int(plan.settings.logs), int(plan.settings.brokers)
    halves = 8 if plan.settings.half_queues else 0
    return {
        "pages": 8 + logs // 64, "tasks": 64, "holdings": logs + 8, "log_files": 2 + brokers,
        "delay_pages": 64 if len(plan.delays.queues) else 0, "halves": halves, "half_requests": halves,
    }  # fmt: skip


def further(name: str, records: int, least: int) -> int:
    """How many records a pool of so many gets that is short of them."""
    if name == "pages":
        return max(min(records // 4, PAGES_AT_ONCE), 4 * least)
    if name == "delay_pages":
        return max(records // 4, 4 * least)
    if name == "holdings":
        return 2 * least
    return max(records, 2 * least if name == "log_files" else 1024)
