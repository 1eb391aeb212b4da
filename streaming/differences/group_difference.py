"""The first window in which a consumer group did something else in two runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from state.group_table import CONSUMER_WINDOWS
from streaming.outputs.dataset import RunOutput

KEY = ("window_start_us", "consumer_group")
COLUMNS = tuple(name for name in CONSUMER_WINDOWS.schema.names if name not in (*KEY, "cell", "window_us"))


@dataclass(frozen=True)
class GroupDifference:
    """What of a group's window differs: by column of consumer_windows both values, None where a run has no such row."""

    consumer_group: str
    window_start_us: int
    columns: dict[str, tuple[Any, Any]]


def can_compare_consumers(one: RunOutput, other: RunOutput) -> bool:
    """Whether each run that has consumers has written their windows."""
    with_consumers = (output for output in (one, other) if output.about.get("consumer_groups"))
    return all(output.is_written(CONSUMER_WINDOWS.name) for output in with_consumers)


def first_group_difference(one: RunOutput, other: RunOutput) -> GroupDifference | None:
    """The first window of a group that is not the same in both; None if all are, or a run has not written its own."""
    if not can_compare_consumers(one, other):
        return None
    ours, theirs = (_windows(output) for output in (one, other))
    for key in sorted({**ours, **theirs}):
        if ours.get(key) != theirs.get(key):
            rows = [found.get(key, dict.fromkeys(COLUMNS)) for found in (ours, theirs)]
            apart = {name: (rows[0][name], rows[1][name]) for name in COLUMNS if rows[0][name] != rows[1][name]}
            return GroupDifference(key[1], key[0], apart)
    return None


def _windows(output: RunOutput) -> dict[tuple[int, str], dict[str, Any]]:
    found: dict[tuple[int, str], dict[str, Any]] = {}
    if not output.is_written(CONSUMER_WINDOWS.name):
        return found
    for batch in output.batches(CONSUMER_WINDOWS.name, [*KEY, *COLUMNS]):
        for row in batch.to_pylist():
            found[row["window_start_us"], row["consumer_group"]] = {name: row[name] for name in COLUMNS}
    return found
