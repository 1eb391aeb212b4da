"""What a worker's garbage collector does not walk after every task."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from streaming.spark import worker


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A worker that has done its first task; how many objects are out of sight."""
    monkeypatch.setattr(worker, "_freezes", 0)
    worker.settle()
    yield gc.get_freeze_count()
    gc.unfreeze()


def loaded() -> list[list[int]]:
    """More than a collection may walk, and it stays."""
    found: list[list[int]] = [[] for _ in range(worker.LOOSE_MAX + 1)]
    gc.collect()
    return found


def test_what_is_loaded_after_the_first_task_is_taken_out_of_sight_too(settled):
    later = loaded()
    worker.settle()
    assert gc.get_freeze_count() >= settled + len(later)


def test_a_little_more_is_left_where_it_is(settled):
    few = [[] for _ in range(100)]
    gc.collect()
    worker.settle()
    assert gc.get_freeze_count() <= settled  # what is let go leaves it
    assert len(few) == 100


def test_a_process_that_keeps_ever_more_is_not_frozen_for_ever(settled):
    kept = []
    for _ in range(worker.FREEZES_MAX + 1):
        kept.append(loaded())
        worker.settle()
    assert len(gc.get_objects(generation=2)) > worker.LOOSE_MAX
