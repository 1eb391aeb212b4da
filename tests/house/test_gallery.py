"""The page of pictures names every kind of fault, and only scenarios that are there."""

import re

from simulator.scenario.fault_kinds import KINDS
from tests.house.tree import ROOT

PAGE = (ROOT / "docs" / "faults.md").read_text()
SCENARIOS = {path.stem for path in (ROOT / "conf" / "scenarios").glob("*.yaml")}
MOST_BYTES = 150 * 1024


def test_every_kind_stands_beside_a_scenario():
    rows = [row.split("|")[1:3] for row in PAGE.splitlines() if row.startswith("| ") and "`" in row]
    named = {kind for kinds, _ in rows for kind in re.findall(r"`(\w+)`", kinds)}
    assert named == set(KINDS)
    assert {name for _, names in rows for name in re.findall(r"`([\w-]+)`", names)} <= SCENARIOS


def test_every_picture_is_there_and_small():
    pictures = [ROOT / "docs" / name for name in re.findall(r"!\[[^\]]+\]\(([\w.-]+)\)", PAGE)]
    assert 0 < len(pictures) <= 6
    assert [path.name for path in pictures if path.stat().st_size > MOST_BYTES] == []
