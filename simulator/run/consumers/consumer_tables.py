"""From the consumer machine's finished rows to Arrow tables in the schemas of state/tables.py."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pyarrow as pa

from simulator.compiled.region_store import columns
from simulator.consumer.memory.consumer_output import CONSUMER_ROWS
from simulator.consumer.memory.half_message import GONE, OPEN, HalfMessage
from simulator.consumer.memory.queue_log import SENDER_SHIFT
from simulator.plan.consumers.consumer_plan import ConsumerNames
from simulator.run.row_tables import Columns, Ints, Rows, as_table, rows_of, window_columns
from state.columns import flags, named, numbers
from state.group_table import DELIVERY_RESULTS, LAG_VERDICTS

EVERY_QUEUE = -1  # what a POP client calls all queues of a broker
FATES = ("open", "committed", "rolled back", "given up")
REASONS = ("start", "group changed", "period", "unbalanced", "route changed", "offsets reset", "illegal offset")


def _of_queue(row: Rows, names: ConsumerNames) -> Columns:
    log = row["log"]
    return {
        "topic": named(names.topic_of_log[log], names.topics),
        "broker": named(names.broker_of_log[log], names.brokers),
        "queue_id": numbers(names.queue_of_log[log], np.int32),
        "consumer_group": named(names.group_of_subscription[row["subscription"]], names.groups),
    }


def _sender(row: Rows) -> Columns:
    """Which message it is: the sender thread, and the message's number on it."""
    sender = row["sender"]
    return {
        "sender": numbers(sender >> SENDER_SHIFT, np.int32),
        "send_seq": numbers(sender & ((1 << SENDER_SHIFT) - 1)),
    }


def _stored(row: Rows, names: ConsumerNames) -> Columns:
    begin, oldest, committed = row["begin_us"], row["oldest_us"], row["committed"]
    return (
        _of_queue(row, names)
        | window_columns(row, names.window_us)
        | {
            "instance": named(names.instance_of_subscription[row["subscription"]], names.instances),
            "appended": numbers(row["appended"]),
            "max_offset": numbers(row["max_offset"]),
            "committed_offset": numbers(committed, missing=committed < 0),
            "consumed": numbers(row["consumed"]),
            "lag": numbers(row["lag"]),
            "committed_lag": numbers(row["committed_lag"]),
            "missed": numbers(row["missed"]),
            "skipped": numbers(row["skipped"]),
            "skipped_since_start": numbers(row["skipped_later"]),
            "oldest_age_us": numbers(begin + names.window_us - oldest, missing=oldest < 0),
            "lag_verdict": named(row["verdict"], LAG_VERDICTS),
        }
    )


def _consumer_windows(row: Rows, names: ConsumerNames) -> Columns:
    none = row["p50_half_us"] < 0
    return window_columns(row, names.window_us) | {
        "consumer_group": named(row["group"], names.groups),
        "instances": numbers(row["instances"], np.int32),
        "threads": numbers(row["workers"], np.int32),
        "busy_threads": numbers(row["busy_us"] / names.window_us),
        "consumed": numbers(row["consumed"]),
        "consumed_again": numbers(row["again"]),
        "failed": numbers(row["failed"]),
        "sent_back": numbers(row["sent_back"]),
        "dead_letters": numbers(row["dead_letters"]),
        "missed": numbers(row["missed"]),
        "skipped": numbers(row["skipped"]),
        "skipped_since_start": numbers(row["skipped_later"]),
        "expired": numbers(row["expired"]),
        "from_disk": numbers(row["from_disk"]),
        "from_slave": numbers(row["from_slave"]),
        "looked_at": numbers(row["looked_at"]),
        "properties_read": numbers(row["properties_read"]),
        "given": numbers(row["given"]),
        "deduplicated": numbers(row["deduplicated"]),
        "out_of_order": numbers(row["out_of_order"]),
        "handled_again": numbers(row["handled_again"]),
        "failed_starts": numbers(row["failed_starts"]),
        "lag": numbers(row["lag"]),
        "cached": numbers(row["cached"]),
        "unowned_us": numbers(row["unowned_us"]),
        "double_owned_us": numbers(row["double_us"]),
        "p50_ms": numbers(row["p50_half_us"] / 2000, missing=none),
        "p99_ms": numbers(row["p99_half_us"] / 2000, missing=none),
        "max_ms": numbers(row["max_us"] / 1000, missing=none),
        "lag_verdict": named(row["verdict"], LAG_VERDICTS),
    }


def _consumed(row: Rows, names: ConsumerNames) -> Columns:
    return (
        _of_queue(row, names)
        | _sender(row)
        | {
            "queue_offset": numbers(row["offset"]),
            "instance": named(row["instance"], names.instances),
            "consume_thread": numbers(row["worker"], np.int32),
            "arrival_us": numbers(row["arrival_us"]),
            "stored_us": numbers(row["stored_us"]),
            "begin_us": numbers(row["begin_us"]),
            "end_us": numbers(row["end_us"]),
            "times": numbers(row["times"], np.int32),
            "dropped": flags(row["is_dropped"] == 1),
            "reconsume_times": numbers(row["reconsume_times"], np.int32),
            "result": named(row["fate"], DELIVERY_RESULTS),
        }
    )


def _assignments(row: Rows, names: ConsumerNames) -> Columns:
    queue_id = np.where(row["is_shared"] == 1, EVERY_QUEUE, names.queue_of_log[row["log"]])
    return _of_queue(row, names) | {
        "queue_id": numbers(queue_id, np.int32),
        "instance": named(row["instance"], names.instances),
        "from_us": numbers(row["from_us"]),
        "until_us": numbers(row["until_us"]),
        "open": flags(row["is_open"] == 1),
    }


def _rebalances(row: Rows, names: ConsumerNames) -> Columns:
    group = names.group_of_subscription[row["subscription"]]
    return {
        "at_us": numbers(row["at_us"]),
        "consumer_group": named(group, names.groups),
        "topic": named(names.topic_of_subscription[row["subscription"]], names.topics),
        "instance": named(row["instance"], names.instances),
        "reason": named(row["reason"], REASONS),
        "broker": named(row["broker"], names.brokers),
        "members": numbers(row["members"], np.int32, row["members"] < 0),
        "queues": numbers(row["queues"], np.int32),
        "taken": numbers(row["taken"], np.int32),
        "lost": numbers(row["lost"], np.int32),
        "held": numbers(row["held"], np.int32),
    }


def _delays(row: Rows, names: ConsumerNames) -> Columns:
    none = row["late_p50_half_us"] < 0
    return window_columns(row, names.window_us) | {
        "broker": named(row["broker"], names.brokers),
        "delay_level": numbers(row["level"], np.int32),
        "added": numbers(row["added"]),
        "delivered": numbers(row["delivered"]),
        "delivered_again": numbers(row["again"]),
        "waiting": numbers(row["waiting"]),
        "late_p50_ms": numbers(row["late_p50_half_us"] / 2000, missing=none),
        "late_p99_ms": numbers(row["late_p99_half_us"] / 2000, missing=none),
        "late_max_ms": numbers(row["late_max_us"] / 1000, missing=none),
    }


def _retries(row: Rows, names: ConsumerNames) -> Columns:
    return {
        "window_start_us": numbers(row["begin_us"]),
        "consumer_group": named(row["group"], names.groups),
        "delay_level": numbers(row["level"], np.int32),
        "messages": numbers(row["messages"]),
    }


def _transactions(row: Rows, names: ConsumerNames) -> Columns:
    log, is_open = row["log"], row["settled_us"] < 0
    return _sender(row) | {
        "topic": named(names.topic_of_log[log], names.topics),
        "broker": named(row["broker"], names.brokers),
        "queue_id": numbers(names.queue_of_log[log], np.int32),
        "arrival_us": numbers(row["arrival_us"]),
        "stored_us": numbers(row["stored_us"]),
        "local_end_us": numbers(row["local_us"], missing=row["local_us"] < 0),
        "settled_us": numbers(row["settled_us"], missing=is_open),
        "fate": named(row["fate"], FATES),
        "by_check": flags(row["by_check"] == 1),
        "checks": numbers(row["checks"], np.int32),
        "delivered": numbers(row["delivered"], np.int32),
    }


def _transaction_windows(row: Rows, names: ConsumerNames) -> Columns:
    counts = ("halves", "committed", "rolled_back", "given_up", "checks", "unheard", "open")
    return (
        window_columns(row, names.window_us)
        | {
            "broker": named(row["broker"], names.brokers),
        }
        | {name: numbers(row[name]) for name in counts}
    )


def _check_backs(row: Rows, names: ConsumerNames) -> Columns:
    return window_columns(row, names.window_us) | {
        "producer": numbers(row["producer"], np.int32),
        "checks": numbers(row["checks"]),
    }


def _pops(row: Rows, names: ConsumerNames) -> Columns:
    subscription = row["subscription"]
    counts = (
        "popped", "acknowledged", "revived", "revived_failed", "revived_unheard", "revived_slow", "invisible",
        "refused", "lost",
    )  # fmt: skip
    return (
        window_columns(row, names.window_us)
        | {
            "consumer_group": named(names.group_of_subscription[subscription], names.groups),
            "topic": named(names.topic_of_subscription[subscription], names.topics),
            "broker": named(row["broker"], names.brokers),
        }
        | {name: numbers(row[name]) for name in counts}
    )


def _proxied_consumers(row: Rows, names: ConsumerNames) -> Columns:
    return {
        "at_us": numbers(row["at_us"]),
        "consumer_group": named(names.group_of_instance[row["instance"]], names.groups),
        "instance": named(row["instance"], names.instances),
        "proxy": named(row["proxy"], names.proxies),
    }


COLUMNS_OF: Mapping[str, Callable[[Rows, ConsumerNames], Columns]] = {
    "stored": _stored,
    "consumer_windows": _consumer_windows,
    "consumed": _consumed,
    "assignments": _assignments,
    "rebalances": _rebalances,
    "retries": _retries,
    "delays": _delays,
    "transactions": _transactions,
    "transaction_windows": _transaction_windows,
    "check_backs": _check_backs,
    "pops": _pops,
    "proxied_consumers": _proxied_consumers,
}


def consumer_table(name: str, cells: Ints, count: int, names: ConsumerNames) -> pa.Table:
    """Table of that name from the first `count` records that the machine put out (consumer/machine/output.py)."""
    own = COLUMNS_OF[name](rows_of(CONSUMER_ROWS[name][1], cells, count), names)
    return as_table(name, own, 0, count)


def open_transactions(halves: Ints, names: ConsumerNames) -> pa.Table:
    """Table `transactions` of the half messages that are open, or about which something is under way."""
    at = columns(HalfMessage)
    fate, is_used = halves[:, at["fate"]], (halves[:, at["under_way"]] > 0) | (halves[:, at["kept"]] > 0)
    rows = halves[(fate == OPEN) | (is_used & (fate != GONE))]
    record = CONSUMER_ROWS["transactions"][1]
    cells = np.stack([rows[:, at[name]] for name in columns(record)], axis=1)
    return consumer_table("transactions", cells, len(cells), names)
