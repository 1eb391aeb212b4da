"""The tables of an experiment in words."""

from __future__ import annotations

import math

from simulator.experiments.result import ExperimentResult
from simulator.experiments.study import Study
from streaming.experiment_page.text_tables import changes, differences
from tests.says import Says
from tests.simulator.experiments.small import loaded, study_of


def test_a_recovery_that_only_the_base_lacks_is_reported_as_one():
    never, soon = [{"recovery_s": math.inf}] * 6, [{"recovery_s": 4.0}] * 6
    table = differences(ExperimentResult(study_of({"old": never, "new": soon}, seeds=6)))
    assert table is not None
    assert table.rows == (("recovery_s", Says("experiment-page.unlike-the-base", when="within the run", shown="")),)


def test_what_each_arm_changes_is_said_as_it_is_written():
    tables = {"client.retry_response_codes": ["SYSTEM_BUSY"], "client.send_latency_fault_enable": True}
    table = changes(ExperimentResult(Study(loaded(arms={"as shipped": {}, "strict": tables}))))
    assert table is not None
    found = "client.retry_response_codes: [SYSTEM_BUSY]; client.send_latency_fault_enable: true"
    assert table.rows == (("as shipped", Says("experiment-page.as-it-is")), ("strict", found))


def test_arms_that_are_named_by_their_changes_need_no_table_of_them():
    assert changes(ExperimentResult(Study(loaded(grid={"client.release": ["4.9.8", "5.3.3"]})))) is None
