"""The page of pictures names every kind of fault and every scenario, and only scenarios that are there."""

import re

import pytest

from simulator.scenario.faults.fault_kinds import KINDS
from tests.house.tree import ROOT

PAGE = (ROOT / "docs" / "faults.md").read_text()
SCENARIOS = {path.stem for path in (ROOT / "conf" / "scenarios").glob("*.yaml")}
ROWS = [[cell.strip() for cell in row.strip("|").split("|")] for row in PAGE.splitlines() if row.startswith("| ")]
PICTURES = {file: alt.partition(": ")[2] for alt, file in re.findall(r"!\[([^\]]+)\]\(([\w.-]+)\)", PAGE)}
NUMBERS = ["Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve"]
MOST_BYTES = 400 * 1024


def shown(picture):
    """The scenarios that the alternative text of a picture lists."""
    return PICTURES[picture].replace(",", " ").split()


def test_every_kind_of_fault_stands_in_a_table():
    assert {kind for row in ROWS for kind in re.findall(r"`(\w+)`", row[0])} == set(KINDS)


def test_every_scenario_stands_in_a_table():
    named = {name for row in ROWS for name in re.findall(r"`([\w-]+)`", row[-1])}
    assert named == SCENARIOS


def test_a_kind_of_fault_stands_beside_scenarios_that_have_it():
    wrong = []
    for row in ROWS:
        kinds = set(re.findall(r"`(\w+)`", row[0]))
        for name in re.findall(r"`([\w-]+)`", row[-1]) if kinds else []:
            text = (ROOT / "conf" / "scenarios" / f"{name}.yaml").read_text()
            if not kinds & set(re.findall(r"\bkind: (\w+)", text)):
                wrong.append((kinds, name))
    assert wrong == []


def test_every_way_to_send_has_its_part_of_the_picture():
    ways = {name for name in SCENARIOS if name.startswith("way-")}
    assert sorted(shown("ways.png")) == sorted(ways)


@pytest.mark.parametrize("picture", PICTURES)
def test_a_picture_is_small_and_says_which_scenarios_it_shows(picture):
    assert (ROOT / "docs" / picture).stat().st_size <= MOST_BYTES
    assert set(shown(picture)) <= SCENARIOS
    assert f"![{NUMBERS[len(shown(picture)) - 4]} scenarios: " + PICTURES[picture] in PAGE
