"""Findings that pages show are what their scenario's run prints, and the figures in their text are what it comes to."""

from __future__ import annotations

import math
import re

import numpy as np
import pyarrow.compute as pc
import pytest

from simulator import experiment, load_scenario, simulate
from tests.house.tree import ROOT
from tests.simulator.small import ran
from tests.streaming.asked import ask

SCENARIOS = ROOT / "conf" / "scenarios"
PAGES = {path.stem: path.read_text() for path in (ROOT / "docs").glob("*.md")}
BLOCK = re.compile(r"^ *(?:Because .*?)(?=\n```|\n\n|\Z)", re.MULTILINE | re.DOTALL)
SHOWN = {
    "failover": ["failover", "slow-replica", "slave-catches-up", "controllers-down"],
    "grpc": ["grpc-broker-killed"], "pop": ["pop"], "transactions": ["grpc-transactions"],
}  # fmt: skip
TIMED_OUT = "RemotingTooMuchRequestException"


def findings(page: str) -> list[list[str]]:
    """The blocks of findings of a page, each a cause and what it did, a sentence each."""
    return [" ".join(block.split()).split(" - ") for block in BLOCK.findall(PAGES[page])]


def test_the_pages_with_findings_are_known():
    elsewhere = {"running"}  # test_quickstart_texts.py
    assert {page: len(found) for page in PAGES.keys() - elsewhere if (found := findings(page))} == {
        page: len(scenarios) for page, scenarios in SHOWN.items()
    }


@pytest.mark.parametrize(
    ("page", "number", "scenario"),
    [(page, number, name) for page, names in SHOWN.items() for number, name in enumerate(names)],
)
def test_the_findings_of_a_page_are_printed(monkeypatch, capsys, tmp_path, page, number, scenario):
    asked = "run", SCENARIOS / f"{scenario}.yaml", "--engine", "plain", "--out", tmp_path / "out", "--causes", "10m"
    printed = ask(monkeypatch, capsys, *asked)[1]
    assert [part for part in findings(page)[number] if part not in printed] == []


def counts(scenario: str, group: str | None, release: str | None) -> dict[str, float]:
    """What a scenario's messages come to, of a group of producers or of all."""
    changes = {"client.release": release} if release else {}
    sends = simulate(load_scenario(SCENARIOS / f"{scenario}.yaml", changes), tables=("sends",)).tables["sends"]
    if group is not None:
        sends = sends.filter(pc.equal(sends.column("producer_group").cast("string"), group))
    result, weight = sends.column("result").cast("string").to_numpy(), np.asarray(sends.column("messages"))
    failed, latency_us = ~np.asarray(sends.column("acknowledged")), np.asarray(sends.column("latency_us"))
    return {
        "messages": weight.sum(), "failed": weight[failed].sum(), "lost": np.asarray(sends.column("lost")).sum(),
        "copied": (np.asarray(sends.column("copies_stored")) > 1).sum(), "timed_out": (result == TIMED_OUT).sum(),
        "failed_calls": failed.sum(), "p99_ms": np.quantile(latency_us, 0.99) / 1e3,
        "p99_s": np.quantile(latency_us, 0.99) / 1e6,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("page", "scenario", "group", "release", "said"),
    [
        ("grpc", "grpc-broker-killed", "grpc", None, "{failed:,} of {messages:,} messages fail"),
        ("grpc", "grpc-broker-killed", "remoting", None, "{failed:,} of {messages:,} fail"),
        ("grpc", "grpc-broker-hangs", "grpc", None, "{failed:,} of {messages:,} fail, after 9 s; {copied:,} are"),
        ("grpc", "grpc-broker-hangs", "remoting", None, "{failed:,} of {messages:,} fail; {copied:,} are stored twice"),
        ("grpc", "grpc-proxy-killed", "grpc", None, "{failed:,} failures in 20 s"),
        ("faults", "shared-connection", None, None, "{timed_out} messages time out"),
        ("faults", "shared-connection", None, "4.9.0", "with 4.9.0, {timed_out})"),
        ("faults", "rescue-broker", None, None, "{failed} of {failed} messages fail"),
        ("faults", "power-loss", None, None, "here the last {lost}"),
        ("faults", "way-batch", None, None, "{failed_calls} batches are too big"),
        ("ways-of-sending", "way-closed-vs-open", "open", None, "| {p99_s:.1f} s |"),
        ("ways-of-sending", "way-closed-vs-open", "skipping", None, "| {p99_ms:.0f} ms |"),
        ("ways-of-sending", "way-closed-vs-open", "closed", None, "| {p99_ms:.0f} ms |"),
    ],
)
def test_a_page_says_what_becomes_of_messages(page, scenario, group, release, said):
    found = counts(scenario, group, release)
    assert said.format(**found) in " ".join(PAGES[page].split())


def test_the_page_of_filters_says_what_each_group_gets():
    windows = simulate(SCENARIOS / "sql-filter.yaml", tables=("consumer_windows", "sends")).tables
    consumed = windows["consumer_windows"].group_by("consumer_group").aggregate([("consumed", "sum")]).to_pylist()
    own = {row["consumer_group"]: row["consumed_sum"] for row in consumed}
    page = " ".join(PAGES["filters"].split())
    assert f"`large` gets {100 * own['large'] / windows['sends'].num_rows:.0f} % of them" in page
    assert f"`by-sql` the same {own['by-tag']} messages as `by-tag`" in page
    assert own["by-sql"] == own["by-tag"]


def means(name: str, measure: str) -> list[float]:
    """The mean of a measure in each arm of an experiment, over its own seeds."""
    arms = experiment(ROOT / "conf" / "experiments" / f"{name}.yaml").as_json()["arms"]
    return [arm["measures"][measure]["mean"] for arm in arms.values()]


def test_pages_say_how_many_deliveries_are_of_handled_messages_where_they_are_invisible_too_shortly():
    twice = means("invisible-time", "consumed_twice_percent[billing]")
    five, ten, twenty, sixty = (f"{float(f'{value:.3g}'):.1f}".removesuffix(".0") + " %" for value in twice)
    said = f"With an invisible time of 5 s {five} of the deliveries are of a message that was handled before, with 20 s"
    assert f"{said} {twenty}, with 60 s none" in " ".join(PAGES["pop"].split())
    assert f"{five}, {ten}, {twenty} and {sixty} of the deliveries are of a message that was" in PAGES["experiments"]


def test_pages_say_the_same_of_proxies_that_renew_nothing():
    old, long, renewed = means("invisible-time-over-grpc", "consumed_twice_percent[billing]")
    said = f"with 60 s {old:.1f} % of the deliveries are of a message that was handled before, with 5 min none"
    assert said in " ".join(PAGES["grpc"].split())
    assert f"With proxies of 5.3.3 {old:.1f} % ± 0.5 of the deliveries" in PAGES["experiments"]
    assert long == renewed == 0


def test_the_page_of_pop_says_what_a_group_that_pulls_waits_for():
    (pull_ms, pop_ms, *_), (pull, pop, *_) = (
        means("pull-or-pop", f"{measure}[billing]") for measure in ("end_to_end_p99_ms", "lag_max")
    )
    said = f"the p99 until a message is handled is {pull_ms / 1e3:.1f} s with pull and {pop_ms:.1f} ms with POP"
    said += f", and the lag reaches {pull:.0f} messages instead of {math.ceil(pop)}."
    assert said in " ".join(PAGES["pop"].split())


@pytest.mark.parametrize("threads", [10, 20])
def test_the_page_of_theory_says_what_a_closed_loop_comes_to(threads):
    think, service = ({"exponential": {"mean": mean}} for mean in ("10ms", "1ms"))
    run = ran(
        duration="100s", producers={"arrivals": "closed", "rate": None, "threads": threads, "think": think},
        brokers={"a": {"latency": service, "send_threads": 1}},
    )  # fmt: skip
    per_s, response_ms = run.sends.num_rows / 100, run.column("sends", "latency_us").mean() / 1e3
    (row,) = (line for line in PAGES["theory"].splitlines() if line.startswith(f"| {threads} |"))
    cells = [cell.strip() for cell in row.split("|")]
    assert (cells[3], cells[5]) == (f"{per_s:.1f}", f"{response_ms:.4g} ms")


def test_the_page_of_policies_says_what_the_matrix_shows():
    lines = (ROOT / "tests" / "simulator" / "policies" / "matrix" / "matrix.txt").read_text().splitlines()[1:]
    rows = {(cells[0], cells[1]): cells[2:] for cells in (re.split(r"\s{2,}", line.strip()) for line in lines)}
    page, name = " ".join(PAGES["policies"].split()), "p2c_peak_ewma"
    failed = {one: 100 - float(rows["refuse", f"choose: {one}"][0]) for one in (name, "random", "least_outstanding")}
    vegas, nobody = (float(rows["hang", f"avoid: {one}"][1]) for one in ("vegas", "none"))
    assert f"sends it more: {failed[name]:.2f} %" in page
    assert f"{failed['random']:.2f} % with a random queue" in page
    assert f"sends it no more than a random choice does ({failed['least_outstanding']:.2f} %)" in page
    assert f"in a hang the mean is {vegas:,.0f} ms instead of {nobody:,.0f} ms" in page
    never = [
        rows[where, f"avoid: {one}"] == rows[where, "avoid: none"] for where, _ in rows for one in ("aimd", "gradient2")
    ]
    assert all(never)
