"""`sendlab verify incidents`: the table, JSON, and what happens when a figure is missed or a name does not exist."""

from __future__ import annotations

import json
import shutil

import pytest

from streaming.installation.conf_files import conf_folder
from streaming.proof.texts.proof_texts import ProofTexts
from tests.says import Says, prints
from tests.streaming.asked import ask

CATALOGUE = conf_folder() / "incidents"


@pytest.fixture
def swapped(tmp_path):
    """A catalogue of one incident whose releases have changed sides."""
    text = (CATALOGUE / "counter-overflow.yaml").read_text()
    text = text.replace("faulty: {releases: [4.8.0]}", "faulty: {releases: [4.9.0]}")
    text = text.replace("mended: {releases: [4.7.1, 4.9.0, 4.9.8]}", "mended: {releases: [4.8.0]}")
    (tmp_path / "counter-overflow.yaml").write_text(text)
    return tmp_path


def test_the_named_incident_is_run_and_shown_with_its_reference(monkeypatch, capsys):
    code, said = ask(monkeypatch, capsys, "verify", "incidents", "counter-overflow")
    assert code == 0
    assert "apache/rocketmq#2783" in said
    assert "broken 4.8.0 queues used 2 exact 2 ok" in said
    assert prints(said, ProofTexts.INCIDENTS_WITHIN, incidents=1, figures=8)


def test_swapped_releases_are_out_of_tolerance_and_exit_with_1(monkeypatch, capsys, swapped):
    code, said = ask(monkeypatch, capsys, "verify", "incidents", "--catalogue", swapped)
    assert code == 1
    assert "broken 4.9.0 queues used 2 exact 16 NO" in said
    assert prints(said, ProofTexts.INCIDENTS_OUT, wrong=4)


def test_json_has_every_figure_with_what_was_expected_and_measured(monkeypatch, capsys):
    code, said = ask(monkeypatch, capsys, "verify", "incidents", "counter-overflow", "--json")
    document = json.loads(said)
    figure = document["incidents"][0]["figures"][0]
    assert (code, document["ok"], figure["release"], figure["figure"]) == (0, True, "4.8.0", "queues used")
    assert (figure["expected"], figure["measured"]) == ({"value": 2.0, "tolerance": 0.0}, 2.0)


def test_the_list_names_every_incident_and_runs_none(monkeypatch, capsys):
    code, said = ask(monkeypatch, capsys, "verify", "incidents", "--list")
    assert code == 0
    assert all(file.stem in said for file in CATALOGUE.glob("*.yaml"))
    assert "measured" not in said


def test_an_unknown_incident_is_one_sentence_with_the_nearest(monkeypatch, capsys):
    code, said = ask(monkeypatch, capsys, "verify", "incidents", "counter-overflows")
    assert code == 2
    assert said.startswith("no incident named counter-overflows")
    assert said.endswith("did you mean counter-overflow?")


def test_a_broken_incident_is_one_sentence_with_its_line(monkeypatch, capsys, tmp_path):
    shutil.copy(CATALOGUE / "counter-overflow.yaml", tmp_path / "broken.yaml")
    with (tmp_path / "broken.yaml").open("a") as file:
        file.write("figurs: []\n")
    code, said = ask(monkeypatch, capsys, "verify", "incidents", "--catalogue", tmp_path)
    assert code == 2
    assert Says("reading.unknown-meant", "...figurs", near="figures") in said
