"""The tables of an experiment in words."""

from __future__ import annotations

import math

from simulator.experiments.result import ExperimentResult
from streaming.experiment_page.text_tables import differences
from tests.simulator.experiments.small import study_of


def test_a_recovery_that_only_the_base_lacks_is_told_as_one():
    never, soon = [{"recovery_s": math.inf}] * 2, [{"recovery_s": 4.0}] * 2
    table = differences(ExperimentResult(study_of({"old": never, "new": soon}, seeds=2)))
    assert table is not None
    assert table.rows == (("recovery_s", "within the run, unlike the base"),)
