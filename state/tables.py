"""Every table that leaves the system; `run` is the folder `run=NAME`, which readers of Parquet take as a column."""

from __future__ import annotations

import pyarrow as pa

from state.column_groups import (
    ARRIVAL_US,
    ATTEMPT,
    ATTEMPT_OUTCOME,
    ATTEMPT_TIMES,
    INSTANCE,
    MESSAGE,
    NOT_CONSUMED,
    SENDER,
    WINDOW,
    WINDOW_START_US,
)
from state.failover_tables import SET_TABLES
from state.group_table import CONSUMER_WINDOWS, DELIVERY_RESULTS
from state.later_tables import LATER_TABLES
from state.proxied_tables import PROXIED_ATTEMPTS, PROXIED_CONSUMERS
from state.table import BROKER, CELL, GROUP, NAME, PRODUCER, QUEUE_ID, SEND_SEQ, THREAD, TOPIC, Column, Table

ATTEMPTS = Table(
    "attempts",
    "one attempt to send a message",
    ("producer", "thread", "topic", "send_seq", "attempt"),
    (
        *MESSAGE,
        ATTEMPT,
        BROKER,
        Column("queue_id", pa.int32(), "", "queue id in the request"),
        *ATTEMPT_TIMES,
        Column("latency_us", pa.int64(), "us", "end_us - begin_us; the client itself takes whole ms of each"),
        *ATTEMPT_OUTCOME,
        Column("pick_reason", NAME, "", "rule that chose the queue"),
        Column("will_retry", pa.bool_(), "", "the send loop makes another attempt"),
    ),
)

SENDS = Table(
    "sends",
    "one message",
    ("producer", "thread", "topic", "send_seq"),
    (
        *MESSAGE,
        Column("arrival_us", pa.int64(), "us", "virtual time at which the application wanted to send"),
        Column("begin_us", pa.int64(), "us", "virtual time at which the thread began the send, or its batch was sent"),
        Column("end_us", pa.int64(), "us", "virtual time at which the caller got its answer"),
        Column("latency_us", pa.int64(), "us", "end_us - arrival_us"),
        Column("result", NAME, "", "SEND_OK, another SendStatus, or the exception thrown to the caller"),
        Column("response_code", pa.int32(), "", "code of the result or exception, null where it has none"),
        Column("acknowledged", pa.bool_(), "", "the caller got a SendResult, not an exception"),
        Column("attempts", pa.int32(), "", "attempts made; 0 where those of another message carried it (auto_batch)"),
        Column("broker", NAME, "", "broker of the returned SendResult, or of the last attempt; null if there was none"),
        Column("queue_id", pa.int32(), "", "queue id with it"),
        Column("copies_stored", pa.int32(), "", "copies that brokers append to a commit log, sooner or later"),
        Column("copies_kept", pa.int32(), "", "copies stored that outlive every kill, power loss and lost disk"),
        Column("lost", pa.bool_(), "", "acknowledged, and no copy is kept"),
        Column("mode", NAME, "", "sync, async or oneway"),
        Column("messages", pa.int32(), "", "messages of the send: more than 1 for a batch"),
        Column("body_bytes", pa.int64(), "bytes", "body as the application gave it; null if no thread took it"),
        Column("wire_bytes", pa.int64(), "bytes", "body as it is sent and stored, compressed if the client does that"),
        Column("message_key", pa.int64(), "", "number of the message's key, 0 the most frequent, null if it has none"),
    ),
)

FAULT_ITEMS = Table(
    "fault_items",
    "one change of a fault item of a producer",
    ("producer", "broker", "at_us", "change_seq"),
    (
        CELL,
        PRODUCER,
        BROKER,
        Column("at_us", pa.int64(), "us", "virtual time of the change"),
        Column("change_seq", pa.int64(), "", "number of the change on its producer, from 0"),
        Column("current_latency_ms", pa.int64(), "ms", "currentLatency after the change"),
        Column("start_timestamp_ms", pa.int64(), "ms", "startTimestamp: end of the isolation; 0 = never isolated"),
        Column("reachable", pa.bool_(), "", "reachableFlag after the change (true where the release has none)"),
        Column("available", pa.bool_(), "", "available to this producer right after the change"),
        Column("removed", pa.bool_(), "", "the item left the table"),
    ),
)

WINDOWS = Table(
    "windows",
    "one broker and topic in one window of virtual time, by the end of the attempts",
    ("cell", "window_start_us", "topic", "broker"),
    (
        CELL,
        *WINDOW,
        TOPIC,
        BROKER,
        Column("attempts", pa.int64(), "", "attempts that ended in the window"),
        Column("share", pa.float64(), "", "part of the cell's attempts on this topic, 0..1"),
        Column("successes", pa.int64(), "", "attempts that ended well: SEND_OK, or SENT_ONEWAY"),
        Column("failures", pa.int64(), "", "attempts with any other outcome"),
        Column("retries", pa.int64(), "", "of the attempts, those after a message's first"),
        Column(
            "p50_ms",
            pa.float64(),
            "ms",
            "median of end - begin, one-way attempts as 0 (relative error under 1 %)",
        ),
        Column("p99_ms", pa.float64(), "ms", "99th percentile of the same"),
        Column("p999_ms", pa.float64(), "ms", "99.9th percentile of the same"),
        Column("max_ms", pa.float64(), "ms", "largest"),
        Column("out_of_order", pa.int64(), "", "copies stored after a later message of their thread and key"),
    ),
)

STORED = Table(
    "stored",
    "one queue in one window of virtual time, as one consumer group has read it",
    ("window_start_us", "topic", "broker", "queue_id", "consumer_group", "instance"),
    (
        CELL,
        *WINDOW,
        TOPIC,
        BROKER,
        QUEUE_ID,
        GROUP,
        Column("instance", NAME, "", "who has read it, where each instance reads everything, else null"),
        Column("appended", pa.int64(), "", "messages appended in the window"),
        Column("max_offset", pa.int64(), "", "offset of the next message, at the window's end as all that follows"),
        Column("committed_offset", pa.int64(), "", "the group's offset in the broker's table, null without one"),
        Column("consumed", pa.int64(), "", "consumptions that ended in the window"),
        Column("lag", pa.int64(), "", "messages that the group is to consume; 0 before its first start"),
        Column(
            "committed_lag",
            pa.int64(),
            "",
            "max_offset - committed_offset: the lag that mqadmin shows",
        ),
        *NOT_CONSUMED,
        Column("oldest_age_us", pa.int64(), "us", "age of the oldest message that is not committed, null without one"),
        Column("lag_verdict", NAME, "", "by Burrow's rules: OK, WARN, STOP, STALL or REWIND, from bad to worse"),
    ),
)

CONSUMED = Table(
    "consumed",
    "one consumption of a message",
    ("topic", "broker", "queue_id", "consumer_group", "queue_offset", "times", "instance", "begin_us"),
    (
        CELL,
        TOPIC,
        BROKER,
        QUEUE_ID,
        GROUP,
        Column("queue_offset", pa.int64(), "", "offset of the message in its queue"),
        INSTANCE,
        Column("consume_thread", pa.int32(), "", "thread of the instance, from 0"),
        ARRIVAL_US,
        Column("stored_us", pa.int64(), "us", "virtual time at which the broker appended it"),
        Column("begin_us", pa.int64(), "us", "virtual time at which the thread took it"),
        Column("end_us", pa.int64(), "us", "virtual time at which it was done"),
        Column(
            "times",
            pa.int32(),
            "",
            "1 for the group's first consumption, at most 16 (BROADCASTING: 2); of POP and gRPC groups but FIFO 1 "
            "until the group has handled the message, at most 8",
        ),
        Column("dropped", pa.bool_(), "", "the instance had lost the queue meanwhile: nothing is committed"),
        Column("reconsume_times", pa.int32(), "", "deliveries of the message that failed before"),
        Column("result", NAME, "", "; ".join(DELIVERY_RESULTS)),
        SENDER,
        SEND_SEQ,
    ),
)

ASSIGNMENTS = Table(
    "assignments",
    "one stretch of time in which an instance held a queue",
    ("topic", "broker", "queue_id", "consumer_group", "instance", "from_us"),
    (
        CELL,
        TOPIC,
        BROKER,
        QUEUE_ID,
        GROUP,
        INSTANCE,
        Column("from_us", pa.int64(), "us", "virtual time at which the instance took the queue"),
        Column("until_us", pa.int64(), "us", "virtual time at which it let go of it"),
        Column("open", pa.bool_(), "", "it still held the queue as the scenario ended"),
    ),
)

REBALANCES = Table(
    "rebalances",
    "one round in which an instance balanced a topic",
    ("at_us", "consumer_group", "topic", "instance"),
    (
        CELL,
        Column("at_us", pa.int64(), "us", "virtual time of the round"),
        GROUP,
        TOPIC,
        INSTANCE,
        Column(
            "reason",
            NAME,
            "",
            "start, group changed, period, unbalanced, route changed, offsets reset or illegal offset",
        ),
        Column("broker", NAME, "", "broker that was asked for the members, null if the route has none"),
        Column("members", pa.int32(), "", "instances that it listed, null without an answer"),
        Column("queues", pa.int32(), "", "queues in the instance's own view of the route"),
        Column("taken", pa.int32(), "", "queues that it took"),
        Column("lost", pa.int32(), "", "queues that it let go of"),
        Column("held", pa.int32(), "", "queues that it holds after the round"),
    ),
)

DELAYS = Table(
    "delays",
    "one delay level, or the timer wheel, of one broker in one window of virtual time",
    ("window_start_us", "broker", "delay_level"),
    (
        CELL,
        *WINDOW,
        BROKER,
        Column("delay_level", pa.int32(), "", "level, from 1 (queue level - 1 of SCHEDULE_TOPIC_XXXX); 0: timers"),
        Column("added", pa.int64(), "", "messages stored with that level in the window"),
        Column("delivered", pa.int64(), "", "messages delivered to their topics in the window"),
        Column("delivered_again", pa.int64(), "", "of those, a second time: a restarted broker had forgotten them"),
        Column("waiting", pa.int64(), "", "messages that wait, at the window's end"),
        Column("late_p50_ms", pa.float64(), "ms", "median of how long after its time a message was delivered"),
        Column("late_p99_ms", pa.float64(), "ms", "99th percentile of the same (relative error under 1 %)"),
        Column("late_max_ms", pa.float64(), "ms", "largest"),
    ),
)

RETRIES = Table(
    "retries",
    "what one consumer group sent back with one delay level in one window of virtual time",
    ("window_start_us", "consumer_group", "delay_level"),
    (
        CELL,
        WINDOW_START_US,
        GROUP,
        Column("delay_level", pa.int32(), "", "level with which the messages come again, at most 31"),
        Column("messages", pa.int64(), "", "messages that failed"),
    ),
)

REJECTS = Table(
    "rejects",
    "one record or block that could not be used",
    ("cell", "position"),
    (
        CELL,
        Column("position", pa.string(), "", "where it stood: source, window or file, and row"),
        Column("reason", pa.string(), "", "why it was refused"),
        Column("events", pa.int64(), "", "events it stood for"),
        Column("record", pa.string(), "", "the record as it came, cut to 1,000 characters"),
    ),
)

COUNTERS = Table(
    "counters",
    "the sendWhichQueue of one thread on one topic: of a sender thread, or after them of the client's own threads",
    ("producer", "thread", "topic"),
    (
        PRODUCER,
        THREAD,
        TOPIC,
        Column(
            "send_which_queue",
            pa.int32(),
            "",
            "raw Java int of the thread's ThreadLocalIndex, null before its first use",
        ),
        Column(
            "next_send_seq",
            pa.int64(),
            "",
            "number of the thread's next message, 0 for the client's own threads",
        ),
    ),
)

FAULT_TABLE = Table(
    "fault_items",
    "the fault item of one producer for one broker",
    ("producer", "broker"),
    (
        PRODUCER,
        BROKER,
        Column("current_latency_ms", pa.int64(), "ms", "currentLatency"),
        Column("start_timestamp_ms", pa.int64(), "ms", "startTimestamp: end of the isolation; 0 = never isolated"),
        Column("reachable", pa.bool_(), "", "reachableFlag (true where the release has none)"),
        Column("check_stamp_ms", pa.int64(), "ms", "when the detector may look again, 0 = at once"),
    ),
)

DECISIONS = Table(
    "decisions",
    "one decision of the model in the replay of a recording",
    ("row", "kind"),
    (
        CELL,
        Column("row", pa.int64(), "", "number of the recording's row that it answers, from 1"),
        Column("kind", NAME, "", "select, timeout, fault_update, after_attempt or send_end"),
        PRODUCER,
        THREAD,
        TOPIC,
        SEND_SEQ,
        Column("attempt", pa.int32(), "", "selections made for the message so far"),
        Column("clock_ms", pa.int64(), "ms", "reading of the client's clock it was made at, from the recording's zero"),
        Column("is_open", pa.bool_(), "", "the recorded readings of the clock allow another decision as well"),
        Column("last_broker", NAME, "", "select: broker of the attempt before, null for the first"),
        Column("broker", NAME, "", "broker chosen, updated, or of the SendResult that the caller gets"),
        Column("queue_id", pa.int32(), "", "queue id with it"),
        Column("steps", pa.int64(), "", "select: how far the raw counter moved"),
        Column("resets", pa.bool_(), "", "select: the counter was redrawn before"),
        Column("pick_reason", NAME, "", "select: rule that chose the queue"),
        Column("after", NAME, "", "select: attempt, no_attempt; after_attempt: retry, return, throw, budget"),
        Column("timeout_least_ms", pa.int64(), "ms", "timeout: least that the transport may be given"),
        Column("timeout_most_ms", pa.int64(), "ms", "timeout: most that the transport may be given"),
        Column("isolation", pa.bool_(), "", "fault_update: isolation asked for"),
        Column("reachable", pa.bool_(), "", "fault_update: reachable flag"),
        Column("touched", pa.bool_(), "", "fault_update: the fault table takes it"),
        Column("moved", pa.bool_(), "", "fault_update: it changed startTimestamp"),
        Column("start_timestamp_ms", pa.int64(), "ms", "fault_update: startTimestamp as clock_ms; null = never set"),
        Column("outcome", NAME, "", "send_end: SEND_OK, another SendStatus, or the exception thrown to the caller"),
        Column("response_code", pa.int32(), "", "send_end: code of it, null where it has none"),
    ),
)

# What leaves a job of a scenario, what a replay, and what a state row holds as typed tables.
CONSUMER_TABLES = (
    *(STORED, CONSUMER_WINDOWS, CONSUMED, ASSIGNMENTS, REBALANCES, DELAYS, RETRIES),
    *(*LATER_TABLES, PROXIED_CONSUMERS),
)
ONLY_ASKED = (CONSUMED.name,)  # as large as all others together
PRODUCER_TABLES = (ATTEMPTS, SENDS, FAULT_ITEMS, WINDOWS, PROXIED_ATTEMPTS)
TABLES = {table.name: table for table in (*PRODUCER_TABLES, *SET_TABLES, *CONSUMER_TABLES, REJECTS)}
REPLAY_TABLES = {table.name: table for table in (DECISIONS, REJECTS)}
STATE_TABLES = {table.name: table for table in (COUNTERS, FAULT_TABLE)}
