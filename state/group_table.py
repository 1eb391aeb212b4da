"""The table of consumer groups by window."""

from __future__ import annotations

import pyarrow as pa

from state.column_groups import NOT_CONSUMED, WINDOW
from state.table import CELL, GROUP, NAME, Column, Table

LAG_VERDICTS = ("OK", "WARN", "STOP", "STALL", "REWIND")  # from bad to worse; numbers: consumer/broker/lag_verdict.py

# what became of a delivery; numbers: simulator/consumer/memory/fate.py
DELIVERY_RESULTS = (
    "handled", "left to the next owner", "sent back", "sent by the client", "dead letter", "again in 5 s",
    "not sent back", "skipped as a duplicate", "again in place", "invisible again", "too late to acknowledge",
    "not acknowledged", "failed, not acknowledged",
)  # fmt: skip

HANDLED_RESULTS = ("handled", "too late to acknowledge", "not acknowledged")
NOT_FAILED_RESULTS = (*HANDLED_RESULTS, "skipped as a duplicate")

CONSUMER_WINDOWS = Table(
    "consumer_windows",
    "one consumer group in one window of virtual time",
    ("window_start_us", "consumer_group"),
    (
        CELL,
        *WINDOW,
        GROUP,
        Column("instances", pa.int32(), "", "instances that run at the window's end"),
        Column(
            "failed_starts",
            pa.int64(),
            "",
            "starts of instances that failed in the window: no name server answered, and the process ended",
        ),
        Column("threads", pa.int32(), "", "their consume threads"),
        Column("busy_threads", pa.float64(), "", "consume threads at work, mean of the window"),
        Column("consumed", pa.int64(), "", "consumptions that ended in the window"),
        Column(
            "consumed_again", pa.int64(), "", "of those, of messages consumed before, but for retries of failed ones"
        ),
        Column("failed", pa.int64(), "", "of those, consumptions that failed"),
        Column("sent_back", pa.int64(), "", "messages that come again through the retry topic"),
        Column("expired", pa.int64(), "", "of those, the ones that sweeps for consumeTimeout sent back, handled still"),
        Column("deduplicated", pa.int64(), "", "deliveries that the group's deduplicate skipped"),
        Column(
            "out_of_order", pa.int64(), "", "first deliveries that ended after one of a later message of their queue"
        ),
        Column("handled_again", pa.int64(), "", "messages that its deduplicate let through a second time"),
        Column("dead_letters", pa.int64(), "", "messages that were given up"),
        *NOT_CONSUMED,
        Column(
            "from_disk",
            pa.int64(),
            "",
            "messages that brokers or slaves read from their disks for it in the window",
        ),
        Column("from_slave", pa.int64(), "", "messages that slaves gave it in the window"),
        Column("looked_at", pa.int64(), "", "messages that brokers looked at for its pulls and pops in the window"),
        Column("properties_read", pa.int64(), "", "of those, the ones whose properties SQL92 filters had read"),
        Column("given", pa.int64(), "", "of those, the ones that its instances were answered with"),
        Column("lag", pa.int64(), "", "messages stored and not consumed yet, at the window's end"),
        Column("cached", pa.int64(), "", "messages in process queues at the window's end"),
        Column(
            "unowned_us", pa.int64(), "us", "time without an owner, sum of all queues; 0 of POP, gRPC, BROADCASTING"
        ),
        Column("double_owned_us", pa.int64(), "us", "time in which a queue had several owners, sum of all queues"),
        Column("p50_ms", pa.float64(), "ms", "median from the intended send time until handled for the first time"),
        Column("p99_ms", pa.float64(), "ms", "99th percentile of the same (relative error under 1 %)"),
        Column("max_ms", pa.float64(), "ms", "largest"),
        Column("lag_verdict", NAME, "", "the worst of its queues"),
    ),
)
