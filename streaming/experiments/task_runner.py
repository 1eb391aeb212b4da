"""What a Python worker does with a task: the whole cell of a run, from its arrivals to what it came to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from streaming.experiments.task_list import STOP, Task, leave, task_of
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


def task_runner(folder: Path) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """A mapInArrow function: lines of tasks in, a row of OUT_SCHEMA a task out; none begins once all are to stop.

    `folder`: of the rounds, where whoever watches finds what a task came to before the others have ended.
    """

    def run_tasks(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        import simulator.experiments.experiment_runner  # noqa: F401

        settle()
        schema = pa.schema([("arm", pa.string()), ("seed", pa.int64()), ("cell", pa.int32()), ("payload", pa.binary())])
        for task in (task_of(line) for batch in batches for line in batch.column("value").to_pylist()):
            if (folder / STOP).exists():
                continue  # a worker that leaves input unread is not used again, and the next takes seconds to start
            payload = payload_of(task)
            leave(folder, task, payload)
            row = [[task.arm], [task.seed], [task.cell], [payload]]
            yield pa.RecordBatch.from_arrays(
                [pa.array(values, field.type) for values, field in zip(row, schema, strict=True)], schema=schema
            )

    return run_tasks
