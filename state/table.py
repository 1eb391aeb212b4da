"""What a table is, and the columns that several have."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import pyarrow as pa

NAME = pa.dictionary(pa.int32(), pa.string())


@dataclass(frozen=True)
class Column:
    """One column: its Arrow type, unit ("" where it has none) and meaning."""

    name: str
    type: pa.DataType
    unit: str
    meaning: str


@dataclass(frozen=True)
class Table:
    """One table: what a row is, its columns, and the columns that are a key together with `run`."""

    name: str
    row: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]

    def described_schema(self, run: str) -> pa.Schema:
        """The schema with what a file should say of itself: table, key and run; unit and meaning of every column."""
        about = {"sendlab.table": self.name, "sendlab.key": ",".join(("run", *self.key)), "sendlab.run": run}
        fields = [
            pa.field(column.name, column.type, metadata={"unit": column.unit, "meaning": column.meaning})
            for column in self.columns
        ]
        return pa.schema(fields, metadata=about)

    @cached_property
    def schema(self) -> pa.Schema:
        """Arrow schema of the stored files, `run` excluded."""
        return pa.schema([pa.field(column.name, column.type) for column in self.columns])


CELL = Column("cell", pa.int32(), "", "shard of the run that is simulated as one unit")
PRODUCER = Column("producer", pa.int32(), "", "number of the producer in the run, from 0")
THREAD = Column("thread", pa.int32(), "", "sender thread of the producer, from 0")
TOPIC = Column("topic", NAME, "", "topic name")
SEND_SEQ = Column("send_seq", pa.int64(), "", "number of the message on its producer, thread and topic, from 0")
PRODUCER_GROUP = Column("producer_group", NAME, "", "name of the producer group")
BROKER = Column("broker", NAME, "", "broker name")
GROUP = Column("consumer_group", NAME, "", "name of the consumer group")
QUEUE_ID = Column("queue_id", pa.int32(), "", "queue of the topic on the broker, from 0")
