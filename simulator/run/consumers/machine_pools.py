"""The pools of the consumer machine: regions whose records are taken and given back, and that grow."""

from __future__ import annotations

from collections.abc import Mapping

from simulator.compiled.memory_marks import marks_of, record_in
from simulator.compiled.records import Record
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.half_message import FREE
from simulator.consumer.memory.instance import NOBODY
from simulator.consumer.memory.queue_log import NO_LOG
from simulator.engine.memory.settings import FAR
from simulator.plan.consumers.consumer_plan import ConsumerPlan

PAGES_AT_ONCE = 1 << 11  # at most: 10 MiB
_OF_FREE: Mapping[str, Mapping[str, int]] = {
    "pages": {"log": NO_LOG},
    "holdings": {"instance": NOBODY, "due_us": FAR},
    "halves": {"fate": FREE},
}
POOLS: Mapping[str, tuple[type[Record], Mapping[str, int]]] = {
    name: (record_in(ConsumerWorld, name), _OF_FREE.get(name, {})) for name in marks_of(ConsumerWorld).pools
}  # by region, and pool of the clock: its records, and what those have that are free


def needed(plan: ConsumerPlan) -> Mapping[str, int]:
    """Free records of each pool before an event: as many as any takes."""
    logs, brokers = int(plan.settings.logs), int(plan.settings.brokers)
    halves = 8 if plan.settings.half_queues else 0
    return {
        "pages": (24 if plan.settings.pops else 8) + logs // 64,
        "tasks": 64, "holdings": max(logs, plan.proxied.most_threads) + 8, "log_files": 2 + brokers,
        "delay_pages": 64 if len(plan.delays.queues) else 0, "halves": halves, "half_requests": halves,
        "check_points": 64 if plan.settings.pops else 0,
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
