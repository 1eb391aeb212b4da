"""From the records that a task of Spark reads to blocks for the operator: one a cell and kind, columns as arrays."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from streaming.flow.blocks import Block, encode
from streaming.kafka.intake.judging import Judged, Vocabulary, judge, spelled

# Tables of blocks.
ARRIVALS, OBSERVATIONS, REJECTS = "kafka-arrivals", "kafka-observations", "kafka-rejects"
MARKS = "kafka-marks"  # how far a task has read a partition
PARTITIONS = "kafka-partitions"  # which partitions there are, and which are quiet
ENDED = 1 << 62  # the mark of a partition in which nothing follows
NO_DRAW = -(2**63)  # stands for none: a draw of just that value is as good as any
COLUMNS = ("at_us", "producer", "thread", "seq", "draw")
OBSERVED = ("at_us", "until_us", "value")


class Partition(NamedTuple):
    """A partition of a topic."""

    topic: str
    partition: int

    @property
    def spelled(self) -> str:
        """As rejects name it."""
        return f"topic {self.topic}, partition {self.partition}"


def blocks_of(batch: pa.RecordBatch, names: Vocabulary) -> Iterator[Block]:
    """The blocks of one batch of records, partition by partition."""
    topics, partitions = batch.column("topic"), np.asarray(batch.column("partition"))
    moves = (np.diff(np.asarray(topics.dictionary_encode().indices)) != 0) | (np.diff(partitions) != 0)
    edges = [0, *(np.flatnonzero(moves) + 1).tolist(), batch.num_rows]
    for first, last in pairwise(edges):
        if first < last:
            place = Partition(topics[first].as_py(), int(partitions[first]))
            yield from _blocks(batch.slice(first, last - first), place, names)


def _blocks(batch: pa.RecordBatch, place: Partition, names: Vocabulary) -> Iterator[Block]:
    judged = judge(batch.column("value"), names)
    offsets = np.asarray(batch.column("offset"), np.int64)
    kinds = (
        (ARRIVALS, judged.arrivals, {name: judged.column(name, NO_DRAW) for name in COLUMNS} | {"topic": judged.topic}),
        (
            OBSERVATIONS, judged.observations,
            {name: judged.column(name) for name in OBSERVED} | {"broker": judged.place, "table": judged.period},
        ),
    )  # fmt: skip
    for table, chosen, columns in kinds:
        for cell in np.unique(judged.cell[chosen]):
            rows = chosen[judged.cell[chosen] == cell]
            arrays = {name: pa.array(values[rows]) for name, values in {**columns, "offset": offsets}.items()}
            yield _block(names.run, int(cell), table, place, pa.table(arrays))
    for cell in sorted({int(judged.cell[number]) for number, _ in judged.rejected}):
        bad = [(number, reason) for number, reason in judged.rejected if judged.cell[number] == cell]
        said = batch.column("value").take(pa.array([number for number, _ in bad])).to_pylist()
        rows = {"offset": offsets[[n for n, _ in bad]], "reason": [r for _, r in bad], "record": map(spelled, said)}
        arrays = {name: pa.array(list(values)) for name, values in rows.items()}
        yield _block(names.run, cell, REJECTS, place, pa.table(arrays))
    mark = _mark(judged)
    if mark is not None:
        payload = json.dumps([place.topic, place.partition, mark]).encode()
        yield from (Block(names.run, cell, 0, MARKS, 0, payload) for cell in range(names.cells))


def _block(run: str, cell: int, name: str, place: Partition, rows: pa.Table) -> Block:
    where = {"topic": place.topic, "partition": str(place.partition)}
    return Block(run, cell, 0, name, rows.num_rows, encode(rows.replace_schema_metadata(where)))


def place_of(rows: pa.Table) -> Partition:
    """The partition whose records a block holds. Raises KeyError or ValueError if it does not say."""
    said = rows.schema.metadata or {}
    return Partition(said[b"topic"].decode(), int(said[b"partition"]))


def _mark(judged: Judged) -> int | None:
    """How far virtual time is in a partition after a batch of it; None if the batch does not tell."""
    if len(judged.ends):
        return ENDED
    times = judged.column("at_us")[np.concatenate([judged.arrivals, judged.times])]
    return int(times.max()) if len(times) else None


def every_cell(names: Vocabulary, payload: bytes) -> Iterable[Block]:
    """What there is of partitions, for each cell of the run."""
    return [Block(names.run, cell, 0, PARTITIONS, 0, payload) for cell in range(names.cells)]
