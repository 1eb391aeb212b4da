"""Very large runs: what they simulate, whole or in part, and what docs/scale.md says of those that were measured."""

from __future__ import annotations

from dataclasses import replace

import pytest
import yaml

from simulator.experiments.experiment_file import parse_experiment
from simulator.scenario import parse_scenario
from tests.bench.large import BEGIN, END, PAGE, RUNS, Measured, expected_s, so_far, stored, table, with_table

LINE = Measured("a job", 1, 2_000_000, 400.0, 8.0, 1_234, 0.4, "a machine", "abc1234", "2026-01-02 03:04 UTC")


@pytest.mark.parametrize(("name", "sends"), [("sends_1e9", 1e9), ("brokers_300_for_an_hour", 7.2e7)])
def test_an_experiment_has_the_messages_that_it_says(name, sends):
    large = RUNS[name](1)
    loaded = parse_experiment(yaml.safe_dump(dict(large.content)), name)
    (arm,) = loaded.arms.values()
    per_s = sum(group.count * group.rate_per_s for group in arm.producers)
    assert large.sends == pytest.approx(sends, rel=0.01)
    assert per_s * arm.duration_us / 1e6 * large.content["seeds"] == pytest.approx(large.sends, rel=1e-6)


@pytest.mark.parametrize("share", [1, 10, 100])
def test_a_share_of_the_many_shards_has_shards_of_the_same_size(share):
    scenario = parse_scenario(yaml.safe_dump(dict(RUNS["producers_1e6"](share).content)))
    assert scenario.producers[0].count / scenario.cells == 2_500


def test_the_page_has_what_was_measured():
    page = PAGE.read_text()
    assert with_table(page, stored()) == page


def test_a_row_says_what_it_took_and_beside_what():
    row = table({"sends_1e9": LINE}).splitlines()[-1]
    assert row == "| a job | 2,000,000 | 7 min | 8 s, 4.00 us a message | 1,234 MiB | 2026-01-02 03:04 UTC, abc1234 |"
    busy = table({"sends_1e9": replace(LINE, share=10, other_percent=55.0)})
    assert "| a job (1/10 of it) |" in busy
    assert "abc1234, other work 55 % |" in busy


def test_a_page_without_the_marks_is_refused():
    with pytest.raises(ValueError, match="has no <!-- measured: begin -->"):
        with_table("no marks", {"sends_1e9": LINE})
    assert with_table(f"a\n{BEGIN}old\n{END}b\n", {}).startswith(f"a\n{BEGIN}On ")


def test_a_run_is_expected_to_take_the_cpu_of_its_last_share():
    large = RUNS["sends_1e9"](1)
    assert expected_s(replace(LINE, share=100), large, cores=2) == pytest.approx(8.0 / 2e6 * large.sends / 2)
    assert expected_s(None, large, cores=2) is None


def test_a_line_of_progress_ends_with_what_the_command_printed_last():
    assert (
        so_far("one", 125.0, 1_234.4, 3 << 20, "a\n 40 of 167 runs \n")
        == "one: 2 min, CPU 1,234 s, 3 MiB  40 of 167 runs"
    )
    assert so_far("one", 5.0, 0.0, 0, "") == "one: 5 s, CPU 0 s, 0 MiB"
