"""The stateful operator: one call a (run, cell) and micro-batch, blocks in, blocks out, one state row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from streaming.flow.blocks import BLOCKS_A_BATCH, PROGRESS, Block, encode
from streaming.flow.row_files import BeginFiles, part_name_of_task
from streaming.flow.sink import Written
from streaming.operator.cell_progress import document_of
from streaming.operator.key_salts import SALT, Salts, salted
from streaming.operator.stepper import StepperOf
from streaming.spark.worker import giving_back
from streaming.texts.flow_texts import FlowTexts

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    from pyspark.sql import DataFrame
    from pyspark.sql.streaming.state import GroupState

    from streaming.flow.run_spec import RunSpec

# A block of decisions is copied several times on its way through the JVM; lz4 takes half of zstd's time for it.
CODEC = "lz4"


def make_step(
    runs: Sequence[RunSpec], wanted: Sequence[str], stepper_of: StepperOf, begin_files: BeginFiles | None = None
) -> Any:
    """The function that applyInPandasWithState calls, bound to the runs of a job. Raises ValueError for another run.

    `begin_files`: what it writes rows to itself; then a block has none, and says how many there are of its table.
    """
    tables, spec_of = tuple(wanted), {run.run: run for run in runs}

    def step(key: tuple[Any, ...], chunks: Iterator[pd.DataFrame], state: GroupState) -> Iterator[pd.DataFrame]:
        import pandas as pd

        from state.row import StateRow
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
        if run not in spec_of:
            raise ValueError(FlowTexts.NO_RUN_OF_THE_JOB(run=run, runs=", ".join(spec_of)))
        stepper = stepper_of(spec_of[run], cell, stored, tables)
        settle()

        def frame(some: Written) -> pd.DataFrame:
            names, rows, payloads = zip(*some, strict=True)
            return pd.DataFrame({"run": run, "cell": cell, "tbl": names, "rows": rows, "payload": payloads})

        found = stepper.run(blocks)
        last: Written = []
        if begin_files is not None:
            last = _write(begin_files, run, found)
        else:
            # Some tables at a time, so that only their blocks are held until Spark takes them; a frame each costs more.
            for name, table in found:
                last.append((name, table.num_rows, encode(table, CODEC)))
                if len(last) == BLOCKS_A_BATCH:
                    yield frame(last)
                    last = []
        remembered = stepper.snapshot()
        state.update(remembered.as_tuple())
        yield frame([*last, (PROGRESS, 1, document_of(remembered, run, cell))])

    return giving_back(step)


def _write(begin_files: BeginFiles, run: str, found: Iterator[tuple[str, pa.Table]]) -> Written:
    """Rows of one cell to files: how many there are of each table."""
    files = begin_files(part_name_of_task())
    for name, table in found:
        files.write(run, name, table)
    files.close()
    return [(name, rows, b"") for name, rows in files.rows.items()]


def decisions(
    blocks: DataFrame,
    runs: Sequence[RunSpec],
    wanted: Sequence[str],
    stepper_of: StepperOf,
    salts: Salts | None = None,
    begin_files: BeginFiles | None = None,
) -> DataFrame:
    """The streaming DataFrame of decision blocks of a streaming DataFrame of event blocks.

    `salts`: of the keys, which spread cells over the state partitions; None: keys are run and cell alone.
    `begin_files`: as `make_step`; no two cells may share a state partition, by which files are named.
    """
    from pyspark.sql.streaming.state import GroupStateTimeout

    from state.row import SPARK_SCHEMA
    from streaming.flow.blocks import OUT_SCHEMA

    keys = ("run", "cell") if salts is None else ("run", "cell", SALT)
    found = blocks if salts is None else salted(blocks, salts)
    return found.groupBy(*keys).applyInPandasWithState(
        make_step(runs, wanted, stepper_of, begin_files),
        outputStructType=OUT_SCHEMA,
        stateStructType=SPARK_SCHEMA,
        outputMode="append",
        timeoutConf=GroupStateTimeout.NoTimeout,
    )
