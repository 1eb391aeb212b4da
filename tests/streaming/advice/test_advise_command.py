"""`sendlab advise`: what is wrong with its options is said at them."""

from __future__ import annotations

import yaml

from simulator.advice.trial import trial_of
from streaming.advice.advise_command import check_measured_in
from streaming.errors import InputError
from tests.says import Says, raises
from tests.simulator.experiments.small import SCENARIO


def test_an_objective_that_no_run_can_measure_is_refused_at_its_option(tmp_path):
    file = tmp_path / "small.yaml"
    file.write_text(yaml.safe_dump(SCENARIO))
    check_measured_in(trial_of(file, "usual", objectives=["p99_ms < 10"]))
    with raises(InputError, Says("experiment-file.not-measurable", "--objective no_master_s < 5", name="no_master_s")):
        check_measured_in(trial_of(file, "usual", objectives=["p99_ms < 10", "no_master_s < 5"]))
