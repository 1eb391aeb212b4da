"""From the loop's finished rows to Arrow tables in the schemas of state/tables.py."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from simulator import codes
from state import tables

Ints = npt.NDArray[np.int64]

MODES = ("sync", "async", "oneway")

# Outcomes and results by index: the exceptions, then the SendStatus values other than SEND_OK by response code.
STATUS_BASE = len(codes.OUTCOME_NAMES) + 1
OUTCOME_LABELS = (*codes.OUTCOME_NAMES, "HandOffQueueFull", *codes.SEND_STATUS_CODES)


@dataclass(frozen=True)
class Names:
    """What the numbers of a cell stand for; producer, thread and group are int64 arrays over the cell's sender
    threads; modes (places in MODES) and batches (messages a send) are those of the groups.
    """

    cell: int
    producer_of_thread: Ints
    number_of_thread: Ints
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


def _named(index: Ints, names: Sequence[str]) -> pa.Array:
    mask = index < 0
    indices = pa.array(index.astype(np.int32), mask=mask if mask.any() else None)
    return pa.DictionaryArray.from_arrays(indices, pa.array(names, pa.string()))


def _nullable(values: Ints, missing: npt.NDArray[np.bool_], kind: pa.DataType) -> pa.Array:
    return pa.array(values, mask=missing if missing.any() else None).cast(kind)


def _label_index(outcome: Ints, code: Ints) -> Ints:
    status = outcome == codes.SEND_STATUS
    return np.where(status, STATUS_BASE + code - codes.FLUSH_DISK_TIMEOUT, outcome)


def _i32(values: Ints) -> pa.Array:
    return pa.array(values.astype(np.int32))


def attempts_table(rows: Ints, names: Names) -> pa.Table:
    """Table `attempts` of int64 rows [columns, n] (engine/rows.py, put_attempt)."""
    thread, topic, seq, attempt, broker, queue, begin, end, outcome, code, reason, retry = rows
    n = rows.shape[1]
    return pa.Table.from_arrays(
        [
            pa.array(np.full(n, names.cell, np.int32)),
            _i32(names.producer_of_thread[thread]),
            _i32(names.number_of_thread[thread]),
            _named(topic, names.topics),
            pa.array(seq),
            _i32(attempt),
            _named(broker, names.brokers),
            _i32(queue),
            pa.array(begin),
            pa.array(end),
            pa.array(end // 1000 - begin // 1000),
            _named(_label_index(outcome, code), OUTCOME_LABELS),
            _nullable(code, code < 0, pa.int32()),
            _named(reason, codes.PICK_REASON_NAMES),
            pa.array(retry.astype(np.bool_)),
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
            pa.array(np.full(n, names.cell, np.int32)),
            _i32(names.producer_of_thread[thread]),
            _i32(names.number_of_thread[thread]),
            _named(topic, names.topics),
            pa.array(seq),
            _named(group, names.groups),
            pa.array(arrival),
            pa.array(begin),
            pa.array(end),
            pa.array(end - arrival),
            _named(_label_index(result, code), OUTCOME_LABELS),
            _nullable(code, code < 0, pa.int32()),
            pa.array((result == codes.SEND_OK) | (result == codes.SEND_STATUS)),
            _i32(attempts),
            _named(broker, names.brokers),
            _nullable(queue, broker < 0, pa.int32()),
            _i32(copies),
            _i32(kept),
            pa.array(kept == 0),
            _named(names.modes[group], MODES),
            _i32(names.batches[group]),
            _nullable(body, body < 0, pa.int64()),
            _nullable(wire, body < 0, pa.int64()),
            _nullable(key, key < 0, pa.int64()),
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
            pa.array(np.full(rows.shape[1], names.cell, np.int32)),
            _i32(producer + names.first_producer),
            _named(broker, names.brokers),
            pa.array(at_us),
            pa.array(seq),
            pa.array(latency),
            pa.array(start),
            pa.array((reachable == 1) | (not names.has_reachable_flag)),
            pa.array(available),
            pa.array(removed == 1),
        ],
        schema=tables.FAULT_ITEMS.schema,
    )


def windows_table(rows: Ints, names: Names) -> pa.Table:
    """Table `windows` of int64 rows [columns, n] (engine/rows.py, close_window); percentiles come in half us."""
    start, topic, broker, ended, of, succeeded, retried, p50, p99, p999, most, out_of_order = rows
    n, none = rows.shape[1], ended == 0

    def milliseconds(values: Ints, per_ms: int) -> pa.Array:
        return pa.array(values / per_ms, mask=none if none.any() else None)

    return pa.Table.from_arrays(
        [
            pa.array(np.full(n, names.cell, np.int32)),
            pa.array(start),
            pa.array(np.full(n, names.window_us, np.int64)),
            _named(topic, names.topics),
            _named(broker, names.brokers),
            pa.array(ended),
            pa.array(ended / np.maximum(of, 1)),
            pa.array(succeeded),
            pa.array(ended - succeeded),
            pa.array(retried),
            milliseconds(p50, 2000),
            milliseconds(p99, 2000),
            milliseconds(p999, 2000),
            milliseconds(most, 1000),
            pa.array(out_of_order),
        ],
        schema=tables.WINDOWS.schema,
    )


TABLE_OF = {
    "attempts": attempts_table,
    "sends": sends_table,
    "fault_items": fault_items_table,
    "windows": windows_table,
}
