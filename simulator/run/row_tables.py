"""From the loop's finished rows to Arrow tables in the schemas of state/tables.py."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from simulator import codes
from simulator.outcomes import labelled
from state import tables
from state.columns import flags, named, numbers

Ints = npt.NDArray[np.int64]

MODES = ("sync", "async", "oneway")


@dataclass(frozen=True)
class Names:
    """What the numbers of a cell stand for; producer, thread and group are int64 arrays over the cell's sender
    threads, producer_of_view and number_of_view over those and then the threads of the clients' own pools; modes
    (places in MODES) and batches (messages a send) are those of the groups.
    """

    cell: int
    producer_of_thread: Ints
    number_of_thread: Ints
    producer_of_view: Ints
    number_of_view: Ints
    group_of_thread: Ints
    first_producer: int
    topics: Sequence[str]
    brokers: Sequence[str]
    groups: Sequence[str]
    modes: Ints
    batches: Ints
    window_us: int
    unreachable_is_unavailable: bool
    has_reachable_flag: bool


def _i32(values: Ints) -> pa.Array:
    return numbers(values, np.int32)


def attempts_table(rows: Ints, names: Names) -> pa.Table:
    """Table `attempts` of int64 rows [columns, n] (engine/rows.py, put_attempt)."""
    thread, topic, seq, attempt, broker, queue, begin, end, outcome, code, reason, retry = rows
    n = rows.shape[1]
    return pa.Table.from_arrays(
        [
            numbers(np.full(n, names.cell, np.int32)),
            _i32(names.producer_of_thread[thread]),
            _i32(names.number_of_thread[thread]),
            named(topic, names.topics),
            numbers(seq),
            _i32(attempt),
            named(broker, names.brokers),
            _i32(queue),
            numbers(begin),
            numbers(end),
            numbers(end // 1000 - begin // 1000),
            labelled(outcome, code),
            numbers(code, np.int32, code < 0),
            named(reason, codes.PICK_REASON_NAMES),
            flags(retry.astype(np.bool_)),
        ],
        schema=tables.ATTEMPTS.schema,
    )


def sends_table(rows: Ints, names: Names) -> pa.Table:
    """Table `sends` of int64 rows [columns, n] (engine/rows.py, put_send)."""
    thread, topic, seq, arrival, begin, end, result, code, attempts, broker, queue, copies, kept, *of_body = rows
    body, wire, key = of_body
    n, group = rows.shape[1], names.group_of_thread[thread]
    return pa.Table.from_arrays(
        [
            numbers(np.full(n, names.cell, np.int32)),
            _i32(names.producer_of_thread[thread]),
            _i32(names.number_of_thread[thread]),
            named(topic, names.topics),
            numbers(seq),
            named(group, names.groups),
            numbers(arrival),
            numbers(begin),
            numbers(end),
            numbers(end - arrival),
            labelled(result, code),
            numbers(code, np.int32, code < 0),
            flags((result == codes.SEND_OK) | (result == codes.SEND_STATUS)),
            _i32(attempts),
            named(broker, names.brokers),
            numbers(queue, np.int32, broker < 0),
            _i32(copies),
            _i32(kept),
            flags(kept == 0),
            named(names.modes[group], MODES),
            _i32(names.batches[group]),
            numbers(body, np.int64, body < 0),
            numbers(wire, np.int64, body < 0),
            numbers(key, np.int64, key < 0),
        ],
        schema=tables.SENDS.schema,
    )


def fault_items_table(rows: Ints, names: Names) -> pa.Table:
    """Table `fault_items` of int64 rows [columns, n] (engine/rows.py, put_fault_item)."""
    producer, broker, at_us, seq, latency, start, reachable, removed = rows
    available = (at_us // 1000 >= start) | (removed == 1)
    if names.unreachable_is_unavailable:
        available &= (reachable == 1) | (removed == 1)
    return pa.Table.from_arrays(
        [
            numbers(np.full(rows.shape[1], names.cell, np.int32)),
            _i32(producer + names.first_producer),
            named(broker, names.brokers),
            numbers(at_us),
            numbers(seq),
            numbers(latency),
            numbers(start),
            flags((reachable == 1) | (not names.has_reachable_flag)),
            flags(available),
            flags(removed == 1),
        ],
        schema=tables.FAULT_ITEMS.schema,
    )


def windows_table(rows: Ints, names: Names) -> pa.Table:
    """Table `windows` of int64 rows [columns, n] (engine/rows.py, close_window); percentiles come in half us."""
    start, topic, broker, ended, of, succeeded, retried, p50, p99, p999, most, out_of_order = rows
    n, none = rows.shape[1], ended == 0

    def milliseconds(values: Ints, per_ms: int) -> pa.Array:
        return numbers(values / per_ms, missing=none)

    return pa.Table.from_arrays(
        [
            numbers(np.full(n, names.cell, np.int32)),
            numbers(start),
            numbers(np.full(n, names.window_us, np.int64)),
            named(topic, names.topics),
            named(broker, names.brokers),
            numbers(ended),
            numbers(ended / np.maximum(of, 1)),
            numbers(succeeded),
            numbers(ended - succeeded),
            numbers(retried),
            milliseconds(p50, 2000),
            milliseconds(p99, 2000),
            milliseconds(p999, 2000),
            milliseconds(most, 1000),
            numbers(out_of_order),
        ],
        schema=tables.WINDOWS.schema,
    )


TABLE_OF = {
    "attempts": attempts_table,
    "sends": sends_table,
    "fault_items": fault_items_table,
    "windows": windows_table,
}
