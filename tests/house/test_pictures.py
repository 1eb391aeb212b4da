"""The pictures of docs/ show the scenarios as they are: `make pictures` makes them anew."""

from __future__ import annotations

import json
import re

import pytest

from tests.house.tree import ROOT
from tests.pictures import curves
from tests.pictures.digest import digest_of, digest_of_experiment, digest_of_night, rules_of
from tests.pictures.gallery import CALIBRATIONS, EXPERIMENTS, GALLERY, HUNTS, LIVE, NIGHTS
from tests.pictures.heat import HEAT_MAP, digest

PAGES = ("faults.md", "failover.md", "pop.md", "grpc.md", "filters.md")
DIGESTS = json.loads((ROOT / "docs" / "pictures.json").read_text())


def test_every_picture_is_made_by_the_command():
    made = {*GALLERY, *NIGHTS, *CALIBRATIONS, *EXPERIMENTS, *LIVE, *HUNTS, HEAT_MAP, curves.CURVES}
    assert {path.name for path in (ROOT / "docs").glob("*.png")} == made == set(DIGESTS)


@pytest.mark.parametrize("picture", GALLERY)
def test_a_picture_is_younger_than_what_it_shows(picture):
    assert DIGESTS[picture] == digest_of(GALLERY[picture]), f"make pictures: {picture} shows what was"


def test_the_heat_map_is_that_of_the_kept_matrix():
    assert DIGESTS[HEAT_MAP] == digest(), f"make pictures: {HEAT_MAP} shows what was"


def test_the_curves_are_those_of_the_published_cells_and_their_scenario():
    assert DIGESTS[curves.CURVES] == curves.digest(), f"make pictures: {curves.CURVES} shows what was"


@pytest.mark.parametrize("picture", NIGHTS)
def test_a_picture_of_a_replay_is_younger_than_its_recording(picture):
    assert DIGESTS[picture] == digest_of_night(*NIGHTS[picture]), f"make pictures: {picture} shows what was"


@pytest.mark.parametrize("picture", LIVE)
def test_a_picture_of_a_live_page_is_younger_than_its_scenario(picture):
    assert DIGESTS[picture] == digest_of([LIVE[picture]]), f"make pictures: {picture} shows what was"


@pytest.mark.parametrize("picture", HUNTS)
def test_a_picture_of_a_hunt_is_younger_than_its_scenario(picture):
    assert DIGESTS[picture] == digest_of([HUNTS[picture][0]]), f"make pictures: {picture} shows what was"


@pytest.mark.parametrize("picture", CALIBRATIONS)
def test_a_picture_of_a_calibration_is_younger_than_its_recording(picture):
    assert DIGESTS[picture] == digest_of_night(CALIBRATIONS[picture]), f"make pictures: {picture} shows what was"


@pytest.mark.parametrize("picture", EXPERIMENTS)
def test_a_picture_of_an_experiment_is_younger_than_its_arms(picture):
    assert DIGESTS[picture] == digest_of_experiment(EXPERIMENTS[picture]), f"make pictures: {picture} shows what was"


def test_the_pages_of_pictures_name_the_scenarios_in_their_order():
    page = "".join((ROOT / "docs" / name).read_text() for name in PAGES)
    shown = {
        file: re.split(r",\s+", names) for names, file in re.findall(r"!\[\w+ scenarios?: ([^\]]+)\]\((\S+)\)", page)
    }
    assert shown == {file: list(scenarios) for file, scenarios in GALLERY.items() if file != "report.png"}


def test_another_rule_of_a_release_is_another_digest(monkeypatch):
    before = digest_of(["quickstart"])
    monkeypatch.setattr("tests.pictures.digest.rules_of", lambda release: rules_of("5.3.3"))
    assert digest_of(["quickstart"]) != before
