"""Every incident of the catalogue shows what was reported on its faulty releases and not on the mended ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from simulator.proof.incidents import load_incidents, run_incident
from simulator.proof.incidents.incident_file import incident_files

CATALOGUE = Path(__file__).resolve().parents[4] / "conf" / "incidents"
NAMES = tuple(incident_files(CATALOGUE))


@pytest.fixture(scope="module")
def findings():
    """Findings by incident, of one run of the whole catalogue."""
    return {loaded.name: (loaded, run_incident(loaded)) for loaded in load_incidents(CATALOGUE)}


def test_there_are_enough_of_them():
    assert len(NAMES) >= 16


@pytest.mark.parametrize("name", NAMES)
def test_what_was_reported_is_measured(findings, name):
    wrong = [(f.side, f.release, f.figure, f.measured) for f in findings[name][1] if not f.is_as_expected]
    assert wrong == []


@pytest.mark.parametrize("name", NAMES)
def test_swapped_releases_show_in_every_figure(findings, name):
    """The negative control: what a faulty release shows is never what a mended one may show, nor the reverse."""
    loaded, found = findings[name]
    other = {"faulty": "mended", "mended": "faulty"}
    for finding in found:
        opposite = loaded.incident.figures[finding.number].expected(other[finding.side])
        assert opposite is None or not opposite.allows(finding.measured), finding
