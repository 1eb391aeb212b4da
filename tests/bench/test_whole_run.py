"""A run of all measures: kept after each of them, resumed, marked where the machine was busy; its page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.bench.__main__ import minutes_left
from tests.bench.catalogue import MEASURES
from tests.bench.measures.consumers.growth import marginal_ns
from tests.bench.one import module_of
from tests.bench.page import PAGE, page, with_speed
from tests.bench.results import OtherRun, Run, SoFar, stored

FLOOR = {
    "name": "machine_floor", "value": 250.0, "unit": "ns", "ours": "250 ns", "line_waited_ns": {"1 MiB": 5},
    "line_fetched_before_ns": {"1 MiB": 1}, "wrong_branch_ns": 6,
}  # fmt: skip
EVENT_PARTS = {"parts_ns": {"Parquet": 800}, "whole_ns": 1000}
PARTS = [
    {"name": "event_mode_parts", "value": 0.8, "unit": "of the whole", "ours": "", **EVENT_PARTS},
    {"name": "experiment_parts", "value": 5, "unit": "ms", "ours": "", "parts_ms": {"planning": 2, "waiting": 3}},
]
RUN = Run("a machine", "abc1234", "2026-01-02 03:04 UTC", {"event_loop": 1.0, "kafka": 23.4}, ("2026-01-02 02:30 UTC",))
A_LINE = {"name": "event_loop_vs_simpy", "value": 3.0, "unit": "x", "ours": "9", "peer": "3"}


def _with(run: Run = RUN, **line: object) -> str:
    return page(run, [{"name": "event_loop_vs_simpy", "unit": "x", "ours": "9", "peer": "3", **line}, FLOOR, *PARTS])


def _run_so_far() -> SoFar:
    found = SoFar.begun()
    found.add("kafka", [A_LINE], busy=1.2, seconds=80.4)
    return found


def test_all_measures_together_take_half_an_hour_at_most() -> None:
    assert sum(each.seconds for each in MEASURES.values()) <= 1_800
    assert minutes_left(["event_loop", "floor"]) == 2


def test_every_listed_measure_is_a_module() -> None:
    assert all(module_of(name).rpartition(".")[2] == name for name in MEASURES)


def test_an_interrupted_run_resumes_with_what_it_measured(tmp_path: Path) -> None:
    _run_so_far().keep(tmp_path / "bench.json")
    found = SoFar.resumed(tmp_path / "bench.json")
    assert found.in_order(["event_loop", "kafka"]) == [{"measure": "kafka", **A_LINE}]
    assert (found.busy_percent, found.seconds, len(found.began)) == ({"kafka": 1.2}, {"kafka": 80.4}, 2)


def test_a_run_of_other_code_is_not_resumed(tmp_path: Path) -> None:
    replace(_run_so_far(), code="another").keep(tmp_path / "bench.json")
    with pytest.raises(OtherRun, match="is of other code or another machine"):
        SoFar.resumed(tmp_path / "bench.json")


def test_without_an_interrupted_run_there_is_nothing_to_resume(tmp_path: Path) -> None:
    with pytest.raises(OtherRun, match="no run was interrupted"):
        SoFar.resumed(tmp_path / "bench.json")


def test_what_was_measured_beside_other_work_is_measured_again_on_resuming(tmp_path: Path) -> None:
    busy = _run_so_far()
    busy.add("pace", [A_LINE], busy=30.0, seconds=60)
    busy.keep(tmp_path / "bench.json")
    assert list(SoFar.resumed(tmp_path / "bench.json").lines) == ["kafka"]


def test_a_run_knows_when_each_measure_was_taken() -> None:
    assert _run_so_far().run(["kafka"]).dates["kafka"].endswith("UTC")


def test_the_page_is_that_of_the_stored_run() -> None:
    run, measured = stored()
    assert page(run, measured) == PAGE.read_text()


def test_a_line_that_was_measured_beside_other_work_is_marked() -> None:
    assert "**busy**: other work took 23 %" in _with(value=221.0, measure="kafka")
    assert "**busy**" not in _with(value=221.0, measure="event_loop")


def test_the_page_says_when_the_run_was_resumed() -> None:
    assert "commit abc1234, 2026-01-02 02:30 UTC to 2026-01-02 03:04 UTC\n" in _with(value=1)
    resumed = replace(RUN, began=("1 o'clock", "2 o'clock"))
    assert "1 o'clock to 2026-01-02 03:04 UTC, resumed at 2 o'clock" in _with(resumed, value=1)


def test_the_page_dates_each_measure_of_a_run_that_was_put_together() -> None:
    run = replace(RUN, began=("1 o'clock", "2 o'clock"), dates={"kafka": "half past two"})
    assert "| `kafka` | half past two | 23.4 % |" in _with(run, value=1)
    assert "half past two" not in _with(replace(run, began=("1 o'clock",)), value=1)


def test_parts_add_up_to_the_whole_with_what_is_sparks_own() -> None:
    text = _with(value=221.0)
    assert "| Spark's own: its sockets, the fixed cost of a micro-batch | 200 | 20% |" in text
    assert "| waiting | 3 | 60% |" in text


def test_readme_gets_the_loops_measured_speed() -> None:
    before = "- **3.8 M** sends/s are simulated on one core: see"
    assert with_speed(before, [A_LINE | {"sends_per_s": 4_160_000}]) == before.replace("3.8", "4.2")
    with pytest.raises(ValueError, match="0 lines with the loop's speed"):
        with_speed("no figure", [A_LINE | {"sends_per_s": 1}])


def test_the_cost_behind_a_backlog_is_what_a_consumption_adds_to_the_set_up() -> None:
    assert marginal_ns([(13_000.0, 1_000), (33_000.0, 101_000), (133_000.0, 101_000)]) == [0.2, 1.2]
