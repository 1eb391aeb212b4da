"""Every kind of fault, and what became of the messages, is on the page of a run that has it; without Spark."""

import base64
import json
import re
from dataclasses import replace
from functools import cache
from html import unescape
from io import StringIO

import numpy as np
import pytest
from rich.console import Console

from simulator.scenario import parse_scenario
from simulator.scenario.faults.fault_kinds import KINDS
from simulator.scenario.faults.targets import group_of
from streaming.commands.faults_command import example_scenario
from streaming.outputs.fates import FATES
from streaming.outputs.summary import fate_columns, print_summary, summarise
from streaming.report import write_report
from streaming.report.collected.data import collect
from streaming.report.figures import avoidance
from streaming.report.traces import percentile_axis
from tests.streaming.page_frame.parsed import wrong_in
from tests.streaming.report.fake_output import write_output, write_table
from tests.streaming.report.pure_output import write_simulated


@pytest.fixture(scope="module")
def page_of(tmp_path_factory):
    """The page of the example of a kind of fault, and its folder."""

    @cache
    def make(kind):
        folder = write_simulated(tmp_path_factory.mktemp(kind), parse_scenario(example_scenario(KINDS[kind])))
        return write_report(folder).read_text(), folder

    return make


def payload_of(page):
    return json.loads(re.search(r'id="figures">(.*?)</script>', page, re.DOTALL)[1])


def numbers_of(values):
    """The numbers of a trace, which plotly packs."""
    packed = isinstance(values, dict)
    plain = np.frombuffer(base64.b64decode(values["bdata"]), values["dtype"]) if packed else values
    return np.asarray(plain, dtype=float)


def cells_of(page):
    """The numbers of the cells, in the order of FATES: a sum ends each row, and one-way may have no row."""
    table = re.search(r'<table class="results.*?</table>', page, re.DOTALL)[0]
    numbers = [int(cell.replace(",", "")) for cell in re.findall(r"<td[^>]*>([\d,]+)", table)]
    cells = [number for place, number in enumerate(numbers[:-4]) if place % 4 < 3]
    return dict(zip(FATES, [*cells, 0, 0, 0][: len(FATES)], strict=True))


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_shows_when_and_where_a_fault_of_every_kind_strikes(page_of, kind):
    page, _ = page_of(kind)
    bands = payload_of(page)["faults"]
    faults = parse_scenario(example_scenario(KINDS[kind])).fault_periods()
    begins = {fault.at_us for fault in faults}
    assert {round((band["from"] - payload_of(page)["range"][0]) * 1000) for band in bands} == begins
    struck = {fault.details.get("consumer") or fault.broker or f"name server {fault.value}" for fault in faults}
    text = unescape(" ".join(re.findall(r"<li><b>F\d+</b> (.*?)</li>", page)))
    assert all(place in text or group_of(place) in text for place in struck) or "all brokers" in text


@pytest.mark.parametrize("kind", KINDS)
def test_the_markup_is_whole(page_of, kind):
    assert wrong_in(page_of(kind)[0]) == []


@pytest.mark.parametrize("kind", ["hang", "disk_loss", "power_loss", "partition"])
def test_the_six_cells_are_those_of_the_terminal_and_add_up(page_of, kind):
    page, folder = page_of(kind)
    summary = summarise(folder)
    console = Console(width=120, file=StringIO())
    print_summary(summary, console)
    row = "".join(f"{text(summary.total)} " for _, text in fate_columns([summary.total])[1:-1])
    printed = re.sub(r" +", " ", console.file.getvalue())
    cells = cells_of(page)
    assert " ".join(f"{number:,}" for number in (sum(cells.values()), *list(cells.values())[:6])) == row.strip()
    assert f" {row.strip()} yes" in printed
    assert sum(count > 0 for fate, count in cells.items() if fate != "acknowledged_once") > 0


@pytest.mark.parametrize("kind", ["hang", "disk_loss"])
def test_the_fates_over_time_add_up_to_the_cells(page_of, kind):
    page, folder = page_of(kind)
    assert dict(zip(FATES, collect(folder).messages.fates.sum(axis=1).tolist(), strict=True)) == cells_of(page)


def test_what_a_lost_disk_took_was_acknowledged_before_it_was_lost(page_of):
    _, folder = page_of("disk_loss")
    data = collect(folder)
    lost = data.messages.fates[FATES.index("acknowledged_lost")]
    assert lost[: 30_000_000 // data.bin_us].sum() > 50
    assert lost[60_000_000 // data.bin_us :].sum() == 0


def test_failures_are_reported_by_outcome_and_code(page_of):
    page, folder = page_of("code")
    series = collect(folder).series
    assert list(series.endings) == ["MQBrokerException SYSTEM_BUSY"]
    assert (series.endings["MQBrokerException SYSTEM_BUSY"] == series.failures.sum(axis=0)).all()
    assert "MQBrokerException SYSTEM_BUSY</th>" in page.replace("<wbr>", "")


def test_copies_out_of_order_have_a_picture(tmp_path):
    folder = write_output(tmp_path, 1_000)
    assert "order" not in payload_of(write_report(folder).read_text())["figures"]
    out_of_order = {"broker": ["broker-b"], "window_start_us": [70_000_000], "out_of_order": [5]}
    write_table(folder, "windows", out_of_order, block=9)
    assert collect(folder).out_of_order.sum() == 5
    assert "order" in payload_of(write_report(folder).read_text())["figures"]


@pytest.mark.parametrize(("isolated", "height"), [(1, 230), (2, 230), (3, 230), (6, 326)])
def test_few_isolated_brokers_fill_the_height_of_the_picture_beside(tmp_path, isolated, height):
    """The strips with their names take all of it: no more than a name and a gap is left between two."""
    brokers = [f"broker-{letter}" for letter in "abcdef"]
    data = replace(collect(write_output(tmp_path, 1_000, brokers=brokers)), lanes=[*range(isolated)])
    figure = avoidance(data)
    strips_px = sum(trace["y"][1] - trace["y"][0] for trace in figure["data"]) * (height - 50) / isolated
    assert figure["layout"]["height"] == height
    assert strips_px >= 0.9 * (height - 50) - 22 * isolated


def test_a_point_without_neighbours_has_a_mark():
    from streaming.report.traces import _marks

    values = np.full(50, np.nan)
    values[[3, 7, 8]] = 1.0
    marks, mode = _marks(values)
    assert (np.flatnonzero(marks).tolist(), mode) == ([3], "lines+markers")


def test_one_way_messages_are_not_reported_as_failed(tmp_path):
    folder = write_output(tmp_path, 100)
    rows = {"producer_group": ["orders-producer"] * 3, "result": "SENT_ONEWAY", "copies_kept": [1, 1, 0]}
    write_table(folder, "sends", rows | {"messages": 1, "attempts": 1, "lost": 0, "broker": "broker-a"}, block=0)
    total = summarise(folder).total
    assert (total.oneway_once, total.lost_unseen, total.lost, total.failed) == (2, 1, 0, 0)
    assert "SENT_ONEWAY of 3" in write_report(folder).read_text()


@pytest.mark.parametrize("name", ["load", "failures", "retries", "fates"])
def test_areas_leave_room_above_the_largest_value(page_of, name):
    page, _ = page_of("hang")
    figure = payload_of(page)["figures"][name]
    for which, axis in figure["layout"]["meta"]["axis"].items():
        if which == "share":
            continue
        drawn = [numbers_of(trace["y"]) for trace in figure["data"] if trace["meta"]["set"] in (which, None)]
        assert 1.1 < axis["range"][1] / np.sum(drawn, axis=0).max() < 1.2


@pytest.mark.parametrize("name", ["latency", "waits"])
def test_lines_leave_room_above_the_largest_value(page_of, name):
    page, _ = page_of("hang")
    figure = payload_of(page)["figures"][name]
    low, high = figure["layout"]["yaxis"]["range"]
    largest = np.log10(max(np.nanmax(numbers_of(trace["y"])) for trace in figure["data"]))
    assert (high - largest) / (high - low) > 0.09


@pytest.mark.parametrize(
    ("values", "ticks"),
    [([5.0], [4, 5, 6]), ([5.0, 9.0], [4, 5, 6, 7, 8, 9, 10]), ([1.0, 90.0], [1, 2, 5, 10, 20, 50, 100])],
)
def test_a_latency_that_hardly_changes_has_more_than_one_tick(values, ticks):
    axis = percentile_axis(np.array(values))
    low, high = (10.0**end for end in axis["range"])
    assert [tick for tick in axis["tickvals"] if low <= tick <= high] == pytest.approx(ticks)
