"""Parts of a measure, which are the reason where a bound is not reached."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.bench.measures.job.first_decision import LAST, MARKS, parts_until
from tests.bench.peers.command_parts import LOADED, PARTS, timed


def test_the_parts_of_a_first_decision_add_up_to_it(tmp_path: Path) -> None:
    marks = [tmp_path / str(number) for number in range(len(MARKS) + 1)]
    for mark in marks:
        mark.touch()
    since = os.stat(marks[0]).st_ctime - 2
    parts = parts_until(since, marks)
    assert [*parts] == [*MARKS, LAST]
    assert parts["modules and the scenario"] == pytest.approx(2)
    assert sum(parts.values()) == pytest.approx(os.stat(marks[-1]).st_ctime - since)


def test_a_part_counts_every_call_and_gives_what_it_gives() -> None:
    seconds: dict[str, float] = {}
    doubled = timed(seconds, "doubling", lambda number: 2 * number)
    first, begun = doubled(2), dict(seconds)
    assert (first, doubled(3)) == (4, 6)
    assert seconds["doubling"] >= begun["doubling"] >= 0


def test_a_part_that_fails_is_counted() -> None:
    seconds: dict[str, float] = {}
    with pytest.raises(ZeroDivisionError):
        timed(seconds, "dividing", lambda: 1 / 0)()
    assert "dividing" in seconds


def test_every_part_of_the_quickstart_is_called_from_a_module_that_is_loaded() -> None:
    assert {place for place, _, _ in PARTS} <= set(LOADED)
