"""docs/predictions.md has every recording that can be predicted: `make predictions` writes it anew."""

from __future__ import annotations

import pytest

from tests.house.tree import ROOT
from tests.predictions_page import BEGIN, END, recordings, scenario_of


@pytest.mark.parametrize("recording", recordings())
def test_a_recording_is_on_the_page_with_its_scenario(recording):
    _, _, rest = (ROOT / "docs" / "predictions.md").read_text().partition(BEGIN)
    asked = f"$ sendlab replay conf/traces/{recording} --predict {scenario_of(recording)}\n{recording}: "
    assert asked in rest.partition(END)[0]
    assert (ROOT / scenario_of(recording)).is_file()
