"""The records that a job writes: a row of a table each, as JSON, with a key that keeps its order and an id."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import pyarrow as pa

from state.tables import TABLES
from streaming.kafka.intake.event_records import VERSION

WRITTEN = ("attempts", "sends", "fault_items")
ID = "row"  # the header that names a row for good
SCHEMA = pa.schema(
    [
        ("topic", pa.string()),
        ("key", pa.binary()),
        ("value", pa.binary()),
        ("headers", pa.list_(pa.struct([("key", pa.string()), ("value", pa.binary())]))),
    ]
)
SPARK_SCHEMA = "topic string, key binary, value binary, headers array<struct<key: string, value: binary>>"


def topic_of(prefix: str, table: str) -> str:
    """The topic of a table."""
    return f"{prefix}-{table.replace('_', '-')}"


def records_of(prefix: str, run: str, table: str, rows: pa.Table) -> pa.RecordBatch:
    """A record for each row: the columns and the run as a JSON object.

    The key is the run and the producer: a producer's rows stay in one partition, in order. The header ID is the table
    and the row's key of state/tables.py: a row that comes again, after a failure, has the same one.
    """
    documents = [{"v": VERSION, "run": run, **row} for row in rows.to_pylist()]
    ids = _columns(rows, TABLES[table].key)
    topic = topic_of(prefix, table)
    return pa.RecordBatch.from_arrays(
        [
            pa.array([topic] * len(documents), pa.string()),
            pa.array([f"{run}/{row['producer']}".encode() for row in documents], pa.binary()),
            pa.array([_spelled(row) for row in documents], pa.binary()),
            pa.array(
                [[{"key": ID, "value": f"{table}/{run}/{'/'.join(map(str, own))}".encode()}] for own in ids],
                SCHEMA.field("headers").type,
            ),
        ],
        schema=SCHEMA,
    )


def _columns(rows: pa.Table, names: Sequence[str]) -> Iterator[tuple[object, ...]]:
    return zip(*(rows.column(name).to_pylist() for name in names), strict=True)


def _spelled(document: dict[str, object]) -> bytes:
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False).encode()


class RowsSeen:
    """What a consumer needs to have each row once: the ids that it has met, the oldest forgotten."""

    def __init__(self, most: int = 1_000_000) -> None:
        self.most = most
        self._ids: dict[bytes, None] = {}

    def is_new(self, headers: Sequence[tuple[str, bytes]]) -> bool:
        """Whether a record with those headers comes for the first time; remembers it."""
        own = dict(headers).get(ID)
        if own is None:
            return True
        if own in self._ids:
            return False
        self._ids[own] = None
        if len(self._ids) > self.most:
            del self._ids[next(iter(self._ids))]
        return True
