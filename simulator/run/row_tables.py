"""From the loop's finished rows to Arrow tables in the schemas of state/tables.py."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from simulator import codes
from simulator.compiled.records import Record, size_of
from simulator.compiled.region_store import columns
from simulator.engine.memory.output import ROWS
from simulator.outcomes import labelled
from simulator.plan.run_plan import MODES, Names
from state import tables
from state.columns import flags, named, numbers

Ints = npt.NDArray[np.int64]
Rows = Mapping[str, Ints]  # by the field of the loop's row
Columns = dict[str, pa.Array]  # by the column of the table


def _i32(values: Ints) -> pa.Array:
    return numbers(values, np.int32)


def window_columns(row: Rows, window_us: int) -> Columns:
    """Begin and length of the window that a row counts."""
    begin = row["begin_us"]
    return {"window_start_us": numbers(begin), "window_us": numbers(np.full_like(begin, window_us))}


def _message_columns(row: Rows, names: Names) -> Columns:
    """Which message it is, and who sent it."""
    thread = row["thread"]
    return {
        "producer": _i32(names.producer_of_thread[thread]),
        "thread": _i32(names.number_of_thread[thread]),
        "topic": named(row["topic"], names.topics),
        "send_seq": numbers(row["send_seq"]),
        "producer_group": named(names.group_of_thread[thread], names.groups),
    }


def _attempt_columns(row: Rows, names: Names) -> Columns:
    """Columns of every attempt, whoever makes it."""
    code = row["code"]
    return _message_columns(row, names) | {
        "attempt": _i32(row["attempt"]),
        "broker": named(row["broker"], names.brokers),
        "begin_us": numbers(row["begin_us"]),
        "end_us": numbers(row["end_us"]),
        "outcome": labelled(row["outcome"], code),
        "response_code": numbers(code, np.int32, code < 0),
    }


def attempts_columns(row: Rows, names: Names) -> Columns:
    """Columns of table `attempts` from those of output.AttemptRow."""
    return _attempt_columns(row, names) | {
        "queue_id": _i32(row["queue_id"]),
        "latency_us": numbers(row["end_us"] - row["begin_us"]),
        "pick_reason": named(row["reason"], codes.PICK_REASON_NAMES),
        "will_retry": flags(row["will_retry"].astype(np.bool_)),
    }


def sends_columns(row: Rows, names: Names) -> Columns:
    """Columns of table `sends` from those of output.SendRow."""
    arrival, begin, end = row["arrival_us"], row["begin_us"], row["end_us"]
    result, code, broker, body, key = row["result"], row["code"], row["broker"], row["body_bytes"], row["key"]
    acknowledged = np.isin(result, codes.STORED)
    group = names.group_of_thread[row["thread"]]
    return _message_columns(row, names) | {
        "arrival_us": numbers(arrival),
        "begin_us": numbers(begin),
        "end_us": numbers(end),
        "latency_us": numbers(end - arrival),
        "result": labelled(result, code),
        "response_code": numbers(code, np.int32, code < 0),
        "acknowledged": flags(acknowledged),
        "attempts": _i32(row["attempts"]),
        "broker": named(broker, names.brokers),
        "queue_id": numbers(row["queue_id"], np.int32, broker < 0),
        "copies_stored": _i32(row["copies"]),
        "copies_kept": _i32(row["kept"]),
        "lost": flags(acknowledged & (row["kept"] == 0)),
        "mode": named(names.modes[group], MODES),
        "messages": _i32(names.batches[group]),
        "body_bytes": numbers(body, np.int64, body < 0),
        "wire_bytes": numbers(row["message_bytes"], np.int64, body < 0),
        "message_key": numbers(key, np.int64, key < 0),
    }


def fault_items_columns(row: Rows, names: Names) -> Columns:
    """Columns of table `fault_items` from those of output.FaultItemRow."""
    at_us, start, reachable, removed = row["at_us"], row["start_timestamp"], row["reachable"] == 1, row["removed"] == 1
    available = (at_us // 1000 >= start) | removed
    available &= reachable | removed | ~names.unreachable_is_unavailable[row["producer"]]
    return {
        "producer": _i32(row["producer"] + names.first_producer),
        "broker": named(row["broker"], names.brokers),
        "at_us": numbers(at_us),
        "change_seq": numbers(row["seq"]),
        "current_latency_ms": numbers(row["current_latency"]),
        "start_timestamp_ms": numbers(start),
        "reachable": flags(reachable | ~names.has_reachable_flag[row["producer"]]),
        "available": flags(available),
        "removed": flags(removed),
    }


def windows_columns(row: Rows, names: Names) -> Columns:
    """Columns of table `windows` from those of output.WindowRow."""
    ended, none = row["ended"], row["ended"] == 0

    def milliseconds(values: Ints, per_ms: int) -> pa.Array:
        return numbers(values / per_ms, missing=none)

    return window_columns(row, names.window_us) | {
        "topic": named(row["topic"], names.topics),
        "broker": named(row["broker"], names.brokers),
        "attempts": numbers(ended),
        "share": numbers(ended / np.maximum(row["topic_ended"], 1)),
        "successes": numbers(row["succeeded"]),
        "failures": numbers(ended - row["succeeded"]),
        "retries": numbers(row["retried"]),
        "p50_ms": milliseconds(row["p50_half_us"], 2000),
        "p99_ms": milliseconds(row["p99_half_us"], 2000),
        "p999_ms": milliseconds(row["p999_half_us"], 2000),
        "max_ms": milliseconds(row["max_us"], 1000),
        "out_of_order": numbers(row["out_of_order"]),
    }


def proxied_attempts_columns(row: Rows, names: Names) -> Columns:
    """Columns of table `proxied_attempts` from those of output.ProxiedAttemptRow."""
    return _attempt_columns(row, names) | {"proxy": named(row["proxy"], names.proxies)}


COLUMNS_OF: Mapping[str, Callable[[Rows, Names], Columns]] = {
    "attempts": attempts_columns,
    "sends": sends_columns,
    "fault_items": fault_items_columns,
    "windows": windows_columns,
    "proxied_attempts": proxied_attempts_columns,
}


def table_of(name: str, cells: Ints, count: int, names: Names) -> pa.Table:
    """Table of that name from the first `count` records that the loop put out (memory/output.py), int64 cells."""
    own = COLUMNS_OF[name](rows_of(ROWS[name][1], cells, count), names)
    return as_table(name, own, names.cell, count)


def rows_of(record: type[Record], cells: Ints, count: int) -> Rows:
    """The first `count` records in int64 cells, by field."""
    rows = cells.reshape(-1, size_of(record))[:count]
    return {field: rows[:, column].copy() for field, column in columns(record).items()}


def as_table(name: str, own: Columns, cell: int, count: int) -> pa.Table:
    """The table of that name from its columns, in the order of its schema; cell: number of the cell of all rows."""
    found, schema = own | {"cell": numbers(np.full(count, cell, np.int32))}, tables.TABLES[name].schema
    return pa.Table.from_arrays([found.pop(column) for column in schema.names], schema=schema)
