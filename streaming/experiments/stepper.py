"""What a Python worker does with a task: the whole cell of a run, from its arrivals to what it came to."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from streaming.experiments.task_list import Task, task_of
from streaming.spark.worker import settle

if TYPE_CHECKING:
    import pyarrow as pa

    from simulator.scenario import Scenario

OUT_SCHEMA = "arm string, seed long, cell int, payload binary"


@lru_cache(maxsize=64)
def _scenario(text: str) -> Scenario:
    from simulator.scenario import parse_scenario

    return parse_scenario(text)


def payload_of(task: Task) -> bytes:
    """The packed totals of a task."""
    from simulator.experiments.experiment_runner import cell_totals

    scenario = _scenario(task.scenario).model_copy(update={"seed": task.seed})
    return cell_totals(scenario, task.cell, task.warm_up_us).packed()


def run_tasks(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """A mapInArrow function: lines of tasks in, a row of OUT_SCHEMA a task out."""
    import pyarrow as pa

    import simulator.experiments.experiment_runner  # noqa: F401

    settle()
    schema = pa.schema([("arm", pa.string()), ("seed", pa.int64()), ("cell", pa.int32()), ("payload", pa.binary())])
    for batch in batches:
        for line in batch.column("value").to_pylist():
            task = task_of(line)
            row = [[task.arm], [task.seed], [task.cell], [payload_of(task)]]
            yield pa.RecordBatch.from_arrays(
                [pa.array(values, field.type) for values, field in zip(row, schema, strict=True)], schema=schema
            )
