"""The tables of messages that become readable later than they are stored, or again: transactions, and POP."""

from __future__ import annotations

import pyarrow as pa

from state.column_groups import ARRIVAL_US, SENDER, WINDOW
from state.table import BROKER, CELL, GROUP, NAME, PRODUCER, QUEUE_ID, SEND_SEQ, TOPIC, Column, Table

TRANSACTIONS = Table(
    "transactions",
    "one half message: a copy of a transactional message in RMQ_SYS_TRANS_HALF_TOPIC",
    ("topic", "sender", "send_seq", "broker", "stored_us"),
    (
        CELL,
        TOPIC,
        BROKER,
        QUEUE_ID,
        SENDER,
        SEND_SEQ,
        ARRIVAL_US,
        Column("stored_us", pa.int64(), "us", "virtual time at which the broker appended the half message"),
        Column("local_end_us", pa.int64(), "us", "end of its local transaction, null if none followed this copy"),
        Column("settled_us", pa.int64(), "us", "virtual time at which the broker ended it, null while it is open"),
        Column("fate", NAME, "", "committed, rolled back, given up after all checks, or open at the end"),
        Column("by_check", pa.bool_(), "", "the answer of a check settled it, not the first end request"),
        Column("checks", pa.int32(), "", "rounds of checks that counted it: TRANSACTION_CHECK_TIMES"),
        Column("delivered", pa.int32(), "", "how often it became readable in its topic"),
    ),
)

TRANSACTION_WINDOWS = Table(
    "transaction_windows",
    "the half messages of one broker in one window of virtual time",
    ("window_start_us", "broker"),
    (
        CELL,
        *WINDOW,
        BROKER,
        Column("halves", pa.int64(), "", "half messages stored in the window, without those that checks write again"),
        Column("committed", pa.int64(), "", "half messages committed in the window"),
        Column("rolled_back", pa.int64(), "", "half messages rolled back in the window"),
        Column("given_up", pa.int64(), "", "half messages moved to TRANS_CHECK_MAX_TIME_TOPIC in the window"),
        Column("checks", pa.int64(), "", "check-backs in the window"),
        Column("unheard", pa.int64(), "", "of those, when the broker knew no producer of the group"),
        Column("open", pa.int64(), "", "half messages that nothing has ended, at the window's end"),
    ),
)

CHECK_BACKS = Table(
    "check_backs",
    "the checks that one producer was asked in one window of virtual time, if there were some",
    ("window_start_us", "producer"),
    (
        CELL,
        *WINDOW,
        PRODUCER,
        Column("checks", pa.int64(), "", "check-backs that brokers sent to it"),
    ),
)

POPS = Table(
    "pops",
    "what one POP group popped of one topic at one broker in one window of virtual time",
    ("window_start_us", "consumer_group", "topic", "broker"),
    (
        CELL,
        *WINDOW,
        GROUP,
        TOPIC,
        BROKER,
        Column("popped", pa.int64(), "", "messages popped in the window, those of the retry topic, too"),
        Column("acknowledged", pa.int64(), "", "messages acknowledged in time"),
        Column("revived", pa.int64(), "", "messages stored in the retry topic, as their invisible time was over"),
        Column("revived_failed", pa.int64(), "", "of those, messages that a listener had failed to handle"),
        Column("revived_unheard", pa.int64(), "", "of those, messages whose acknowledgement did not reach the broker"),
        Column("revived_slow", pa.int64(), "", "of those, messages that a running instance handled or had waiting"),
        Column("invisible", pa.int64(), "", "messages popped, not acknowledged and not revived, at the window's end"),
        Column("refused", pa.int64(), "", "pops that the broker refused"),
        Column(
            "lost", pa.int64(), "", "messages that were not acknowledged, and that a broker up to 5.2.0 never revives"
        ),
    ),
)

LATER_TABLES = (TRANSACTIONS, TRANSACTION_WINDOWS, CHECK_BACKS, POPS)
