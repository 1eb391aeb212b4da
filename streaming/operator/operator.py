"""The stateful operator: one call a (run, cell) and micro-batch, blocks in, blocks out, one state row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from streaming.flow.blocks import BLOCKS_A_BATCH, PROGRESS, Block, encode
from streaming.operator.cell_progress import document_of
from streaming.operator.key_salts import SALT, Salts, salted
from streaming.operator.stepper import StepperOf
from streaming.spark.worker import giving_back
from streaming.texts.flow_texts import FlowTexts

if TYPE_CHECKING:
    import pandas as pd
    from pyspark.sql import DataFrame
    from pyspark.sql.streaming.state import GroupState

    from streaming.flow.run_spec import RunSpec

# A block of decisions is copied several times on its way through the JVM; lz4 takes half of zstd's time for it.
CODEC = "lz4"


def make_step(runs: Sequence[RunSpec], wanted: Sequence[str], stepper_of: StepperOf) -> Any:
    """The function that applyInPandasWithState calls, bound to the runs of a job. Raises ValueError for another run."""
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

        def frame(some: list[tuple[str, int, bytes]]) -> pd.DataFrame:
            names, rows, payloads = zip(*some, strict=True)
            return pd.DataFrame({"run": run, "cell": cell, "tbl": names, "rows": rows, "payload": payloads})

        # Some tables at a time, so that only their blocks are held until Spark takes them; a frame each costs more.
        given: list[tuple[str, int, bytes]] = []
        for name, table in stepper.run(blocks):
            given.append((name, table.num_rows, encode(table, CODEC)))
            if len(given) == BLOCKS_A_BATCH:
                yield frame(given)
                given = []
        remembered = stepper.snapshot()
        state.update(remembered.as_tuple())
        yield frame([*given, (PROGRESS, 1, document_of(remembered, run, cell))])

    return giving_back(step)


def decisions(
    blocks: DataFrame,
    runs: Sequence[RunSpec],
    wanted: Sequence[str],
    stepper_of: StepperOf,
    salts: Salts | None = None,
) -> DataFrame:
    """The streaming DataFrame of decision blocks of a streaming DataFrame of event blocks.

    `salts`: of the keys, which spread cells over the state partitions; None: keys are run and cell alone.
    """
    from pyspark.sql.streaming.state import GroupStateTimeout

    from state.row import SPARK_SCHEMA
    from streaming.flow.blocks import OUT_SCHEMA

    keys = ("run", "cell") if salts is None else ("run", "cell", SALT)
    found = blocks if salts is None else salted(blocks, salts)
    return found.groupBy(*keys).applyInPandasWithState(
        make_step(runs, wanted, stepper_of),
        outputStructType=OUT_SCHEMA,
        stateStructType=SPARK_SCHEMA,
        outputMode="append",
        timeoutConf=GroupStateTimeout.NoTimeout,
    )
