"""docs/predictions*.md have every recording: `make predictions` writes them anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.consumer_predictions_page import recordings as recordings_of_consumers
from tests.consumer_predictions_page import scenario_of as scenario_of_clients
from tests.house.tree import ROOT
from tests.predictions_page import BEGIN, END, recordings, scenario_of

PAGES = ("predictions-consumers.md", "predictions-failover.md", "predictions-grpc.md")
FAILOVERS, GRPC = Path("conf/traces/failover"), Path("conf/traces/grpc")


@pytest.mark.parametrize("recording", recordings())
def test_a_recording_is_on_the_page_with_its_scenario(recording):
    _, _, rest = (ROOT / "docs" / "predictions.md").read_text().partition(BEGIN)
    asked = f"$ sendlab verify predictions conf/traces/{recording} {scenario_of(recording)}\n{recording}: "
    assert asked in rest.partition(END)[0]
    assert (ROOT / scenario_of(recording)).is_file()


@pytest.mark.parametrize("recording", recordings_of_consumers())
def test_a_recording_of_consumers_is_on_its_page(recording):
    _, _, rest = (ROOT / "docs" / "predictions-consumers.md").read_text().partition(BEGIN)
    assert f"| {recording} | " in rest or f"- {recording}: " in rest


@pytest.mark.parametrize("recording", recordings_of_consumers(FAILOVERS))
def test_a_recorded_failover_is_on_its_page(recording):
    _, _, rest = (ROOT / "docs" / "predictions-failover.md").read_text().partition(BEGIN)
    last = "pn-498" if recording.startswith("ns-") else "elections"
    assert f"| {recording} | {last} | " in rest


@pytest.mark.parametrize("recording", recordings_of_consumers(GRPC))
def test_a_recording_of_grpc_clients_is_on_its_page(recording):
    _, _, rest = (ROOT / "docs" / "predictions-grpc.md").read_text().partition(BEGIN)
    assert f"$ sendlab verify predictions conf/traces/grpc/{recording} {scenario_of_clients(GRPC, recording)}" in rest


@pytest.mark.parametrize("page", PAGES)
def test_a_recording_with_a_missed_figure_is_named_before_the_tables_with_its_reason(page):
    reasons, _, rest = (ROOT / "docs" / page).read_text().partition(BEGIN)
    missed = {line.split(" | ")[0].strip("| ") for line in rest.splitlines() if line.endswith(" missed |")}
    named = {
        name for name in missed if f"`{name}`" in reasons or any(f"`{begin}-*`" in reasons for begin in _begins(name))
    }
    assert missed
    assert missed == named


def _begins(name: str) -> list[str]:
    """What a pattern may have before `-*`: `tx` and `tx-ab` of `tx-ab-r1`."""
    parts = name.split("-")
    return ["-".join(parts[:count]) for count in range(1, len(parts))]
