"""The table of features names keys and releases that are there."""

import re

import pytest

from simulator.releases.ledger import RELEASES
from simulator.scenario.keys import sections
from tests.house.tree import ROOT

PAGE = (ROOT / "docs" / "features.md").read_text().partition("Not modelled:")[0]
ROWS = [[cell.strip() for cell in row.strip("|").split("|")] for row in PAGE.splitlines() if row.startswith("| ")][1:]
KNOWN = {key.path.replace("[]", "") for section in sections() for key in section.keys}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_a_feature_names_keys_of_a_scenario(row):
    named = re.findall(r"`([\w.]+)`", row[2])
    assert named
    assert [key for key in named if key not in KNOWN] == []


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_a_feature_names_a_release(row):
    assert row[1] == "all" or row[1].removeprefix("from ") in RELEASES
