"""The files of a round: few, and small at the end."""

from __future__ import annotations

from pathlib import Path

import pytest

from streaming.experiments.task_list import PART_SENDS, Task, TaskFolder, leave, parts_of
from streaming.experiments.task_runner import task_runner


def tasks(*sends):
    return [Task("one", seed, 0, float(each), 0, "") for seed, each in enumerate(sends, 1)]


@pytest.mark.parametrize(("count", "cores"), [(34, 2), (5, 8), (1_000, 2)])
def test_every_task_is_in_one_part_in_order(count, cores):
    parts = list(parts_of(tasks(*[7] * count), cores))
    assert [task.seed for part in parts for task in part] == list(range(1, count + 1))


def test_parts_get_smaller_down_to_a_task():
    assert [len(part) for part in parts_of(tasks(*[1] * 34), 2)] == [8, 6, 5, 3, 3, 2, 1, 1, 1, 1, 1, 1, 1]


def test_a_task_that_is_larger_than_its_part_is_one():
    assert [len(part) for part in parts_of(tasks(50, 1, 1, 1, 1), 2)] == [1, 1, 1, 1, 1]


def test_no_part_is_longer_than_some_seconds():
    assert [len(part) for part in parts_of(tasks(*[PART_SENDS / 4] * 40), 2)][:3] == [4, 4, 4]


def test_what_a_task_leaves_is_taken_once(tmp_path):
    (one,) = tasks(1)
    leave(tmp_path, one, b"\n{}\x00")
    folder = TaskFolder(tmp_path)
    assert [folder.left(), folder.left()] == [[("one", 1, 0, b"\n{}\x00")], []]


def test_where_nothing_can_be_left_nobody_minds(tmp_path):
    leave(tmp_path / "elsewhere", tasks(1)[0], b"")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_may_be_named_like_a_pattern():
    assert TaskFolder(Path("/out/a [1] {b}*")).pattern == r"/out/a \[1\] \{b\}\*/round-*"


def test_no_task_begins_after_the_stop(tmp_path):
    import pyarrow as pa

    folder = TaskFolder(tmp_path)
    folder.stop()
    lines = pa.RecordBatch.from_pydict({"value": [task.line for task in tasks(1, 1)]})
    assert list(task_runner(folder.path)(iter([lines]))) == []
