"""C reads what Python's own parser reads, and what only C takes for YAML is refused."""

from __future__ import annotations

import pytest

from simulator.scenario import ScenarioError, parse_scenario
from simulator.scenario.reading import document
from tests.house.tree import ROOT
from tests.says import Says, raises

TEXTS = [path.read_text() for path in sorted((ROOT / "conf").rglob("*.yaml"))]


def read(text: str) -> object:
    """The values of a file and the line of each, or what is said of it."""
    try:
        found = document.Document(text, "file", what="file")
    except ScenarioError as error:
        return error.sentences
    return found.value, found.lines, found.problems


def test_both_read_the_same_values_at_the_same_lines(monkeypatch):
    by_c = [read(text) for text in TEXTS]
    monkeypatch.setattr(document, "FastLoader", document.Loader)
    assert len(TEXTS) > 100
    assert by_c == [read(text) for text in TEXTS]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("name:\tpeak\nseed: 1\n", Says("reading.tab", "<text>:1", column=6)),
        ("seed: 1\n\ufeffname: peak\n", Says("reading.unknown-meant", "...\ufeffname", near="name")),
        ("name: [peak\nseed: 1\n", Says("reading.not-yaml", "<text>:2")),
    ],
)
def test_what_python_refuses_is_refused_in_its_words(text, says):
    with raises(ScenarioError, says):
        parse_scenario(text)
