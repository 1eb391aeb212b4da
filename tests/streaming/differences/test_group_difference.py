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
from streaming.jobs.scenario_job import tables_of
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


WITHOUT = text_of(name="run", duration="10s", producers={"count": 2, "rate": "60/s"})


def with_tables(source, folder, *tables):
    """A copy of a run that was asked to write those tables alone."""
    copy = shutil.copytree(source, folder)
    about = json.loads((copy / "run.json").read_text())
    (copy / "run.json").write_text(json.dumps(about | {"tables": list(tables)}))
    return copy


@pytest.fixture(scope="module")
def without(tmp_path_factory):
    """A run without consumers, which has no table of them."""
    folder = tmp_path_factory.mktemp("without")
    scenario = parse_scenario(WITHOUT)
    return with_tables(write_simulated(folder / "all", scenario), folder / "usual", *tables_of(scenario))


def said(one, other, capsys):
    """What the command prints of two runs, and its JSON."""
    console = Console(width=160, record=True)
    diff_command(one, other, as_json=False, console=console)
    capsys.readouterr()
    diff_command(one, other, as_json=True, console=console)
    return console.export_text(), json.loads(capsys.readouterr().out)


def test_a_group_that_only_one_run_has_differs(output, without):
    found = first_group_difference(open_output(output()), open_output(without))
    assert found.consumer_group == "billing"
    assert found.columns["consumed"][1] is None


def test_a_run_without_consumers_is_compared_with_one_that_has_some(output, without, capsys):
    text, about = said(output(), without, capsys)
    assert not prints(text, RunDifferenceTexts.CONSUMERS_NOT_COMPARED)
    assert prints(text, RunDifferenceTexts.FIRST_OF_CONSUMERS, group="billing", at_s=0)
    assert (about["consumers_compared"], about["group"]["consumer_group"]) == (True, "billing")


def test_that_consumers_are_not_compared_where_their_windows_are_not_written_is_said(output, without, tmp_path, capsys):
    blind = with_tables(output(), tmp_path / "blind", "attempts")
    for pair, is_compared in (((output(), output()), True), ((blind, blind), False), ((without, blind), False)):
        text, about = said(*pair, capsys)
        is_said = prints(text, RunDifferenceTexts.CONSUMERS_NOT_COMPARED, table="consumer_windows")
        assert (is_said, about["consumers_compared"], about["group"]) == (not is_compared, is_compared, None)
