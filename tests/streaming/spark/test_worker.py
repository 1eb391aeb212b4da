"""What a worker's garbage collector does not walk after every task."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from streaming.spark import worker


@pytest.fixture(autouse=True)
def settled(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A worker that has done its first task."""
    monkeypatch.setattr(worker, "_freezes", 0)
    worker.settle()
    yield
    gc.unfreeze()


def loaded() -> list[list[int]]:
    """More than a collection may walk, and it stays."""
    found: list[list[int]] = [[] for _ in range(worker.LOOSE_MAX + 1)]
    gc.collect()
    return found


def in_sight(objects: list[list[int]]) -> int:
    """How many of these a collection walks: told by the objects, as others that are out of sight end at any time."""
    walked = {id(each) for each in gc.get_objects()}
    return sum(id(each) in walked for each in objects)


def test_what_is_loaded_after_the_first_task_is_taken_out_of_sight_too():
    later = loaded()
    worker.settle()
    assert in_sight(later) == 0


def test_a_little_more_is_left_where_it_is():
    few: list[list[int]] = [[] for _ in range(100)]
    gc.collect()
    worker.settle()
    assert in_sight(few) == 100


def test_a_process_that_keeps_ever_more_is_not_frozen_for_ever():
    kept = []
    for _ in range(worker.FREEZES_MAX + 1):
        kept.append(loaded())
        worker.settle()
    assert in_sight(kept[-1]) == worker.LOOSE_MAX + 1
