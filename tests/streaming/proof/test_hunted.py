"""Incidents as hunts: found on the broken release, not on the fixed one, and wrong files get a sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from simulator.hunt.hunt_file import load_rates
from simulator.hunt.schedule_outcome import HuntOutcome
from simulator.proof.hunted_incidents import load_hunted_incidents
from simulator.proof.incidents.incident_file import incident_files
from simulator.scenario import ScenarioError
from streaming.errors import InputError
from streaming.hunt.pool_engine import pool_of
from streaming.proof.commands.hunts_command import hunts_command
from streaming.proof.hunted import first_miss, hunted_side
from streaming.terminal.output_console import OutputConsole as Console
from tests.house.tree import ROOT
from tests.says import Says, raises

RATES = load_rates(ROOT / "conf" / "fault-rates.yaml")
HUNTS, INCIDENTS = ROOT / "conf" / "hunts", ROOT / "conf" / "incidents"


def loaded(*names: str, file: str = "incidents"):
    return load_hunted_incidents(HUNTS / f"{file}.yaml", INCIDENTS, RATES, names)


def test_every_hunted_incident_is_in_the_catalogue_and_has_no_fault_of_its_own():
    found = loaded()
    assert {one.name for one in found} <= set(incident_files(INCIDENTS))
    assert all(not side.scenario.faults for one in found for side in one.sides.values())
    assert len(found) >= 10


def test_a_space_offers_more_than_the_incidents_own_kind():
    for one in loaded():
        assert len({template.kind for template in one.sides["faulty"].space.templates}) >= 2


@pytest.mark.parametrize("name", ["retry-on-same-broker", "eighteen-seconds-away"])
def test_an_incident_is_found_on_the_broken_release_alone(name, capsys):
    asked = {"schedules": 24, "seed": 1, "cores": 1, "compare": False, "out": None, "console": Console()}
    code = hunts_command([name], as_json=True, **asked)
    (found,) = json.loads(capsys.readouterr().out)
    assert (code, found["ok"]) == (0, True)
    assert found["broken"]["first"] <= 24
    assert (found["fixed"]["first"], found["fixed"]["schedules"]) == (None, 24)


def test_the_first_miss_is_where_it_is_by_both_strategies():
    (one,) = loaded("retry-on-same-broker")
    with pool_of(1) as pool:
        guided, random = (first_miss(one.sides["faulty"], 16, 1, pool, strategy) for strategy in ("guided", "random"))
    assert guided == random <= 16  # both begin with the same random schedules


@pytest.mark.parametrize("values", [{}, {"copies_per_message": 99.0, "failed_percent": 99.0}])
def test_a_side_that_measures_nothing_or_misses_without_a_fault_shows_nothing(values):
    class Made:
        def outcomes(self, text, wanted, schedules, stop):
            yield from ((one, HuntOutcome(values)) for one in schedules)

    (one,) = loaded("retry-on-same-broker")
    side = hunted_side(one.sides["mended"], 2, 1, Made())
    assert (side.failed, side.first is None) == (True, not values)


def test_where_a_find_is_rare_the_guided_search_is_sooner():
    (one,) = loaded("third-broker", file="rare")
    with pool_of(1) as pool:
        guided = first_miss(one.sides["faulty"], 80, 4, pool, "guided")
        most = 64 + 4 * (guided - 64)  # both begin with the same 64; behind them random search needs four times as many
        assert guided <= 80
        assert first_miss(one.sides["faulty"], most, 4, pool, "random") > most


def test_an_unknown_incident_is_named_with_the_nearest():
    with pytest.raises(ScenarioError, match=r"ten-minuets.*did you mean ten-minutes"):
        loaded("ten-minuets")


def test_a_wrong_hunt_of_the_file_is_shown_with_its_line(tmp_path):
    file = tmp_path / "hunts.yaml"
    file.write_text("third-broker:\n  objectives: ['lost == 0']\n  hunt:\n    faults: [{kind: hnag, broker: each}]\n")
    with pytest.raises(ScenarioError, match=r"hunts.yaml:4: third-broker.hunt.faults.*did you mean hang"):
        load_hunted_incidents(file, INCIDENTS, RATES)


def test_a_page_without_the_marks_is_refused(tmp_path):
    file = Path(tmp_path) / "page.md"
    file.write_text("no marks\n")
    asked = {"schedules": 1, "seed": 1, "cores": 1, "compare": False, "as_json": False, "console": Console()}
    with raises(InputError, Says("proof.page-expected", first="<!-- hunts -->")):
        hunts_command([], out=file, **asked)
