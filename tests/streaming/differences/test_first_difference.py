"""Where two runs part, and why."""

from __future__ import annotations

import pytest

from simulator.scenario import parse_scenario
from streaming.differences.first_difference import (
    BROKER,
    COUNTER,
    DRAW,
    FAULT_ITEM,
    RULE,
    first_difference,
    settings_apart,
)
from streaming.differences.run_difference_texts import RunDifferenceTexts
from streaming.outputs.dataset import open_output
from tests.says import Says, prints
from tests.simulator.small import fault, text_of
from tests.streaming.asked import ask
from tests.streaming.report.pure_output import write_simulated

PLAIN = text_of(
    name="run", duration="8s", producers={"count": 3, "rate": "20/s"}, faults=[fault("hang", "2s", "1s", "b")],
    client={"release": "5.3.3", "send_latency_fault_enable": True},
    brokers={name: {"latency": {"constant": "1ms"}} for name in "abc"},
)  # fmt: skip


@pytest.fixture(scope="module")
def output(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")

    def of(**changes):
        named = {key.replace("__", "."): value for key, value in changes.items()}
        name = "-".join(f"{key}={value}" for key, value in named.items()) or "plain"
        path = folder / name
        return path if path.exists() else write_simulated(path, parse_scenario(PLAIN, overrides=named))

    return of


def found(output, **changes):
    return first_difference(open_output(output()), open_output(output(**changes)))


def test_two_runs_of_one_scenario_do_not_differ(output):
    assert first_difference(open_output(output()), open_output(output())) is None


def test_with_another_seed_the_draws_differ_from_the_beginning(output):
    first = found(output, seed="99")
    assert first.cause == DRAW
    assert first.why == Says("run-difference.seeds-of-arrivals")


def test_another_table_shows_in_the_fault_item_that_it_made(output):
    first = found(output, client__not_available_duration="[0, 0, 0, 0, 0, 1s, 1s, 1s]", client__latency_max=(
        "[50ms, 100ms, 550ms, 600ms, 700ms, 1800ms, 3000ms, 15000ms]"))  # fmt: skip
    assert first.cause == FAULT_ITEM
    assert first.one["begin_us"] > 2_900_000
    assert "b is isolated until" in first.why
    assert "b is not isolated" in first.why


def test_counters_that_start_elsewhere_are_not_the_first_thing_that_is_named(output):
    first = found(output, client__release="4.9.8")
    assert first.cause == RULE
    assert first.why.startswith("5.3.3 chooses by ")
    assert ", 4.9.8 chooses by " in first.why


def test_where_only_the_counters_differ_that_is_said(output):
    calm = {"faults": "[]", "client__send_latency_fault_enable": "false"}
    both = (output(**calm), output(**calm, client__send_which_queue_start="5"))
    first = first_difference(*map(open_output, both))
    assert first.cause == COUNTER
    assert first.why == Says("run-difference.counters-differ")


def test_a_slower_broker_is_seen_where_its_first_answer_comes_later(output):
    first = found(output, brokers__c__latency="{constant: 2ms}")
    assert first.cause == BROKER
    assert first.one["broker"] == first.other["broker"] == "c"
    assert first.other["end_us"] - first.one["end_us"] == 1_000
    assert settings_apart(open_output(output()), open_output(output(brokers__c__latency="{constant: 2ms}")))


def test_the_command_tells_it_with_the_totals(output, monkeypatch, capsys):
    code, said = ask(monkeypatch, capsys, "diff", output(), output(seed="99"))
    assert code == 1
    assert prints(said, RunDifferenceTexts.FIRST)
    assert "attempts[b]" in said
    assert ask(monkeypatch, capsys, "diff", output(), output()) == (0, RunDifferenceTexts.SAME())


def test_what_is_no_output_is_one_sentence(output, monkeypatch, capsys, tmp_path):
    code, said = ask(monkeypatch, capsys, "diff", output(), tmp_path / "nowhere")
    assert (code, "no such folder" in said.replace("\n", " ")) == (2, True)
