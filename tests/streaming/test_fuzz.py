"""A sample of `make fuzz`: what nobody would write is counted, and reported in a sentence each."""

from __future__ import annotations

from tests.endurance.fuzzing.bombs import large_records, scenario_bombs
from tests.endurance.fuzzing.logs import fuzz_csv, fuzz_message_trace
from tests.endurance.fuzzing.records import fuzz_records
from tests.endurance.fuzzing.scenarios import fuzz_scenarios

SEED = 7


def test_fuzzed_records_are_used_or_refused():
    assert fuzz_records(SEED, 2_000).startswith("2,000 = ")


def test_fuzzed_logs_are_rows_or_rejects(tmp_path):
    assert " rows + " in fuzz_csv(SEED, 1_000, tmp_path)
    assert " of other kinds" in fuzz_message_trace(SEED, 1_000, tmp_path)


def test_mutated_scenarios_are_scenarios_or_a_sentence():
    assert fuzz_scenarios(SEED, 40).startswith("40, of which ")


def test_bombs_are_refused(tmp_path):
    assert large_records(tmp_path) == "7 refused"
    assert scenario_bombs(tmp_path, ("aliases", "merges", "deep flow", "scalar")) == "4 refused"
