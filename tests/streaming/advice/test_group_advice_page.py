"""The page of an advice about a consumer group."""

from __future__ import annotations

import json

import pytest
import yaml

from simulator.advice.advice import Advice
from simulator.advice.cost_texts import CostTexts, NotCoveredTexts
from simulator.advice.standing import Standing
from simulator.advice.trial import arm_name, trial_of
from simulator.experiments.study import Study
from streaming.advice.advice_page import html, markdown
from streaming.advice.advice_picture import choices
from tests.simulator.experiments.small import SCENARIO

GROUP = {"topic": "orders", "count": 3, "threads": 4, "service": "20ms", "release": "5.3.3"}


def advised(folder, without_p99=()):
    file = folder / "small.yaml"
    file.write_text(yaml.safe_dump(SCENARIO | {"consumers": {"billing": GROUP}}))
    trial = trial_of(file, "usual", group="billing")
    study = Study(trial.experiment())
    for name in trial.candidates:
        lag = 100.0 if name == "6 instances" else 500.0
        for situation in trial.situations:
            for seed in range(1, 9):
                run = {"consumed_twice_percent": 1.0, "end_to_end_p99_ms": 50.0, "lag_max": lag + seed}
                if name in without_p99:
                    del run["end_to_end_p99_ms"]
                study.take(arm_name(name, situation.name), seed, {f"{key}[billing]": one for key, one in run.items()})
    return Advice(Standing(trial, study))


@pytest.fixture(scope="module")
def advice(tmp_path_factory):
    return advised(tmp_path_factory.mktemp("advice"))


def test_the_setting_with_the_smallest_lag_is_named_with_what_it_costs(advice):
    best = advice.picks[0]
    assert best.name == "6 instances"
    assert best.gains[0].startswith("greatest lag 104")
    assert best.costs == [CostTexts.MORE_INSTANCES(count=3).at("6 instances")]
    assert "// 6 instances instead of 3" in best.java


def test_page_and_picture_show_the_group_s_figures(advice):
    assert "Consumed twice and end-to-end p99 of every setting" in html(advice)
    assert NotCoveredTexts.LISTENERS() in markdown(advice)
    axes = choices(advice)["layout"]
    assert axes["xaxis"]["title"]["text"] == "consumed twice, %"
    assert json.loads(json.dumps(advice.as_json()))["unknown"][2] == NotCoveredTexts.OTHER_GROUPS()


def test_the_page_says_by_what_settings_are_judged_without_what_is_not_compared(advice, tmp_path):
    assert "Judged by: consumed twice, end-to-end p99 and greatest lag." in html(advice)
    assert "Judged by: consumed twice and greatest lag." in html(advised(tmp_path, without_p99=("2 threads",)))
