"""What README and docs/running.md say of the quickstart is what the commands there print."""

from __future__ import annotations

import re

import pytest

from tests.house.tree import ROOT
from tests.streaming.asked import ask

QUICKSTART = ROOT / "conf" / "scenarios" / "quickstart.yaml"
FOUND = (ROOT / "README.md").read_text().partition("**What it finds**")[2].partition("\n## ")[0]
PRINTED = (ROOT / "docs" / "running.md").read_text().partition(" and prints\n")[2].partition("\nOf the 142 ")[0]
FIGURE = re.compile(r"(?<![\d.])\d+(?:[,:]\d+)*(?![\d.]*\.\d|[\d,]*-)")


def quickstart(monkeypatch, capsys, tmp_path, *changes: str) -> str:
    """What the terminal and the report of the quickstart say, as one line."""
    asked = "run", QUICKSTART, "--engine", "plain", "--out", tmp_path / "out", *changes
    said = ask(monkeypatch, capsys, *asked)[1]
    assert ask(monkeypatch, capsys, "report", tmp_path / "out", "--format", "md")[0] == 0
    return said + (tmp_path / "out" / "report.md").read_text()


def figures(text: str) -> set[str]:
    """The figures of a text, without releases and times in words."""
    return set(FIGURE.findall(re.sub(r"\d\.\d\.\d|\d+ s\b", "", text)))


@pytest.mark.parametrize(
    ("release", "bullets", "least"), [("4.9.8", slice(0, -1), 5), ("5.3.3", slice(-1, None), 4)], ids=("4.9.8", "5.3.3")
)
def test_the_figures_of_the_readme_are_printed(monkeypatch, capsys, tmp_path, release, bullets, least):
    found = figures("".join(FOUND.split("\n- ")[bullets]))
    assert len(found) >= least
    said = quickstart(monkeypatch, capsys, tmp_path, "--set", f"client.release={release}")
    assert found - set(FIGURE.findall(said)) == set()


def test_the_tables_of_the_running_page_are_printed(monkeypatch, capsys, tmp_path):
    said = quickstart(monkeypatch, capsys, tmp_path)
    blocks = [" ".join(block.split()) for block in PRINTED.split("\n\n")]
    assert len(blocks) == 5
    assert [block for block in blocks if block not in said] == []
