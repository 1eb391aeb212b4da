"""The pools of the consumer machine: regions whose records are taken and given back, and that grow."""

from __future__ import annotations

from collections.abc import Mapping

from simulator.compiled.records import Record
from simulator.consumer.memory.consume_task import ConsumeTask
from simulator.consumer.memory.delay_queue import DelayPage
from simulator.consumer.memory.half_message import FREE, Errand, HalfMessage
from simulator.consumer.memory.held_queue import Holding
from simulator.consumer.memory.instance import NOBODY
from simulator.consumer.memory.queue_log import NO_LOG, LogFile, LogPage
from simulator.engine.memory.settings import FAR

PAGES_AT_ONCE = 1 << 11  # at most: 10 MiB
POOLS: Mapping[str, tuple[type[Record], str, str, str, Mapping[str, int]]] = {
    "pages": (LogPage, "next_page", "free_page", "free_pages", {"log": NO_LOG}),
    "tasks": (ConsumeTask, "next_task", "free_task", "free_tasks", {}),
    "holdings": (Holding, "next_holding", "free_holding", "free_holdings", {"instance": NOBODY, "due_us": FAR}),
    "delay_pages": (DelayPage, "next_page", "free_delay_page", "free_delay_pages", {}),
    "halves": (HalfMessage, "behind", "free_half", "free_halves", {"fate": FREE}),
    "log_files": (LogFile, "next_file", "free_file", "free_files", {}),
    "errands": (Errand, "next_free", "free_errand", "free_errands", {}),
}  # by region: its records, the field that links the free ones, the clock's first and number of them, other values
