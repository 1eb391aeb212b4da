"""The arms in a terminal: columns while they fit, rows where they do not."""

from __future__ import annotations

import io

from rich.console import Console

from streaming.experiments.arms_table import arms_tables
from tests.simulator.experiments.small import SCENARIO, study_of

RUNS = [{"mean_ms": 5.0, "p99_ms": 70.0, "lost": 3000.0}, {"mean_ms": 6.0, "p99_ms": 90.0, "lost": 3000.0}]


def text_of(arms, width):
    console = Console(width=width, record=True, file=io.StringIO())
    for table in arms_tables(study_of({f"arm {number}": RUNS for number in range(arms)}, seeds=2), width):
        console.print(table)
    return [line.rstrip() for line in console.export_text().splitlines()]


def test_two_arms_are_columns():
    assert [line.split() for line in text_of(2, 80)[:2]] == [
        ["arm", "0", "arm", "1"],
        ["measure", "2", "runs", "2", "runs"],
    ]


def test_eight_arms_are_rows_of_whole_figures():
    lines = text_of(8, 80)
    assert lines[0].split() == ["arm", "runs", "mean_ms", "p99_ms", "lost"]
    assert lines[8].split("  ")[0] == "arm 7"
    assert "80 ms ± 127" in lines[8] or "80 ms (0 to 207)" in lines[8]


def test_measures_that_do_not_fit_make_another_table():
    assert [line.split()[-1] for line in text_of(8, 40) if line.startswith("arm  ")][-1] == "lost"


def test_a_measure_of_a_group_is_shown_with_the_group():
    console = Console(width=80, record=True, file=io.StringIO())
    runs = [{"mean_ms": 5.0, "lag_max[billing]": 30.0}, {"mean_ms": 6.0, "lag_max[billing]": 31.0}]
    billing = {"topic": "orders", "count": 1, "threads": 1, "service": {"constant": "1ms"}}
    scenario = SCENARIO | {"consumers": {"billing": billing}}
    for table in arms_tables(study_of({"as it is": runs, "new": runs}, seeds=2, scenario=scenario), 80):
        console.print(table)
    assert "lag_max[billing]" in console.export_text()


def test_an_experiment_that_was_stopped_before_its_first_run_has_no_table():
    assert not list(arms_tables(study_of({"old": [], "new": []}), 80))
