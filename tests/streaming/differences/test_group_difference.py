"""Where the consumers of two runs part."""

from __future__ import annotations

import json
import shutil

import pytest
from rich.console import Console

from simulator.scenario import parse_scenario
from streaming.commands.jobs.diff_command import compared_runs, diff_command
from streaming.differences.group_difference import first_group_difference
from streaming.differences.run_difference_texts import RunDifferenceTexts
from streaming.outputs.dataset import open_output
from tests.says import prints
from tests.simulator.small import text_of
from tests.streaming.report.pure_output import write_simulated

GROUP = {"topic": "orders", "count": 2, "threads": 1, "service": "20ms", "release": "5.3.3"}
PLAIN = text_of(name="run", duration="10s", producers={"count": 2, "rate": "60/s"}, consumers={"billing": GROUP})


@pytest.fixture(scope="module")
def output(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")

    def of(**changes):
        named = {f"consumers.billing.{key}": value for key, value in changes.items()}
        path = folder / ("-".join(f"{key}={value}" for key, value in changes.items()) or "plain")
        return path if path.exists() else write_simulated(path, parse_scenario(PLAIN, overrides=named))

    return of


def test_consumers_of_one_scenario_do_not_differ(output):
    assert first_group_difference(*(open_output(output()) for _ in range(2))) is None
    assert compared_runs(output(), output()).are_alike


def test_more_threads_show_in_the_first_window_and_in_the_totals(output):
    runs = compared_runs(output(), output(threads="4"))
    assert (runs.first, runs.are_alike) == (None, False)
    assert (runs.group.consumer_group, runs.group.window_start_us) == ("billing", 0)
    assert runs.group.columns["threads"] == (2, 8)
    assert runs.totals["lag_max[billing]"][0] > runs.totals["lag_max[billing]"][1]
    assert runs.settings == {"consumers.billing.threads": (1, 4)}


def test_the_command_names_group_window_and_both_values(output, capsys):
    console = Console(width=160, record=True)
    assert diff_command(output(), output(threads="4"), as_json=False, console=console) == 1
    text = console.export_text()
    assert prints(text, RunDifferenceTexts.FIRST_OF_CONSUMERS, group="billing", at_s=0)
    assert "threads 2 and 8" in text
    capsys.readouterr()
    diff_command(output(), output(threads="4"), as_json=True, console=console)
    assert json.loads(capsys.readouterr().out)["group"]["columns"]["threads"] == [2, 8]


def test_a_group_that_only_one_run_has_differs(output, tmp_path):
    plain = text_of(name="run", duration="10s", producers={"count": 2, "rate": "20/s"})
    without = write_simulated(tmp_path / "without", parse_scenario(plain))
    found = first_group_difference(open_output(output()), open_output(without))
    assert found.consumer_group == "billing"
    assert found.columns["consumed"][1] is None


def test_that_consumers_are_not_compared_where_their_windows_are_not_written_is_said(output, tmp_path):
    blind = shutil.copytree(output(), tmp_path / "blind")
    about = json.loads((blind / "run.json").read_text())
    (blind / "run.json").write_text(json.dumps(about | {"tables": ["attempts"]}))
    said = {}
    for path in (output(), blind):
        console = Console(width=160, record=True)
        diff_command(path, path, as_json=False, console=console)
        said[path] = prints(console.export_text(), RunDifferenceTexts.CONSUMERS_NOT_COMPARED, table="consumer_windows")
    assert said == {output(): False, blind: True}
