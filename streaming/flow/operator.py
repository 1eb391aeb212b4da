"""The stateful operator: one call a (run, cell) and micro-batch, blocks in, blocks out, one state row."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from streaming.flow.blocks import PROGRESS, Block, encode
from streaming.spark.worker import giving_back

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    from pyspark.sql import DataFrame
    from pyspark.sql.streaming.state import GroupState

    from state.row import StateRow


class Counts:
    """What the progress document says of the tables that one call puts out."""

    def __init__(self) -> None:
        self.counts = {"sends": 0, "failures": 0, "retries": 0}

    def add(self, name: str, table: pa.Table) -> None:
        """Count the rows of one finished table."""
        import pyarrow.compute as pc

        said = self.counts
        if name == "sends":
            said["sends"] += table.num_rows
            for chunk in table.column("result").chunks:
                said["failures"] += pc.sum(pc.not_equal(chunk.indices, 0)).as_py() or 0
        elif name == "attempts":
            said["retries"] += pc.sum(pc.greater(table.column("attempt"), 1)).as_py() or 0
        elif name == "decisions":
            ends = table.filter(pc.equal(table.column("kind").cast("string"), "send_end"))
            said["sends"] += ends.num_rows
            said["failures"] += pc.sum(pc.not_equal(ends.column("outcome").cast("string"), "SEND_OK")).as_py() or 0
            said["retries"] += pc.sum(pc.equal(table.column("after").cast("string"), "retry")).as_py() or 0

    def document(self, row: StateRow, cell: int) -> bytes:
        """The counts with where the cell stands now."""
        fields = ("clock_us", "next_window", "events_in", "events_handled", "events_rejected", "events_skipped")
        return json.dumps({"cell": cell, **self.counts} | {name: getattr(row, name) for name in fields}).encode()


def make_step(kind: str, spec: str, wanted: Sequence[str]) -> Any:
    """The function that applyInPandasWithState calls, bound to one run."""
    tables = tuple(wanted)

    def step(key: tuple[Any, ...], chunks: Iterator[pd.DataFrame], state: GroupState) -> Iterator[pd.DataFrame]:
        import pandas as pd

        from state.row import StateRow
        from streaming.flow.kinds_of_run import stepper_of
        from streaming.spark.worker import settle

        run, cell = str(key[0]), int(key[1])
        blocks = [
            Block(run, cell, int(window), str(tbl), int(events), bytes(payload or b""))
            for chunk in chunks
            for window, tbl, events, payload in zip(
                chunk["window"], chunk["tbl"], chunk["events"], chunk["payload"], strict=True
            )
        ]
        stored = StateRow(*state.get) if state.exists else None
        stepper = stepper_of(kind, spec, cell, stored, tables)
        settle()
        counts = Counts()

        def row(name: str, rows: int, payload: bytes) -> pd.DataFrame:
            return pd.DataFrame({"run": [run], "cell": [cell], "tbl": [name], "rows": [rows], "payload": [payload]})

        # Table by table, so that only their blocks are held until Spark takes them.
        for name, table in stepper.run(blocks):
            counts.add(name, table)
            # Compressed: a block of decisions is copied several times on its way through the JVM.
            yield row(name, table.num_rows, encode(table, "zstd"))
        remembered = stepper.snapshot()
        state.update(remembered.as_tuple())
        yield row(PROGRESS, 1, counts.document(remembered, cell))

    return giving_back(step)


def decisions(blocks: DataFrame, kind: str, spec: str, wanted: Sequence[str]) -> DataFrame:
    """The streaming DataFrame of decision blocks of a streaming DataFrame of event blocks."""
    from pyspark.sql.streaming.state import GroupStateTimeout

    from state.row import SPARK_SCHEMA
    from streaming.flow.blocks import OUT_SCHEMA

    return blocks.groupBy("run", "cell").applyInPandasWithState(
        make_step(kind, spec, wanted),
        outputStructType=OUT_SCHEMA,
        stateStructType=SPARK_SCHEMA,
        outputMode="append",
        timeoutConf=GroupStateTimeout.NoTimeout,
    )
